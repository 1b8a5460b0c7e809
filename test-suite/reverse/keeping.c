// The derivative is the same to the last bit whatever it keeps from the forward to the reverse sweep: what is cheapest, all
// that is read, or only what cannot be computed again.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O2 %s -o %t.cheapest -lm && %t.cheapest > %t.expected
// RUN: %clang %clangEnzyme -mllvm -enzyme-max-cache -O2 %s -o %t.most -lm && %t.most | diff %t.expected -
// RUN: %clang %clangEnzyme -mllvm -enzyme-min-cache -O2 %s -o %t.least -lm && %t.least | diff %t.expected -
// RUN: %clang %clangEnzyme -mllvm -enzyme-max-cache -O0 %s -o %t.most -lm && %t.most | diff %t.expected -
// RUN: %clang %clangEnzyme -mllvm -enzyme-min-cache -O0 %s -o %t.least -lm && %t.least | diff %t.expected -

#include "../Inputs/check.h"
#include <math.h>

// What is read from memory is overwritten later; what is made of it can be computed again from what was read.
static double f(double *x, int n) {
  double sum = 0;
  for (int round = 0; round < 3; round++)
    for (int i = 1; i < n; i++) {
      double angle = x[i] * x[i - 1];
      x[i] = sin(angle) * cos(angle);
      sum += x[i] * exp(x[i - 1]);
    }
  return sum;
}

double __enzyme_autodiff(void *, ...);

static double from(double *start, int n) {
  double x[4];
  for (int i = 0; i < n; i++)
    x[i] = start[i];
  return f(x, n);
}

int main(void) {
  double x[4] = {0.7, -0.4, 1.1, 0.3}, gradient[4] = {0};
  double start[4] = {0.7, -0.4, 1.1, 0.3};
  __enzyme_autodiff((void *)f, x, gradient, 4);
  for (int i = 0; i < 4; i++) {
    double step = 1e-5, at = start[i];
    start[i] = at + step;
    double above = from(start, 4);
    start[i] = at - step;
    double below = from(start, 4);
    start[i] = at;
    expect_near(gradient[i], (above - below) / (2 * step), 1e-8);
    printf("%a\n", gradient[i]);
  }
  return result_of_test();
}
