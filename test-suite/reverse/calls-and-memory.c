// The gradient through calls of functions that read and write memory.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

separate static void step(const double *from, double *to, int n, double h) {
  for (int i = 0; i < n; i++) to[i] = from[i] + h * sin(from[(i + 1) % n]) * from[i];
}

static double integrated(double *x, int n) {
  double a[SIZE], b[SIZE], sum = 0;
  for (int i = 0; i < n; i++) a[i] = x[i];
  for (int t = 0; t < 5; t++) {
    step(a, b, n, 0.1);
    step(b, a, n, 0.1 * t);
  }
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sum;
}

separate static void scale(double *x, int n, double factor) {
  for (int i = 0; i < n; i++) x[i] *= factor;
}

separate static double norm(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sqrt(sum);
}

static double normalized(double *x, int n) {
  scale(x, n, 1 / norm(x, n));
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * x[i];
  return sum;
}

separate static void extremes(const double *x, int n, double *least, double *largest) {
  *least = *largest = x[0];
  for (int i = 1; i < n; i++) {
    if (x[i] < *least) *least = x[i];
    if (x[i] > *largest) *largest = x[i];
  }
}

static double through_results(double *x, int n) {
  double least, largest, sum = 0;
  extremes(x, n, &least, &largest);
  for (int i = 0; i < n; i++) {
    double share = (x[i] - least) / (largest - least);
    sum += share * share;
  }
  return sum;
}

static double under_conditions(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) scale(x + i, 1, x[0]);
    if (i % 2) sum += norm(x, i);
  }
  return sum;
}

separate static void d_integrated(double *x, double *dx, int n) { __enzyme_autodiff((void *)integrated, x, dx, n); }
separate static void d_normalized(double *x, double *dx, int n) { __enzyme_autodiff((void *)normalized, x, dx, n); }
separate static void d_through_results(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)through_results, x, dx, n);
}
separate static void d_under_conditions(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)under_conditions, x, dx, n);
}

int main(void) {
  expect_gradient(d_integrated, integrated);
  expect_gradient(d_normalized, normalized);
  expect_gradient(d_through_results, through_results);
  expect_gradient(d_under_conditions, under_conditions);

  double x[3] = {2, 3, 6}, dx[3] = {0}, weighted = 2 + 2 * 3 + 3 * 6;
  d_normalized(x, dx, 3); // ((1, 2, 3) · x) / |x|, |x| = 7
  double at[3] = {2, 3, 6};
  for (int i = 0; i < 3; i++) expect(dx[i], (i + 1) / 7.0 - weighted * at[i] / 343);
  return result_of_test();
}
