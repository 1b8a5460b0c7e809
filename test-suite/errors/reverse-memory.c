// Memory that reverse mode does not follow yet: moved by realloc, copied with floats and integers mixed, or given to a
// function that is only known when the program runs.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

typedef struct { double value; long key; } Pair;

static double moved(double *x, int n) {
  double *y = NULL, r = 0;
  for (int i = 0; i < n; i++) {
    // CHECK: reverse-memory.c:[[#@LINE+4]]:9: error: memory that is moved, or whose address is put in memory
    // CHECK-NEXT: note: in `moved`
    // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+26]]:3
    // CHECK-NEXT: help: mark what goes into it `enzyme_const`, or take it out of the function
    y = realloc(y, (i + 1) * sizeof(double));
    y[i] = x[i] * x[i];
  }
  for (int i = 0; i < n; i++) r += y[i] * y[n - 1 - i];
  free(y);
  return r;
}

static double exchanged(Pair *pairs, int n) {
  double r = 0;
  for (int i = 0; i < n / 2; i++) {
    // CHECK: reverse-memory.c:[[#@LINE+4]]:16: error: floats and other things side by side are copied at once
    // CHECK-NEXT: note: in `exchanged`
    // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+15]]:3
    // CHECK-NEXT: help: copy the elements one by one
    Pair old = pairs[i];
    pairs[i] = pairs[n - 1 - i];
    pairs[n - 1 - i] = old;
  }
  for (int i = 0; i < n; i++) r += pairs[i].value * pairs[i].value * pairs[i].key;
  return r;
}

void of_moved(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)moved, x, dx, n);
}

void of_exchanged(Pair *x, Pair *dx, int n) {
  __enzyme_autodiff((void *)exchanged, x, dx, n);
}
// CHECK: 2 errors generated.
