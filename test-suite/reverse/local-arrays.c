// The gradient through arrays of the frame: of fixed and of variable length, of two dimensions, in loops.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

static double variable_length(double *x, int n) {
  double sum = 0;
  for (int length = 1; length <= n; length++) {
    double products[length];
    for (int i = 0; i < length; i++) products[i] = x[i] * x[length - 1];
    for (int i = 0; i < length; i++) sum += products[i] * products[length - 1 - i];
  }
  return sum;
}

static double matrix_power(double *x, int n) {
  double a[3][3], b[3][3], c[3][3], trace = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      a[i][j] = x[(i + j) % n];
      b[i][j] = 0.5 * x[(2 * i + j) % n];
    }
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double sum = 0;
        for (int k = 0; k < 3; k++) sum += a[i][k] * b[k][j];
        c[i][j] = sum;
      }
    memcpy(a, c, sizeof a);
  }
  for (int i = 0; i < 3; i++) trace += a[i][i];
  return trace;
}

static double in_each_iteration(double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) {
    double pair[2] = {r, x[i]};
    pair[i % 2] *= pair[1];
    pair[1] += sin(pair[0]);
    r = pair[0] * 0.5 + pair[1];
  }
  return r;
}

static double dynamic(double *x, int n) {
  double table[SIZE + 1] = {1};
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j > 0; j--) table[j] += table[j - 1] * x[i];
  return table[3] + 0.1 * table[n / 2] * table[1];
}

separate static void d_variable_length(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)variable_length, x, dx, n);
}
separate static void d_matrix_power(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)matrix_power, x, dx, n);
}
separate static void d_in_each_iteration(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)in_each_iteration, x, dx, n);
}
separate static void d_dynamic(double *x, double *dx, int n) { __enzyme_autodiff((void *)dynamic, x, dx, n); }

int main(void) {
  expect_gradient(d_variable_length, variable_length);
  expect_gradient(d_matrix_power, matrix_power);
  expect_gradient(d_in_each_iteration, in_each_iteration);
  expect_gradient(d_dynamic, dynamic);
  return result_of_test();
}
