// A call that is declared to return one number gets the first part of a gradient that has several, and zero for a gradient
// that is in memory; a warning says so. Where the adjoint of a result with several numbers is not given, it is one in each.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -g -O0 %s -lm -o %t 2>&1 | %FileCheck %s --implicit-check-not=warning:
// RUN: %t
// RUN: %clang %clangEnzyme -g -O2 %s -lm -o %t 2>&1 | %FileCheck %s --implicit-check-not=warning:
// RUN: %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);

typedef struct {
  double sine, cosine;
} Both;

static double product(double x, double y) { return x * y * y; }
static double squares(const double *x) { return x[0] * x[0] + x[1] * x[1]; }
static Both both(double x) { return (Both){sin(x), cos(x)}; }

int main(void) {
  // CHECK: warning: {{.*}}result-of-gradient.c:[[#@LINE+1]]:{{[0-9]+}}: in function main: this call of `__enzyme_autodiff` gives only the first part of the gradient of `product`, which is `{ double, double }`; declare it to return a struct of all parts
  expect(__enzyme_autodiff((void *)product, 2.0, 3.0), 9.0);

  double x[2] = {1.5, -0.5}, dx[2] = {0};
  // CHECK: warning: {{.*}}result-of-gradient.c:[[#@LINE+1]]:{{[0-9]+}}: in function main: the result of this call of `__enzyme_autodiff` is zero, because the gradient of `squares` is in memory; declare it to return nothing, too
  expect(__enzyme_autodiff((void *)squares, x, dx), 0.0);
  expect(dx[0], 3.0);
  expect(dx[1], -1.0);

  // A result that nobody uses needs no warning.
  __enzyme_autodiff((void *)squares, x, dx);
  expect(dx[0], 6.0);

  expect(__enzyme_autodiff((void *)both, 0.3), cos(0.3) - sin(0.3));
  return result_of_test();
}
