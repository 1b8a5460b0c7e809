// An entry point has no address: it can only be called.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);

static double f(double x) { return x * x; }

double (*volatile pointer)(void *, ...);

void taken(void) {
  // CHECK: no-address.c:[[#@LINE+2]]:11: error: `__enzyme_autodiff` can only be called; it has no address
  // CHECK-NEXT: help: call it directly, with the function to differentiate as its first argument
  pointer = __enzyme_autodiff;
}
// CHECK: 1 error generated.
