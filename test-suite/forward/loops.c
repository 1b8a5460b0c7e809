// Loops over scalars, the trip count known or not, zero trips included.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double known(double x) {
  double r = 1;
  for (int i = 0; i < 7; i++) r *= x;
  return r;
}

static double unknown(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) r *= x;
  return r;
}

static double downward(double x, unsigned n) {
  double r = 0;
  while (n-- > 0) r = r * x + n;
  return r;
}

static double at_least_once(double x, int n) {
  double r = x;
  do {
    r *= x;
  } while (--n > 0);
  return r;
}

static double two_states(double x, int n) {
  double a = 0, b = x;
  for (int i = 0; i < n; i++) {
    double next = a + b;
    a = b;
    b = next;
  }
  return a;
}

static double until_small(double x) {
  double term = 1, sum = 1;
  for (int k = 1; fabs(term) > 1e-17; k++) {
    term *= x / k;
    sum += term;
  }
  return sum;
}

static double newton(double x) {
  double root = x;
  for (int i = 0; i < 60; i++) root = 0.5 * (root + x / root);
  return root;
}

static double float_counter(double x) {
  double r = 0;
  for (double at = 0; at < 1; at += 0.125) r += at * x * x;
  return r;
}

int main(void) {
  double x = 1.1;
  expect(__enzyme_fwddiff((void *)known, x, 1.0), 7 * pow(x, 6));
  for (int n = 0; n < 12; n++) expect(__enzyme_fwddiff((void *)unknown, x, 1.0, n), n * pow(x, n - 1));
  expect(__enzyme_fwddiff((void *)unknown, x, 1.0, -3), 0.0);

  // 4 x^4... of downward: n = 4 gives 3 x^3 + 2 x^2 + x.
  expect(__enzyme_fwddiff((void *)downward, x, 1.0, 4u), 9 * x * x + 4 * x + 1);
  expect(__enzyme_fwddiff((void *)downward, x, 1.0, 0u), 0.0);

  expect(__enzyme_fwddiff((void *)at_least_once, x, 1.0, -1), 2 * x);
  expect(__enzyme_fwddiff((void *)at_least_once, x, 1.0, 5), 6 * pow(x, 5));

  // Fibonacci numbers times x.
  expect(__enzyme_fwddiff((void *)two_states, x, 1.0, 0), 0.0);
  expect(__enzyme_fwddiff((void *)two_states, x, 1.0, 10), 55.0);

  expect(__enzyme_fwddiff((void *)until_small, x, 1.0), exp(x));
  expect(__enzyme_fwddiff((void *)until_small, 0.0, 1.0), 1.0);
  expect(__enzyme_fwddiff((void *)newton, x, 1.0), 0.5 / sqrt(x));
  expect(__enzyme_fwddiff((void *)float_counter, x, 1.0), 2 * x * 3.5);
  return result_of_test();
}
