// The gradient through loops: counted, conditional, over pointers, without an iteration; two directions at once.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

int enzyme_width, enzyme_dup;

void __enzyme_autodiff(void *, ...);

static double horner(double *x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) r = r * x[0] + x[i];
  return r;
}

static double geometric(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double term = fabs(x[i]) + 1;
    while (term > 0.1) {
      sum += term * term * x[i];
      term *= 0.6;
    }
  }
  return sum;
}

static double up_and_down(double *x, int n) {
  double r = 0;
  int i = 0;
  do {
    r = r * x[i] + 1;
    i += 2;
  } while (i < n);
  do {
    i--;
    r += x[i >= n ? n - 1 : i] * r;
  } while (i > 0);
  return r;
}

static double no_iteration(double *x, int n) {
  double r = x[0];
  for (int i = n; i < n; i++) r *= x[i];
  for (int i = 3; i < 3; i++) r += x[i];
  return r * r;
}

static double over_pointers(double *x, int n) {
  double r = 0;
  for (double *p = x, *end = x + n; p != end; ++p) r += *p * *p * *p;
  for (int i = n; i > 0; i -= 2) r *= 1 + 0.01 * x[i - 1];
  return r;
}

static double log_sum_exp(double *x, int n) {
  double largest = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > largest) largest = x[i];
  for (int i = 0; i < n; i++) sum += exp(x[i] - largest);
  return largest + log(sum);
}

static double square_root(double a) {
  double r = a;
  for (int i = 0; i < 50 && fabs(r * r - a) > 1e-13; i++) r = 0.5 * (r + a / r);
  return r;
}

static double newton(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += square_root(x[i] * x[i] + 1);
  return sum;
}

static float cubes(const float *x, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i] * x[i];
  return sum;
}

separate static void d_horner(double *x, double *dx, int n) { __enzyme_autodiff((void *)horner, x, dx, n); }
separate static void d_geometric(double *x, double *dx, int n) { __enzyme_autodiff((void *)geometric, x, dx, n); }
separate static void d_up_and_down(double *x, double *dx, int n) { __enzyme_autodiff((void *)up_and_down, x, dx, n); }
separate static void d_no_iteration(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)no_iteration, x, dx, n);
}
separate static void d_over_pointers(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)over_pointers, x, dx, n);
}
separate static void d_log_sum_exp(double *x, double *dx, int n) { __enzyme_autodiff((void *)log_sum_exp, x, dx, n); }
separate static void d_newton(double *x, double *dx, int n) { __enzyme_autodiff((void *)newton, x, dx, n); }

separate static void d_cubes(const float *x, float *dx, int n) { __enzyme_autodiff((void *)cubes, x, dx, n); }

separate static void two_horner(double *x, double *first, double *second, int n) {
  __enzyme_autodiff((void *)horner, enzyme_width, 2, enzyme_dup, x, first, second, n);
}

int main(void) {
  expect_gradient(d_horner, horner);
  expect_gradient(d_geometric, geometric);
  expect_gradient(d_up_and_down, up_and_down);
  expect_gradient(d_no_iteration, no_iteration);
  expect_gradient(d_over_pointers, over_pointers);
  expect_gradient(d_log_sum_exp, log_sum_exp);
  expect_gradient(d_newton, newton);

  double x[SIZE], softmax[SIZE] = {0}, sum = 0;
  memcpy(x, the_point, sizeof x);
  d_log_sum_exp(x, softmax, SIZE);
  for (int i = 0; i < SIZE; i++) sum += exp(x[i]);
  for (int i = 0; i < SIZE; i++) expect(softmax[i], exp(x[i]) / sum);

  double slopes[SIZE] = {0};
  d_newton(x, slopes, SIZE);
  for (int i = 0; i < SIZE; i++) expect(slopes[i], x[i] / sqrt(x[i] * x[i] + 1));

  float y[3] = {0.5f, -1.5f, 2}, dy[3] = {0, 0, 100};
  d_cubes(y, dy, 3); // adds to what is there
  expect_float(dy[0], 0.75);
  expect_float(dy[1], 6.75);
  expect_float(dy[2], 112);
  d_cubes(y, dy, 0);
  expect_float(dy[2], 112);

  double one[SIZE] = {0}, first[SIZE] = {0}, second[SIZE] = {1, 2, 3};
  d_horner(x, one, SIZE);
  two_horner(x, first, second, SIZE);
  for (int i = 0; i < SIZE; i++) {
    expect(first[i], one[i]);
    expect(second[i], one[i] + (i < 3 ? i + 1 : 0));
  }
  return result_of_test();
}
