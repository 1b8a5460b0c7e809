// float, double and long double, and conversions between them and from and to integers.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

float __enzyme_fwddiff_float(void *, float, float);
double __enzyme_fwddiff_double(void *, double, double);
long double __enzyme_fwddiff_long_double(void *, long double, long double);
double __enzyme_fwddiff_widened(void *, float, float);
float __enzyme_fwddiff_narrowed(void *, double, double);

static float in_float(float x) { return sinf(x) * x + powf(x, 3); }
static double in_double(double x) { return sin(x) * x + pow(x, 3); }
static long double in_long_double(long double x) { return sinl(x) * x + powl(x, 3); }

static double widened(float x) { return (double)x * x; }
static float narrowed(double x) { return (float)(x * x) * 3; }
static double through_all(double x) { return (double)(float)(long double)x * 2; }
static double through_integer(double x) { return (int)x * x; }
static double from_integer(double x) {
  double r = 0;
  for (unsigned char i = 0; i < 4; i++) r += (float)i * x;
  return r;
}

int main(void) {
  double wanted = cos(1.5) * 1.5 + sin(1.5) + 3 * 1.5 * 1.5;
  expect_float(__enzyme_fwddiff_float((void *)in_float, 1.5f, 1.0f), wanted);
  expect(__enzyme_fwddiff_double((void *)in_double, 1.5, 1.0), wanted);
  long double precise = __enzyme_fwddiff_long_double((void *)in_long_double, 1.5L, 1.0L);
  long double error = precise - (cosl(1.5L) * 1.5L + sinl(1.5L) + 6.75L);
  expect_near((double)(error < 0 ? -error : error), 0.0, 1e-17);

  expect(__enzyme_fwddiff_widened((void *)widened, 1.5f, 1.0f), 3.0);
  expect_float(__enzyme_fwddiff_narrowed((void *)narrowed, 1.5, 1.0), 9.0);
  expect(__enzyme_fwddiff_double((void *)through_all, 1.5, 1.0), 2.0);
  expect(__enzyme_fwddiff_double((void *)through_integer, 3.75, 1.0), 3.0);
  expect(__enzyme_fwddiff_double((void *)from_integer, 1.5, 1.0), 6.0);
  return result_of_test();
}
