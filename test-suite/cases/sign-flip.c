// like EnzymeAD/Enzyme#2679
// Signs that are flipped, cleared and copied on the bit pattern, one number at a time and in vectors.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"
#include <stdint.h>
#include <string.h>

typedef double Vector __attribute__((vector_size(16)));
typedef uint64_t Bits __attribute__((vector_size(16)));

double __enzyme_fwddiff(void *, ...);

static double flip(double v) {
  uint64_t b;
  memcpy(&b, &v, 8);
  b ^= 0x8000000000000000ull;
  memcpy(&v, &b, 8);
  return v;
}

static double f(double x, double y) { return flip(x) * y + flip(flip(x)); }

static double magnitude(double x, double y) {
  uint64_t b;
  memcpy(&b, &x, 8);
  b &= 0x7fffffffffffffffull;
  memcpy(&x, &b, 8);
  return x * y;
}

static double negative(double x, double y) {
  uint64_t b;
  memcpy(&b, &x, 8);
  b |= 0x8000000000000000ull;
  memcpy(&x, &b, 8);
  return x * y;
}

static double flip_both(double x, double y) {
  Vector v = {x, y};
  v = (Vector)((Bits)v ^ (Bits){0x8000000000000000ull, 0x8000000000000000ull});
  return v[0] * v[1] + v[0];
}

// Along (1, 0), (0, 1), (2, 0) and (0, -1).
#define OF_TWO(f)                                                                                                      \
  __enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, 1.0, 0.0, 2.0, 0.0, enzyme_dup, y, 0.0, 1.0, 0.0, -1.0)

static void expect_two(Four got, double dx, double dy) {
  expect(got.at[0], dx);
  expect(got.at[1], dy);
  expect(got.at[2], 2 * dx);
  expect(got.at[3], -dy);
}

int main(void) {
  double at[] = {-2.5, 0.75, 3};
  for (int i = 0; i < 3; i++) {
    double x = at[i], y = 1.25, sign = x < 0 ? -1 : 1;
    expect(__enzyme_fwddiff((void *)f, x, 1.0, y, 0.0), 1 - y);
    expect(__enzyme_fwddiff((void *)f, x, 0.0, y, 1.0), -x);
    expect(__enzyme_fwddiff((void *)magnitude, x, 1.0, y, 0.0), sign * y);
    expect(__enzyme_fwddiff((void *)magnitude, x, 0.0, y, 1.0), sign * x);
    expect(__enzyme_fwddiff((void *)negative, x, 1.0, y, 0.0), -sign * y);
    expect(__enzyme_fwddiff((void *)flip_both, x, 1.0, y, 0.0), y - 1);
    expect(__enzyme_fwddiff((void *)flip_both, x, 0.0, y, 1.0), x);

    expect_two(OF_TWO(f), 1 - y, -x);
    expect_two(OF_TWO(magnitude), sign * y, sign * x);
    expect_two(OF_TWO(negative), -sign * y, -sign * x);
    expect_two(OF_TWO(flip_both), y - 1, x);

    expect_partials(f, x, y, 1 - y, -x);
    expect_partials(magnitude, x, y, sign * y, sign * x);
    expect_partials(negative, x, y, -sign * y, -sign * x);
    expect_partials(flip_both, x, y, y - 1, x);
  }
  return result_of_test();
}
