// An entry point is recognised by a part of its name: whatever stands around it, and however it is declared.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme -std=gnu11 -Wno-everything %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 -std=gnu11 -Wno-everything %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff1(double (*)(double), double);
double __enzyme_autodiff_square(void *, double);
float my__enzyme_autodiff_in_float(void *, float);
double __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_foo(double (*)(double), double, double);
double __enzyme_fwddiff42(const void *, double, double);
double prefix__enzyme_fwddiff(long, double, double);
// Without a prototype, as old C has it.
double __enzyme_fwddiff_unprototyped();
double __enzyme_autodiff_unprototyped();

static double square(double x) { return x * x; }
static float square_in_float(float x) { return x * x; }

int main(void) {
  expect(__enzyme_autodiff((void *)square, 3.0), 6);
  expect(__enzyme_autodiff1(square, 3.0), 6);
  expect(__enzyme_autodiff_square((void *)square, 3.0), 6);
  expect_float(my__enzyme_autodiff_in_float((void *)square_in_float, 3.0f), 6);
  expect(__enzyme_fwddiff((void *)square, 3.0, 2.0), 12);
  expect(__enzyme_fwddiff_foo(square, 3.0, 2.0), 12);
  expect(__enzyme_fwddiff42((const void *)square, 3.0, 2.0), 12);
  expect(prefix__enzyme_fwddiff((long)square, 3.0, 2.0), 12);
  expect(__enzyme_fwddiff_unprototyped(square, 3.0, 2.0), 12);
  expect(__enzyme_autodiff_unprototyped(square, 3.0), 6);
  return result_of_test();
}
