// C++: templates, operators, lambdas and namespaces; the gradient in a struct with a constructor, or a std::array.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <array>
#include <cmath>

template <typename Result, typename... Arguments> Result __enzyme_autodiff(Arguments...);

struct Gradient {
  double x = 0, y = 0;
};

template <typename Number> static Number smooth(Number x, Number y) { return std::exp(-x * x) * y; }

struct Complex {
  double re, im;
  Complex operator*(const Complex &other) const {
    return {re * other.re - im * other.im, re * other.im + im * other.re};
  }
};

static double imaginary_part(double x, double y) {
  Complex z{x, y};
  return (z * z).im;
}

int main() {
  double x = 0.6, y = 1.5;
  auto function = smooth<double>;
  Gradient gradient = __enzyme_autodiff<Gradient>((void *)function, x, y);
  expect(gradient.x, -2 * x * std::exp(-x * x) * y);
  expect(gradient.y, std::exp(-x * x));

  std::array<double, 2> both = __enzyme_autodiff<std::array<double, 2>>((void *)imaginary_part, x, y);
  expect(both[0], 2 * y);
  expect(both[1], 2 * x);

  double (*cube)(double) = [](double x) { return x * x * x; };
  expect(__enzyme_autodiff<double>((void *)cube, x), 3 * x * x);
  return result_of_test();
}
