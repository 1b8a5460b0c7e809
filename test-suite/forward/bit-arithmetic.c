// Integer arithmetic on the bits of a float that is arithmetic on the float: signs and powers of two.

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
typedef struct { double at[4]; } Four;
double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
Four __enzyme_fwddiff_four(void *, ...);

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

// x with the sign of x times y.
static double signed_like_product(double x, double y) { return float_of(bits_of(x) ^ (bits_of(y) & SIGN)); }

// |x| with the sign of y.
static double take_sign(double x, double y) {
  return float_of((bits_of(x) & ~SIGN) | (bits_of(y) & SIGN));
}

static double make_negative(double x) { return float_of(bits_of(x) | SIGN); }

// Negates the value at p where it lies, as an integer.
typedef uint64_t __attribute__((may_alias)) Bits;
__attribute__((noinline)) static void negate(Bits *p, int odd) { *p ^= (Bits)odd << 63; }
static double in_memory(double x, int odd) {
  double square = x * x;
  negate((Bits *)&square, odd);
  return square;
}

static double times_eight(double x) { return float_of(bits_of(x) + (3ull << 52)); }
#if __clang_major__ >= 16
static double over_power(double x, int n) { return float_of(bits_of(x) - ((uint64_t)n << 52)); }
#endif
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

int main(void) {
  for (int i = -3; i <= 3; i += 2) {
    double x = 0.75 * i, y = -1.25 * i * i * i, s = copysign(1, x), t = copysign(1, y);
    expect(__enzyme_fwddiff((void *)signed_like_product, x, 3.0, y, 7.0), 3 * t);
    expect(__enzyme_fwddiff((void *)take_sign, x, 3.0, y, 7.0), 3 * s * t);
    expect(__enzyme_fwddiff((void *)make_negative, x, 3.0), -3 * s);
    expect(__enzyme_fwddiff((void *)in_memory, x, 1.0, 1), -2 * x);
    expect(__enzyme_fwddiff((void *)in_memory, x, 1.0, 0), 2 * x);
    expect(__enzyme_fwddiff((void *)times_eight, x, 3.0), 24);
#if __clang_major__ >= 16
    // LLVM 15 brings it into another form, which is refused.
    expect(__enzyme_fwddiff((void *)over_power, x, 3.0, 4), 3.0 / 16);
#endif
    expect_float(__enzyme_fwddiff_float((void *)float_times_four, (float)x, 1.0f), 32 * x);
    expect(__enzyme_fwddiff((void *)logarithm, fabs(x), 1.0), 1 / fabs(x));
  }
  Four d = __enzyme_fwddiff_four((void *)take_sign, enzyme_width, 4, -2.0, 1.0, 2.0, 3.0, 4.0, 5.0, 1.0, 1.0, 1.0, 1.0);
  for (int i = 0; i < 4; i++) expect(d.at[i], -1 - i);
  d = __enzyme_fwddiff_four((void *)times_eight, enzyme_width, 4, -2.0, 1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) expect(d.at[i], 8 * (1 + i));
  return result_of_test();
}
