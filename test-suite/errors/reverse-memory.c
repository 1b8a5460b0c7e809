// Memory that reverse mode does not follow yet: moved by realloc, or copied with floats and integers mixed when it is not
// known how many of them.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

#include <stdlib.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

typedef struct { double value; long key; } Pair;

static double moved(double *x, int n) {
  double *y = NULL, r = 0;
  for (int i = 0; i < n; i++) {
    // CHECK: reverse-memory.c:[[#@LINE+4]]:9: error: memory that is moved with active values
    // CHECK-NEXT: note: in `moved`
    // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+22]]:3
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
  // CHECK: reverse-memory.c:[[#@LINE+4]]:3: error: floats and other things side by side are copied at once
  // CHECK-NEXT: note: in `exchanged`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+12]]:3
  // CHECK-NEXT: help: copy the elements one by one
  memcpy(pairs, pairs + n / 2, (n / 2) * sizeof(Pair));
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
