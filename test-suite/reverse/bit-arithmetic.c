// Integer arithmetic on the bits of a float that is arithmetic on the float: signs and powers of two, backwards.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdint.h>
#include <string.h>

extern int enzyme_width;
typedef struct { double x, y; } Two;
typedef struct { double x[2]; } Both;
double __enzyme_autodiff(void *, ...);
float __enzyme_autodiff_float(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
Both __enzyme_autodiff_both(void *, ...);

#define SIGN 0x8000000000000000ull
#define FRACTION 0x000fffffffffffffull

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  return bits;
}

static double float_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, 8);
  return x;
}

// |x| with the sign of y, squared and x-fold.
static double take_sign(double x, double y) {
  double with_sign = float_of((bits_of(x) & ~SIGN) | (bits_of(y) & SIGN));
  return with_sign * x * y;
}

static double make_negative(double x) { return exp(float_of(bits_of(x) | SIGN)); }

static double times_eight(double x) {
  double more = float_of(bits_of(x) + (3ull << 52));
  return more * more;
}

static float float_times_four(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  bits += 2u << 23;
  memcpy(&x, &bits, 4);
  return x * x;
}

// The logarithm, by the parts of x: a number from 1 to 2 and a power of two.
static double logarithm(double x) {
  uint64_t bits = bits_of(x);
  double m = float_of((bits & FRACTION) | 0x3ff0000000000000ull);
  return log(m) + (double)((int64_t)(bits >> 52) - 1023) * log(2);
}

// Every round halves what it adds: the powers of two differ.
static double series(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += sin(x);
    x = float_of(bits_of(x * x) + (1ull << 52));
  }
  return sum;
}

static double series_derivative(double x, int n) {
  double sum = 0, dx = 1;
  for (int i = 0; i < n; i++) {
    sum += cos(x) * dx;
    dx = 4 * x * dx;
    x = 2 * x * x;
  }
  return sum;
}

int main(void) {
  for (int i = -3; i <= 3; i += 2) {
    double x = 0.75 * i, y = -1.25 * i * i * i;
    Two d = __enzyme_autodiff_two((void *)take_sign, x, y);
    expect(d.x, 2 * fabs(x) * y * copysign(1, y));
    expect(d.y, fabs(x) * x * copysign(1, y));
    expect(__enzyme_autodiff((void *)make_negative, x), -exp(-fabs(x)) * copysign(1, x));
    expect(__enzyme_autodiff((void *)times_eight, x), 128 * x);
    expect_float(__enzyme_autodiff_float((void *)float_times_four, (float)x), 32 * x);
    expect(__enzyme_autodiff((void *)logarithm, fabs(x)), 1 / fabs(x));
  }
  expect(__enzyme_autodiff((void *)series, 0.4, 4), series_derivative(0.4, 4));
  Both both = __enzyme_autodiff_both((void *)times_eight, enzyme_width, 2, 1.5);
  for (int i = 0; i < 2; i++) expect(both.x[i], 192);
  return result_of_test();
}
