// The gradient through variables of the program: tables, counters, and values that stay in memory across calls.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

static const double weights[3][2] = {{1, 2}, {3, 4}, {5, 6}};
static double sums[3];
static double last;
static int calls;

static double weighted(double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) r += weights[i % 3][i % 2] * x[i] * x[i];
  return r;
}

static double collected(double *x, int n) {
  for (int i = 0; i < 3; i++) sums[i] = 0;
  for (int i = 0; i < n; i++) sums[i % 3] += x[i] * x[i];
  double r = sums[0] * sums[1] + sums[2];
  sums[0] = sums[1] = sums[2] = 0;
  return r;
}

separate static void remember(double value) { last = value * last + value; }

static double remembered(double *x, int n) {
  last = 1;
  for (int i = 0; i < n; i++) remember(x[i]);
  double r = last;
  last = 0;
  return r;
}

static double counted(double *x, int n) {
  calls++;
  return n * x[0] * x[1];
}

separate static void d_weighted(double *x, double *dx, int n) { __enzyme_autodiff((void *)weighted, x, dx, n); }
separate static void d_collected(double *x, double *dx, int n) { __enzyme_autodiff((void *)collected, x, dx, n); }
separate static void d_remembered(double *x, double *dx, int n) { __enzyme_autodiff((void *)remembered, x, dx, n); }

separate static void d_counted(double *x, double *dx, int n) { __enzyme_autodiff((void *)counted, x, dx, n); }

int main(void) {
  expect_gradient(d_weighted, weighted);
  expect_gradient(d_collected, collected);
  expect_gradient(d_remembered, remembered);

  double x[2] = {2, 3}, dx[2] = {0};
  d_counted(x, dx, 4);
  expect(dx[0], 12);
  expect(dx[1], 8);
  expect(calls, 1);
  d_weighted(x, dx, 2); // x[0]^2 + 4 x[1]^2
  expect(dx[0], 12 + 4);
  expect(dx[1], 8 + 24);
  return result_of_test();
}
