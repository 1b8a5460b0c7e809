// The gradient through loops in loops: triangular, with bounds that change, with results carried across levels.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t
// RUN: %clang -g -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

static double triangles(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = 0; k <= j - i; k++) sum += x[i] * x[j] * x[k];
  return sum;
}

static double pairs(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += x[i] * x[j];
  return sum;
}

static double carried(double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) {
    double inner = r;
    for (int j = 0; j < i; j++) inner = sin(inner) * x[j] + r;
    r = 0.5 * r + inner;
    for (int j = n; j > i; j--) r -= 0.1 * inner * x[j - 1];
  }
  return r;
}

static double smoothed(double *x, int n) {
  for (int round = 0; round < 4; round++)
    for (int i = 1; i < n - 1; i++) x[i] = 0.5 * x[i] * x[i - 1] + 0.3 * x[i + 1] * x[i];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}

static double halvings(double *x, int n) {
  double sum = 0;
  for (int width = n; width > 0; width /= 2)
    for (int start = 0; start + width <= n; start += width) {
      double product = 1;
      for (int i = start; i < start + width; i++) product *= x[i];
      sum += product;
    }
  return sum;
}

separate static void d_triangles(double *x, double *dx, int n) { __enzyme_autodiff((void *)triangles, x, dx, n); }
separate static void d_pairs(double *x, double *dx, int n) { __enzyme_autodiff((void *)pairs, x, dx, n); }
separate static void d_carried(double *x, double *dx, int n) { __enzyme_autodiff((void *)carried, x, dx, n); }
separate static void d_smoothed(double *x, double *dx, int n) { __enzyme_autodiff((void *)smoothed, x, dx, n); }
separate static void d_halvings(double *x, double *dx, int n) { __enzyme_autodiff((void *)halvings, x, dx, n); }

int main(void) {
  expect_gradient(d_triangles, triangles);
  expect_gradient(d_pairs, pairs);
  expect_gradient(d_carried, carried);
  expect_gradient(d_smoothed, smoothed);
  expect_gradient(d_halvings, halvings);

  double x[SIZE], dx[SIZE] = {0}, sum = 0;
  memcpy(x, the_point, sizeof x);
  d_pairs(x, dx, SIZE);
  for (int i = 0; i < SIZE; i++) sum += x[i];
  for (int i = 0; i < SIZE; i++) expect(dx[i], 2 * sum);
  return result_of_test();
}
