// The gradient through the compiler's vector types.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { double x, y; } Two;

Two __enzyme_autodiff_two(void *, double, double);

typedef double Vector __attribute__((vector_size(32)));

static double dot(double x, double y) {
  Vector a = {x, y, x * y, 1}, b = {1, 2, 3, 4};
  Vector product = a * b + a;
  return product[0] + product[1] + product[2] + product[3];
}

static double shuffled(double x, double y) {
  Vector a = {x, y, 2 * x, 2 * y};
  Vector reversed = {a[3], a[2], a[1], a[0]};
  Vector product = a / reversed;
  return product[0] * product[0] + product[1];
}

int main(void) {
  double x = 0.6, y = 1.75;
  Two two = __enzyme_autodiff_two((void *)dot, x, y);
  expect(two.x, 2 + 4 * y);
  expect(two.y, 3 + 4 * x);
  // (x / 2 y)^2 + y / 2 x
  two = __enzyme_autodiff_two((void *)shuffled, x, y);
  expect(two.x, x / (2 * y * y) - y / (2 * x * x));
  expect(two.y, -x * x / (2 * y * y * y) + 1 / (2 * x));
  return result_of_test();
}
