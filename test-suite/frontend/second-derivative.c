// The derivative of a function that asks for a derivative: forward over reverse, and forward over forward.

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

static double f(double x) { return sin(x) * x; }

static double slope(double x) { return __enzyme_autodiff((void *)f, x); }
static double tangent(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
static double twice(double x) { return __enzyme_fwddiff((void *)tangent, x, 1.0); }

int main(void) {
  double x = 0.7;
  expect(slope(x), cos(x) * x + sin(x));
  expect(__enzyme_fwddiff((void *)slope, x, 1.0), 2 * cos(x) - x * sin(x));
  expect(__enzyme_fwddiff((void *)tangent, x, 1.0), 2 * cos(x) - x * sin(x));
  expect(__enzyme_autodiff((void *)slope, x), 2 * cos(x) - x * sin(x));
  expect(__enzyme_fwddiff((void *)twice, x, 1.0), -3 * sin(x) - x * cos(x));
  return result_of_test();
}
