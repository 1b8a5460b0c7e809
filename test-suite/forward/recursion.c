// Functions that call themselves and each other.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

static double by_halves(double x, int n) {
  if (n == 0) return 1;
  double half = by_halves(x, n / 2);
  return n % 2 ? half * half * x : half * half;
}

static double fibonacci(double x, int n) { return n < 2 ? n * x : fibonacci(x, n - 1) + fibonacci(x, n - 2); }

static double even(double x, int n);
static double odd(double x, int n) { return n == 0 ? 0 : sin(even(x, n - 1)); }
static double even(double x, int n) { return n == 0 ? x : 2 * odd(x, n - 1); }

// Takes turns between which argument is active.
static double swaps(double x, double y, int n) { return n == 0 ? x * x : swaps(y, x, n - 1); }

int main(void) {
  double x = 0.8;
  expect(__enzyme_fwddiff((void *)power, x, 1.0, 6), 6 * pow(x, 5));
  expect(__enzyme_fwddiff((void *)power, x, 1.0, 0), 0.0);
  expect(__enzyme_fwddiff((void *)by_halves, x, 1.0, 13), 13 * pow(x, 12));
  expect(__enzyme_fwddiff((void *)fibonacci, x, 1.0, 12), 144.0);
  // even(x, 2) = 2 sin(x)
  expect(__enzyme_fwddiff((void *)even, x, 1.0, 2), 2 * cos(x));
  // even(x, 4) = 2 sin(2 sin(x))
  expect(__enzyme_fwddiff((void *)even, x, 1.0, 4), 4 * cos(2 * sin(x)) * cos(x));
  expect(__enzyme_fwddiff((void *)even, x, 1.0, 3), 0.0);
  expect(__enzyme_fwddiff((void *)swaps, x, 1.0, 5.0, 0.0, 4), 2 * x);
  expect(__enzyme_fwddiff((void *)swaps, x, 1.0, 5.0, 0.0, 3), 0.0);
  return result_of_test();
}
