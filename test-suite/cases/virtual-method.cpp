// like EnzymeAD/Enzyme#1455
// A virtual method of an object that is made inside by its ordinary constructor.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, double, double);

struct shape {
  virtual double area() const = 0;
};
struct disc : shape {
  double r;
  explicit disc(double r) : r(r) {}
  double area() const override { return 3.0 * r * r; }
};
static double cost(const shape &s) { return s.area() * s.area(); }
static double f(double r) {
  disc d(r);
  return cost(d);
}

int main() {
  for (double r = 0; r < 3; r += 0.5) {
    expect(__enzyme_fwddiff((void *)f, r, 1.0), 36 * r * r * r);
    expect_multiples(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, r, MULTIPLES), 36 * r * r * r);
    expect_derivatives(36 * r * r * r, f, r);
  }
  return result_of_test();
}
