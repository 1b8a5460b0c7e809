// Several calls in one function and module, in loops and branches, of forward and reverse mode, and of functions that
// contain calls themselves.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

static double newton(double x, int steps) {
  for (int i = 0; i < steps; i++) x -= (cube(x) - 2) / __enzyme_autodiff((void *)cube, x);
  return x;
}

static double either(double x, int which) {
  return which ? __enzyme_fwddiff((void *)square, x, 1.0) : __enzyme_fwddiff((void *)cube, x, 1.0);
}

int main(void) {
  expect(newton(1.0, 8), cbrt(2.0));
  expect(either(3.0, 1), 6);
  expect(either(3.0, 0), 27);
  expect(__enzyme_fwddiff((void *)square, 2.0, 1.0) + __enzyme_autodiff((void *)square, 2.0), 8);
  // What one call gives, another one takes.
  expect(__enzyme_fwddiff((void *)square, __enzyme_autodiff((void *)cube, 2.0), __enzyme_fwddiff((void *)square, 1.0, 1.0)), 48);
  return result_of_test();
}
