// C++: references, templates, overloads, member functions, classes with constructors and operators.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

static double product(const double &x, double y) { return x * y * y; }

static void update(double &x) { x = x * x; }

template <typename Number> static Number power(Number x, int n) {
  Number r = 1;
  for (int i = 0; i < n; i++) r *= x;
  return r;
}

struct Complex {
  double re, im;
  Complex(double re, double im) : re(re), im(im) {}
  Complex operator*(const Complex &other) const {
    return Complex(re * other.re - im * other.im, re * other.im + im * other.re);
  }
  double norm() const { return re * re + im * im; }
};

static double norm_of_square(double x, double y) {
  Complex z(x, y);
  return (z * z).norm();
}

template <int N> struct Powers {
  static double of(double x) { return x * Powers<N - 1>::of(x); }
};
template <> struct Powers<0> {
  static double of(double) { return 1; }
};

namespace shapes {
struct Disc {
  double radius;
  double area() const { return 3 * radius * radius; }
};
static double area(const Disc *disc) { return disc->area(); }
} // namespace shapes

int main() {
  double x = 1.5, dx = 1, y = 2;
  expect(__enzyme_fwddiff((void *)product, &x, &dx, y, 10.0), y * y + 2 * x * y * 10);
  __enzyme_fwddiff((void *)update, &x, &dx);
  expect(x, 2.25);
  expect(dx, 3.0);

  double (*power_of_double)(double, int) = power<double>;
  expect(__enzyme_fwddiff((void *)power_of_double, 1.5, 1.0, 4), 4 * 1.5 * 1.5 * 1.5);
  expect(__enzyme_fwddiff((void *)Powers<5>::of, 1.1, 1.0), 5 * pow(1.1, 4));

  // |z^2|^2 = (x^2 + y^2)^2
  expect(__enzyme_fwddiff((void *)norm_of_square, 0.5, 1.0, 2.0, 0.0), 4 * 0.5 * (0.25 + 4));

  shapes::Disc disc{2}, tangent{1};
  expect(__enzyme_fwddiff((void *)shapes::area, &disc, &tangent), 12.0);
  return result_of_test();
}
