// Functions that return a struct too large for registers: a pointer to the adjoint of the result comes first.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <array>

int enzyme_dup, enzyme_const, enzyme_const_return, enzyme_width;

template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);

using Three = std::array<double, 3>;

static Three powers(double x) { return {x, x * x, x * x * x}; }

static Three products(double x, double y, double z) { return {x * y, y * z, x * z}; }

static Three squares(const double *x) { return {x[0] * x[0], x[1] * x[1], x[0] * x[1]}; }

struct Wide {
  double x[2];
};

int main() {
  double x = 1.3, y = 0.7, z = -2.5;
  Three adjoint = {1, 10, 100};
  expect(__enzyme_autodiff<double>((void *)powers, &adjoint, x), 1 + 20 * x + 300 * x * x);
  for (double remaining : adjoint) expect(remaining, 0);

  // The gradient is such a struct, too.
  adjoint = {1, 10, 100};
  Three gradient = __enzyme_autodiff<Three>((void *)products, &adjoint, x, y, z);
  expect(gradient[0], y + 100 * z);
  expect(gradient[1], x + 10 * z);
  expect(gradient[2], 10 * y + 100 * x);

  adjoint = {1, 10, 100};
  double point[2] = {x, y}, shadow[2] = {0, 0};
  __enzyme_autodiff<void>((void *)squares, &adjoint, enzyme_dup, point, shadow);
  expect(shadow[0], 2 * x + 100 * y);
  expect(shadow[1], 20 * y + 100 * x);

  // The result too, where both are given.
  Three result = {0, 0, 0};
  adjoint = {1, 10, 100};
  expect(__enzyme_autodiff<double>((void *)powers, enzyme_dup, &result, &adjoint, x), 1 + 20 * x + 300 * x * x);
  expect(result[0], x);
  expect(result[2], x * x * x);

  expect(__enzyme_autodiff<double>((void *)powers, enzyme_const_return, x), 0);

  Three first = {1, 0, 0}, second = {0, 0, 1};
  Wide wide = __enzyme_autodiff<Wide>((void *)powers, enzyme_width, 2, &first, &second, x);
  expect(wide.x[0], 1);
  expect(wide.x[1], 3 * x * x);
  return result_of_test();
}
