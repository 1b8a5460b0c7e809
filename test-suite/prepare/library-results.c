// Functions of the C library that store results through pointers: the memory is not taken for the user's.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#define _GNU_SOURCE
#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double fraction(double x) {
  int exponent;
  double f = frexp(x, &exponent);
  return f * exponent;
}

static double parts(double x) {
  double whole;
  double rest = modf(x, &whole);
  return rest * rest + whole;
}

static double circle(double x) {
  double s, c;
  sincos(x, &s, &c);
  return s * c;
}

static double remainder_of(double x, double y) {
  int quotient;
  return remquo(x, y, &quotient) * x;
}

static double log_of_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign) * sign;
}

int main(void) {
  // 5.5 is 0.6875 * 2^3.
  expect(__enzyme_fwddiff((void *)fraction, 5.5, 1.0), 3.0 / 8);
  expect(__enzyme_autodiff((void *)fraction, 5.5), 3.0 / 8);
  expect(__enzyme_fwddiff((void *)parts, 2.25, 1.0), 0.5);
  expect(__enzyme_autodiff((void *)parts, 2.25), 0.5);
  expect(__enzyme_fwddiff((void *)circle, 0.7, 1.0), cos(1.4));
  expect(__enzyme_autodiff((void *)circle, 0.7), cos(1.4));
  // 7.5 = 4 * 2 - 0.5
  expect(__enzyme_fwddiff((void *)remainder_of, 7.5, 1.0, 2.0, 0.0), -0.5 + 7.5);
  expect(__enzyme_fwddiff((void *)remainder_of, 7.5, 0.0, 2.0, 1.0), -4 * 7.5);
  // digamma(1) is minus Euler's constant.
  expect(__enzyme_fwddiff((void *)log_of_gamma, 1.0, 1.0), -0.57721566490153286);
  expect(__enzyme_autodiff((void *)log_of_gamma, 1.0), -0.57721566490153286);
  return result_of_test();
}
