// C++: a virtual function whose object is made inside, so that the compiler knows which one is called.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

struct Shape {
  virtual double area() const = 0;
};
struct Disc final : Shape {
  double radius;
  explicit Disc(double radius) : radius(radius) {}
  double area() const override { return 3.0 * radius * radius; }
};

static double cost(double radius) {
  Disc disc(radius);
  return disc.area() * disc.area();
}

int main() {
  expect(__enzyme_fwddiff((void *)cost, 1.5, 1.0), 36 * 1.5 * 1.5 * 1.5);
  return result_of_test();
}
