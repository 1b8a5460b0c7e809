// Straight-line code: arithmetic and functions of the C library, one direction at a time.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double polynomial(double x) { return 3 * x * x * x - 2 * x + 7; }

static double quotient(double x, double y) { return (x - y) / (x + y); }

static double composed(double x) { return exp(sin(x)) * log(x) + sqrt(x * x + 1); }

static double unused(double x, double y) { return 2 * x; }

int main(void) {
  for (int i = 1; i <= 8; i++) {
    double x = 0.3 * i, y = 1.5, s = x + y;
    expect(__enzyme_fwddiff((void *)polynomial, x, 1.0), 9 * x * x - 2);
    expect(__enzyme_fwddiff((void *)polynomial, x, -2.5), -2.5 * (9 * x * x - 2));
    expect(__enzyme_fwddiff((void *)quotient, x, 1.0, y, 0.0), 2 * y / (s * s));
    expect(__enzyme_fwddiff((void *)quotient, x, 0.0, y, 1.0), -2 * x / (s * s));
    expect(__enzyme_fwddiff((void *)quotient, x, 2.0, y, 3.0), (4 * y - 6 * x) / (s * s));
    expect(__enzyme_fwddiff((void *)composed, x, 1.0),
           exp(sin(x)) * (cos(x) * log(x) + 1 / x) + x / sqrt(x * x + 1));
    expect(__enzyme_fwddiff((void *)unused, x, 0.0, y, 1.0), 0.0);
  }
  return result_of_test();
}
