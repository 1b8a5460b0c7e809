// C++: functions of <cmath> by their overloaded names, std::array, std::swap, std::max, std::complex.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

static double mathematics(double x) { return std::sin(x) * std::pow(x, 3) + std::hypot(x, 1.0) + std::cbrt(x); }

static double arrays(double x, double y) {
  std::array<double, 4> at{x, y, x * y, 1};
  std::swap(at[0], at[2]);
  double r = 0;
  for (auto value : at) r += value * at[0];
  return std::max(r, 0.0);
}

static double complex_square(double x, double y) {
  std::complex<double> z(x, y);
  z *= z;
  return z.real() + 2 * z.imag();
}

int main() {
  double x = 1.4, y = 0.3;
  expect(__enzyme_fwddiff((void *)mathematics, x, 1.0),
         cos(x) * x * x * x + sin(x) * 3 * x * x + x / hypot(x, 1) + 1 / (3 * cbrt(x) * cbrt(x)));
  // (x y + y + x + 1) x y
  expect(__enzyme_fwddiff((void *)arrays, x, 1.0, y, 0.0), (y + 1) * x * y + (x + 1) * (y + 1) * y);
  expect(__enzyme_fwddiff((void *)complex_square, x, 1.0, y, 0.0), 2 * x + 4 * y);
  expect(__enzyme_fwddiff((void *)complex_square, x, 0.0, y, 1.0), -2 * y + 4 * x);
  return result_of_test();
}
