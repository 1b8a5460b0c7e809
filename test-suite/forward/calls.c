// Calls of functions that are defined here, in every position, with active and with inactive arguments.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

#define separate __attribute__((noinline))

separate static double square(double x) { return x * x; }

separate static double weighted(double x, double weight, int times) {
  double r = 0;
  for (int i = 0; i < times; i++) r += weight * square(x);
  return r;
}

separate static int rounded(double x) { return (int)x; }

separate static double nested(double x) { return square(square(x) + 1) + weighted(x, 0.5, 4); }

separate static double count(double x) { return x * rounded(x); }

separate static double inactive_call(double x, double y) { return x * square(y); }

separate static void store_square(double x, double *result) { *result = square(x); }

separate static double through_memory(double x) {
  double result;
  store_square(x, &result);
  return result * 3;
}

int main(void) {
  double x = 1.7;
  // (x^2 + 1)^2 + 2 x^2
  expect(__enzyme_fwddiff((void *)nested, x, 1.0), 4 * x * (x * x + 1) + 4 * x);
  expect(__enzyme_fwddiff((void *)weighted, x, 1.0, 2.0, 0.0, 3), 12 * x);
  expect(__enzyme_fwddiff((void *)weighted, x, 0.0, 2.0, 1.0, 3), 3 * x * x);
  expect(__enzyme_fwddiff((void *)count, 4.5, 1.0), 4.0);
  expect(__enzyme_fwddiff((void *)inactive_call, x, 1.0, 3.0, 0.0), 9.0);
  expect(__enzyme_fwddiff((void *)through_memory, x, 1.0), 6 * x);
  return result_of_test();
}
