// A wrong call that only the linker sees is its error, with the place in the source.

// REQUIRES: clang, lld
// RUN: rm -f %t
// RUN: %not %clang -g -O2 %s %lldEnzyme -o %t 2>&1 | %FileCheck %s
// RUN: test ! -e %t

double __enzyme_autodiff(void *, ...);

static double f(double x, double y) { return x * y; }

int main(int count, char **arguments) {
  // CHECK: error: {{.*}}link-time.c:[[#@LINE+3]]:10: {{.*}}in the call of `__enzyme_autodiff`: too few arguments: the value of argument 2 (`double`) of `f` is missing
  // CHECK-NEXT: note: `f` has the type `double (double, double)`
  // CHECK-NEXT: help: after the function give
  return __enzyme_autodiff((void *)f, (double)count) > 0;
}
