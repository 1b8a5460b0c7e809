// What reverse mode does not reach yet: each names its place, and the way by forward mode.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);

static double computed(double x, int n) {
  static const void *const ways[] = {&&once, &&twice};
  // CHECK: reverse-limits.c:{{[0-9]+:[0-9]+}}: error: reverse mode through a computed `goto` is not supported yet
  // CHECK-NEXT: note: in `computed`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-limits.c:[[#@LINE+10]]:46
  // CHECK-NEXT: help: use forward mode (`__enzyme_fwddiff`), one call for each direction
  goto *ways[n];
twice:
  x *= 2;
  goto *ways[n - 1];
once:
  return x;
}

double of_computed(double x, int n) { return __enzyme_autodiff((void *)computed, x, n); }
// CHECK: 1 error generated.
