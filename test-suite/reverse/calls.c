// The gradient through calls of functions that are defined here, recursion included.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { double x, y; } Two;

double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);

#define separate __attribute__((noinline))

separate static double square(double x) { return x * x; }

separate static double blend(double x, double y, int which) { return which ? x * square(y) : square(x) + y; }

separate static double nested(double x, double y) { return blend(square(x), y, 1) + blend(x, y, 0); }

separate static double inactive_result(double x) { return x * (square(x) > 4 ? 3 : 2); }

static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }

static double by_halves(double x, int n) {
  if (n == 0) return 1;
  double half = by_halves(x, n / 2);
  return n % 2 ? half * half * x : half * half;
}

static double even(double x, int n);
static double odd(double x, int n) { return n == 0 ? 0 : sin(even(x, n - 1)); }
static double even(double x, int n) { return n == 0 ? x : 2 * odd(x, n - 1); }

int main(void) {
  double x = 0.8, y = 1.7;
  Two two = __enzyme_autodiff_two((void *)nested, x, y); // x^2 y^2 + x^2 + y
  expect(two.x, 2 * x * y * y + 2 * x);
  expect(two.y, 2 * x * x * y + 1);

  expect(__enzyme_autodiff((void *)inactive_result, x), 2);
  expect(__enzyme_autodiff((void *)inactive_result, 3.0), 3);

  expect(__enzyme_autodiff((void *)power, x, 6), 6 * pow(x, 5));
  expect(__enzyme_autodiff((void *)power, x, 0), 0);
  expect(__enzyme_autodiff((void *)by_halves, x, 13), 13 * pow(x, 12));
  expect(__enzyme_autodiff((void *)even, x, 2), 2 * cos(x));
  expect(__enzyme_autodiff((void *)even, x, 4), 4 * cos(2 * sin(x)) * cos(x));
  return result_of_test();
}
