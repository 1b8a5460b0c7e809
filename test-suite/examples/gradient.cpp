// The gradient of a C++ function template. Run it with
//
//     cargo xtask run test-suite/examples/gradient.cpp

#include <array>
#include <cmath>
#include <cstdio>

// The potential of two charges at distance (x, y, z): a template, written in classes, as C++ is.
template <typename Number> struct Vector {
  Number x, y, z;
  Number norm() const { return std::sqrt(x * x + y * y + z * z); }
};

template <typename Number> Number potential(Number x, Number y, Number z) {
  return 1 / Vector<Number>{x, y, z}.norm();
}

// In C++ one declaration serves for every function: it is a template over what it takes and returns.
template <typename Result, typename... Arguments> Result __enzyme_autodiff(Arguments...);

int main() {
  auto gradient = __enzyme_autodiff<std::array<double, 3>>((void *)potential<double>, 1.0, 2.0, 2.0);

  std::printf("potential = %f\n", potential(1.0, 2.0, 2.0));
  std::printf("force     = (%f, %f, %f)\n", -gradient[0], -gradient[1], -gradient[2]);
}

// REQUIRES: clang
// RUN: %clang++ %clangEnzyme -O0 %s -o %t && %t | %FileCheck %s
// RUN: %clang++ %clangEnzyme -O2 %s -o %t && %t | %FileCheck %s

// CHECK: potential = 0.333333
// CHECK-NEXT: force     = (0.037037, 0.074074, 0.074074)
