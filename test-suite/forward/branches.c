// Branches: if, else, the conditional operator, conditions with side conditions; each side has its own derivative.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double ladder(double x) {
  double r;
  if (x < -1)
    r = x * x;
  else if (x < 1)
    r = 3 * x;
  else if (x < 2)
    r = 5;
  else
    r = exp(x);
  return r * 2;
}

static double ternary(double x, double y) { return x > y ? x * x : y * y * y; }

static double guarded(double x, double y) {
  double r = x;
  if (x > 0 && log(x) > y) r *= y;
  if (x < -3 || y > 10) r += 7 * y;
  return r;
}

static double early(double x) {
  if (x < 0) return -x;
  double y = x * x;
  if (y > 4) return y * x;
  return y;
}

static double by_integer(double x, int n) {
  if (n & 1) x = sin(x);
  if (n & 2) x = x * x;
  return x;
}

int main(void) {
  expect(__enzyme_fwddiff((void *)ladder, -2.0, 1.0), -8.0);
  expect(__enzyme_fwddiff((void *)ladder, 0.5, 1.0), 6.0);
  expect(__enzyme_fwddiff((void *)ladder, 1.5, 1.0), 0.0);
  expect(__enzyme_fwddiff((void *)ladder, 2.5, 1.0), 2 * exp(2.5));

  expect(__enzyme_fwddiff((void *)ternary, 3.0, 1.0, 2.0, 10.0), 6.0);
  expect(__enzyme_fwddiff((void *)ternary, 1.0, 1.0, 2.0, 10.0), 120.0);

  expect(__enzyme_fwddiff((void *)guarded, 5.0, 1.0, 1.0, 1.0), 6.0);
  expect(__enzyme_fwddiff((void *)guarded, 2.0, 1.0, 1.0, 1.0), 1.0);
  expect(__enzyme_fwddiff((void *)guarded, -4.0, 1.0, 1.0, 1.0), 8.0);
  expect(__enzyme_fwddiff((void *)guarded, 2.0, 1.0, 11.0, 1.0), 8.0);

  expect(__enzyme_fwddiff((void *)early, -1.0, 1.0), -1.0);
  expect(__enzyme_fwddiff((void *)early, 1.5, 1.0), 3.0);
  expect(__enzyme_fwddiff((void *)early, 3.0, 1.0), 27.0);

  double x = 0.7;
  expect(__enzyme_fwddiff((void *)by_integer, x, 1.0, 0), 1.0);
  expect(__enzyme_fwddiff((void *)by_integer, x, 1.0, 1), cos(x));
  expect(__enzyme_fwddiff((void *)by_integer, x, 1.0, 2), 2 * x);
  expect(__enzyme_fwddiff((void *)by_integer, x, 1.0, 3), 2 * sin(x) * cos(x));
  return result_of_test();
}
