// float, double, long double and _Float16; a float comes as a double where C has no prototype for the call.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
float __enzyme_autodiff_unprototyped();
float __enzyme_autodiff_float(void *, float);
long double __enzyme_autodiff_long_double(void *, long double);
_Float16 __enzyme_autodiff_half(void *, _Float16);

static float in_float(float x) { return sinf(x) * x + powf(x, 3); }
static double in_double(double x) { return sin(x) * x + pow(x, 3); }
static long double in_long_double(long double x) { return sinl(x) * x + powl(x, 3); }
static _Float16 in_half(_Float16 x) { return x * x * x; }

static double widened(float x) { return (double)x * x; }
static float narrowed(double x) { return (float)(x * x) * 3; }
static double through_integer(double x) { return (int)x * x; }

int main(void) {
  double wanted = cos(1.5) * 1.5 + sin(1.5) + 3 * 1.5 * 1.5;
  expect_float(__enzyme_autodiff_float((void *)in_float, 1.5f), wanted);
  expect_float(__enzyme_autodiff((void *)in_float, 1.5f), wanted);
  expect(__enzyme_autodiff((void *)in_double, 1.5), wanted);
  expect(__enzyme_autodiff((void *)in_double, 1.5f), wanted);
  long double error = __enzyme_autodiff_long_double((void *)in_long_double, 1.5L) -
                      (cosl(1.5L) * 1.5L + sinl(1.5L) + 6.75L);
  expect_near((double)(error < 0 ? -error : error), 0.0, 1e-17);
  expect_near((double)__enzyme_autodiff_half((void *)in_half, (_Float16)1.5f), 6.75, 1e-2);

  expect(__enzyme_autodiff((void *)widened, 1.5f), 3);
  expect(__enzyme_autodiff((void *)narrowed, 1.5), 9);
  expect(__enzyme_autodiff((void *)through_integer, 3.75), 3);
  return result_of_test();
}
