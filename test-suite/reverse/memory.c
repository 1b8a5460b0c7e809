// The gradient through memory that is overwritten: adjoints move with the values; seeds in shadows; two directions.

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

static double overwritten(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double old = x[i];
    x[i] = sin(old) * x[0];
    sum += old * x[i];
  }
  x[1] = 3;
  return sum * x[1] * x[2];
}

static double running_sums(double *x, int n) {
  for (int i = 1; i < n; i++) x[i] += x[i - 1];
  return x[n - 1] * x[n / 2];
}

static double swapped(double *x, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    double old = x[i];
    x[i] = x[j];
    x[j] = old;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += i * x[i] * x[i];
  return sum;
}

static double by_index(double *x, int n) {
  static const int order[SIZE] = {3, 3, 0, 6, 1, 3, 2};
  for (int i = 0; i < n; i++) x[order[i]] = x[order[i]] * x[i] + x[order[n - 1 - i]];
  return x[3] + x[0] * x[6];
}

// Without a result: the shadow of `x` holds the adjoints of what is left there, then those of what was there.
static void squared(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = x[i] * x[i];
}

static void written(double *out, const double *x, int n) {
  for (int i = 0; i < n; i++) out[i] = x[i] * x[n - 1 - i];
}

separate static void d_overwritten(double *x, double *dx, int n) { __enzyme_autodiff((void *)overwritten, x, dx, n); }
separate static void d_running_sums(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)running_sums, x, dx, n);
}
separate static void d_swapped(double *x, double *dx, int n) { __enzyme_autodiff((void *)swapped, x, dx, n); }
separate static void d_by_index(double *x, double *dx, int n) { __enzyme_autodiff((void *)by_index, x, dx, n); }

separate static void d_squared(double *x, double *dx, int n) { __enzyme_autodiff((void *)squared, x, dx, n); }

separate static void two_squared(double *x, double *first, double *second, int n) {
  __enzyme_autodiff((void *)squared, enzyme_width, 2, enzyme_dup, x, first, second, n);
}

separate static void d_written(double *out, double *d_out, double *x, double *dx, int n) {
  __enzyme_autodiff((void *)written, out, d_out, x, dx, n);
}

int main(void) {
  expect_gradient(d_overwritten, overwritten);
  expect_gradient(d_running_sums, running_sums);
  expect_gradient(d_swapped, swapped);
  expect_gradient(d_by_index, by_index);

  double x[3] = {2, 3, -1}, dx[3] = {1, 10, 100};
  d_squared(x, dx, 3);
  expect(x[1], 9);
  expect(dx[0], 4);
  expect(dx[1], 60);
  expect(dx[2], -200);

  double y[3] = {2, 3, -1}, first[3] = {1, 10, 100}, second[3] = {0, 1, -1};
  two_squared(y, first, second, 3);
  expect(y[2], 1);
  expect(first[0], 4);
  expect(first[1], 60);
  expect(first[2], -200);
  expect(second[0], 0);
  expect(second[1], 6);
  expect(second[2], 2);

  double z[3] = {2, 3, 5}, dz[3] = {0}, out[3], d_out[3] = {1, 10, 100};
  d_written(out, d_out, z, dz, 3);
  expect(out[0], 10);
  expect(out[1], 9);
  expect(dz[0], 505);
  expect(dz[1], 60);
  expect(dz[2], 202);
  for (int i = 0; i < 3; i++) expect(d_out[i], 0); // what was there before is gone, and its adjoint with it
  return result_of_test();
}
