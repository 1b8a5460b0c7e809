// Memory that reverse mode does not follow: floats and integers side by side that are copied when it is not known how many
// of them there are.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

#include <string.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

typedef struct { double value; long key; } Pair;

static double exchanged(Pair *pairs, int n) {
  double r = 0;
  // CHECK: reverse-memory.c:[[#@LINE+4]]:3: error: floats and other things side by side are copied at once
  // CHECK-NEXT: note: in `exchanged`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+8]]:3
  // CHECK-NEXT: help: copy the elements one by one
  memcpy(pairs, pairs + n / 2, (n / 2) * sizeof(Pair));
  for (int i = 0; i < n; i++) r += pairs[i].value * pairs[i].value * pairs[i].key;
  return r;
}

void of_exchanged(Pair *x, Pair *dx, int n) {
  __enzyme_autodiff((void *)exchanged, x, dx, n);
}
// CHECK: 1 error generated.
