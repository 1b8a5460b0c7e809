// The gradient of straight-line code: one argument, several, arguments that are not used, libm.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { double x, y; } Two;
typedef struct { double x, y, z; } Three;

double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
Three __enzyme_autodiff_three(void *, ...);

static double polynomial(double x) { return 3 * x * x * x - 2 * x + 7; }
static double quotient(double x, double y) { return (x - y) / (x + y); }
static double product(double x, double y, double z) { return x * y * z; }
static double composed(double x, double y) { return exp(sin(x * y)) * log(x) + sqrt(x * x + y); }
static double unused(double x, double y) { return 2 * y; }
static double identity(double x) { return x; }
static double constant(double x) { return 4; }
static double many_uses(double x) {
  double a = x * x, b = a * x, c = a * b + b;
  return a + b * c - c / a;
}

int main(void) {
  for (int i = 1; i <= 8; i++) {
    double x = 0.3 * i, y = 1.5, z = -0.75, s = x + y;
    expect(__enzyme_autodiff((void *)polynomial, x), 9 * x * x - 2);

    Two two = __enzyme_autodiff_two((void *)quotient, x, y);
    expect(two.x, 2 * y / (s * s));
    expect(two.y, -2 * x / (s * s));

    Three three = __enzyme_autodiff_three((void *)product, x, y, z);
    expect(three.x, y * z);
    expect(three.y, x * z);
    expect(three.z, x * y);

    two = __enzyme_autodiff_two((void *)composed, x, y);
    double e = exp(sin(x * y)), root = sqrt(x * x + y);
    expect(two.x, e * cos(x * y) * y * log(x) + e / x + x / root);
    expect(two.y, e * cos(x * y) * x * log(x) + 0.5 / root);

    two = __enzyme_autodiff_two((void *)unused, x, y);
    expect(two.x, 0);
    expect(two.y, 2);
    expect(__enzyme_autodiff((void *)identity, x), 1);
    expect(__enzyme_autodiff((void *)constant, x), 0);
    // x^2 + x^8 + x^6 - x^3 - x
    expect(__enzyme_autodiff((void *)many_uses, x),
           2 * x + 8 * pow(x, 7) + 6 * pow(x, 5) - 3 * x * x - 1);
  }
  return result_of_test();
}
