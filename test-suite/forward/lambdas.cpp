// C++: lambdas, as function pointers where they capture nothing, and called inside where they do.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

template <typename Function> static double twice(Function function, double x) { return function(function(x)); }

static double captures(double x, double offset) {
  auto shifted = [&](double y) { return y * y + offset * x; };
  return twice(shifted, x);
}

static double counts(double x, int n) {
  double total = 0;
  auto add = [&total](double term) { total += term; };
  for (int i = 0; i < n; i++) add(i * x * x);
  return total;
}

int main() {
  double (*cube)(double) = +[](double x) { return x * x * x; };
  expect(__enzyme_fwddiff((void *)cube, 2.0, 1.0), 12.0);
  expect(__enzyme_fwddiff((void *)(double (*)(double))[](double x) { return sin(x); }, 2.0, 1.0), cos(2.0));

  // (x^2 + a x)^2 + a x
  double x = 1.3, a = 0.4, inner = x * x + a * x;
  expect(__enzyme_fwddiff((void *)captures, x, 1.0, a, 0.0), 2 * inner * (2 * x + a) + a);
  expect(__enzyme_fwddiff((void *)captures, x, 0.0, a, 1.0), 2 * inner * x + x);
  expect(__enzyme_fwddiff((void *)counts, x, 1.0, 4), 12 * x);
  return result_of_test();
}
