// The compiler's vector types: element by element, inserted, extracted, shuffled, chosen by a mask.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

typedef double Vector __attribute__((vector_size(32)));
typedef long long Mask __attribute__((vector_size(32)));
typedef float Floats __attribute__((vector_size(16)));

static double dot(double x, double y) {
  Vector a = {x, y, x * y, 1}, b = {1, 2, 3, 4};
  Vector product = a * b + a;
  return product[0] + product[1] + product[2] + product[3];
}

static double shuffled(double x, double y) {
  Vector a = {x, y, 2 * x, 2 * y};
  Vector reversed = {a[3], a[2], a[1], a[0]};
  Vector product = a * reversed;
  return product[0] * product[1];
}

static double chosen(double x, double y) {
  Vector a = {x, y, x, y}, b = {1, 1, 1, 1};
  Mask less = a < b;
  Vector r = (Vector)((less & (Mask)(a * a)) | (~less & (Mask)(a * 3)));
  return r[0] + r[1];
}

static double by_index(double x, int n) {
  Vector a = {x, x * x, sin(x), 7};
  double r = 0;
  for (int i = 0; i < n; i++) r += a[i & 3];
  return r;
}

static double floats(double x) {
  Floats a = {(float)x, 2, 3, 4};
  a /= 2.0f + a;
  return a[0] + a[1];
}

int main(void) {
  double x = 0.6, y = 1.75;
  // 2 x + 3 y + 4 x y + 5
  expect(__enzyme_fwddiff((void *)dot, x, 1.0, y, 0.0), 2 + 4 * y);
  expect(__enzyme_fwddiff((void *)dot, x, 0.0, y, 1.0), 3 + 4 * x);
  // (2 x y) (2 x y)
  expect(__enzyme_fwddiff((void *)shuffled, x, 1.0, y, 0.0), 8 * x * y * y);
  // x^2 + 3 y
  expect(__enzyme_fwddiff((void *)chosen, x, 1.0, y, 1.0), 2 * x + 3);
  expect(__enzyme_fwddiff((void *)by_index, x, 1.0, 3), 1 + 2 * x + cos(x));
  expect(__enzyme_fwddiff((void *)by_index, x, 1.0, 6), 2 * (1 + 2 * x) + cos(x));
  expect_float(__enzyme_fwddiff((void *)floats, x, 1.0), 2 / (2.6 * 2.6));
  return result_of_test();
}
