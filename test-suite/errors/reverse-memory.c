// Memory that reverse mode does not follow: floats and integers side by side that are copied when neither their number nor
// the distance between them is known.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

#include <string.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double exchanged(char *pairs, int size, int n) {
  double r = 0;
  // CHECK: reverse-memory.c:[[#@LINE+4]]:3: error: floats and other things side by side are copied at once
  // CHECK-NEXT: note: in `exchanged`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+12]]:3
  // CHECK-NEXT: help: copy the elements one by one
  memcpy(pairs, pairs + (n / 2) * size, (n / 2) * size);
  for (int i = 0; i < n; i++) {
    const double *value = (double *)(pairs + i * size);
    const long *key = (long *)(value + 1);
    r += *value * *value * *key;
  }
  return r;
}

void of_exchanged(char *x, char *dx, int size, int n) {
  __enzyme_autodiff((void *)exchanged, x, dx, size, n);
}
// CHECK: 1 error generated.
