// A function can be said to be like one of the library, whatever its body looks like.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O1 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O3 %s -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// The bits of a float, which nobody could differentiate.
static double my_log1p(double x) {
  union {
    double d;
    unsigned long long u;
  } bits = {x};
  bits.u = bits.u * 3 / 3;
  return log1p(bits.d);
}
void *__enzyme_function_like_my_log1p[] = {(void *)my_log1p, "log1p"};

__attribute__((annotate("enzyme_function_like=sin"))) static double my_sine(double x) { return 0; }

static double my_split(double x, int *exponent) { return frexp(x, exponent); }
void *__enzyme_function_like_my_split[] = {(void *)my_split, "frexp"};

static double f(double x) { return 3 * my_log1p(x); }
static double g(double x) { return x * my_sine(x); }
static double h(double x) {
  int exponent;
  double mantissa = my_split(x, &exponent);
  return mantissa * exponent;
}

int main(void) {
  expect(__enzyme_fwddiff((void *)f, 0.5, 1.0), 2.0);
  expect(__enzyme_autodiff((void *)f, 0.5), 2.0);
  // The function returns 0, and its derivative is the cosine.
  expect(__enzyme_fwddiff((void *)g, 0.5, 1.0), 0.5 * cos(0.5));
  expect(__enzyme_autodiff((void *)g, 0.5), 0.5 * cos(0.5));
  // 12 = 0.75 * 2^4
  expect(__enzyme_fwddiff((void *)h, 12.0, 1.0), 4.0 / 16.0);
  expect(__enzyme_fwddiff((void *)my_log1p, 1.0, 1.0), 0.5);
  return result_of_test();
}
