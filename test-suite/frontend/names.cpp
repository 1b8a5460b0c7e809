// C++: entry points with mangled names, as overloads, templates, in namespaces, and as static members.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

extern "C" double __enzyme_autodiff_in_c(void *, double);
double __enzyme_autodiff(double (*)(double), double);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(Arguments...);

namespace tool {
double __enzyme_fwddiff_inside(void *, double, double);
struct Derivative {
  static double __enzyme_autodiff_of(void *, double);
};
} // namespace tool

static double square(double x) { return x * x; }
static double product(double x, double y, double z) { return x * y * z; }

struct Gradient {
  double x, y, z;
};
Gradient __enzyme_autodiff_gradient(double (*)(double, double, double), double, double, double);

int main() {
  expect(__enzyme_autodiff_in_c((void *)square, 3.0), 6);
  expect(__enzyme_autodiff(square, 3.0), 6);
  expect(__enzyme_fwddiff<double>((void *)square, 3.0, 2.0), 12);
  expect(__enzyme_fwddiff<double>(square, 3.0, 2.0), 12);
  expect(tool::__enzyme_fwddiff_inside((void *)square, 3.0, 2.0), 12);
  expect(tool::Derivative::__enzyme_autodiff_of((void *)square, 3.0), 6);
  Gradient gradient = __enzyme_autodiff_gradient(product, 2, 3, 5);
  expect(gradient.x, 15);
  expect(gradient.y, 10);
  expect(gradient.z, 6);
  return result_of_test();
}
