// The gradient through functions that call themselves and each other, with memory and loops inside.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

separate static double sequence(double *x, int k) {
  if (k < 2) return x[k] * x[k];
  return sequence(x, k - 1) * 0.5 + sequence(x, k - 2) * x[k % 3];
}

static void odd(double *x, int n, double *r);

separate static void even(double *x, int n, double *r) {
  if (n <= 0) return;
  *r *= 1 + 0.1 * x[n - 1];
  odd(x, n - 1, r);
}

separate static void odd(double *x, int n, double *r) {
  if (n <= 0) return;
  *r += x[n - 1] * x[n - 1];
  even(x, n - 1, r);
}

static double each_other(double *x, int n) {
  double r = 1;
  even(x, n, &r);
  return r * r;
}

separate static double halves(double *x, int n) {
  if (n == 1) return x[0];
  int half = n / 2;
  double left = halves(x, half), right = halves(x + half, n - half);
  return left * right + left - 0.5 * right;
}

separate static void in_place(double *x, int n) {
  if (n < 2) return;
  for (int i = 0; i < n / 2; i++) {
    double a = x[i], b = x[n - 1 - i];
    x[i] = a * b;
    x[n - 1 - i] = a - b;
  }
  in_place(x, n / 2);
  in_place(x + n / 2, n - n / 2 - 1);
}

static double transformed(double *x, int n) {
  in_place(x, n);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * x[i];
  return sum;
}

separate static double with_memory(double *x, int n) {
  if (n == 0) return 1;
  double *copy = malloc(n * sizeof(double)), r = 0;
  for (int i = 0; i < n; i++) copy[i] = x[i] * x[n - 1];
  r = with_memory(copy, n - 1) + copy[n - 1];
  free(copy);
  return r;
}

static double deep(double *x, int n) { return with_memory(x, n < 4 ? n : 4); }

separate static void d_sequence(double *x, double *dx, int n) { __enzyme_autodiff((void *)sequence, x, dx, n); }
separate static void d_each_other(double *x, double *dx, int n) { __enzyme_autodiff((void *)each_other, x, dx, n); }
separate static void d_halves(double *x, double *dx, int n) { __enzyme_autodiff((void *)halves, x, dx, n); }
separate static void d_transformed(double *x, double *dx, int n) { __enzyme_autodiff((void *)transformed, x, dx, n); }
separate static void d_deep(double *x, double *dx, int n) { __enzyme_autodiff((void *)deep, x, dx, n); }

int main(void) {
  expect_gradient(d_sequence, sequence);
  expect_gradient(d_each_other, each_other);
  expect_gradient(d_halves, halves);
  expect_gradient(d_transformed, transformed);
  expect_gradient(d_deep, deep);

  double x[2] = {2, 3}, dx[2] = {0};
  d_halves(x, dx, 2); // x[0] x[1] + x[0] - x[1] / 2
  expect(dx[0], 4);
  expect(dx[1], 1.5);
  return result_of_test();
}
