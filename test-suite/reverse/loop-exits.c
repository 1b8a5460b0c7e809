// The gradient through loops that end in more than one way: break, return, continue, an exit out of two loops.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

static double with_returns(double *x, int n) {
  double sum = 0;
  int i = 0;
  for (;;) {
    if (i >= n) break;
    sum += x[i] * x[i];
    if (sum > 5) return sum * sin(x[i]);
    if (x[i] < -100) goto out;
    i++;
  }
  sum = sum * sum;
out:
  return sum;
}

static double without_returns(double *x, int n) { return with_returns(x, n / 2); }

static double products_of_others(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == 1) continue;
    double product = 1;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      product *= x[j];
      if (fabs(product) > 1.5) break;
    }
    sum += product;
  }
  return sum;
}

static double out_of_two(double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      r += x[i] * x[j] * r;
      if (r > 20) goto done;
      if (r < -20) return r * x[j];
    }
  r *= r;
done:
  return r * x[0];
}

static double first_negative(double *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] < 0) return x[i] * x[i] * x[0];
  return 0;
}

separate static void d_with_returns(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)with_returns, x, dx, n);
}
separate static void d_without_returns(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)without_returns, x, dx, n);
}
separate static void d_products_of_others(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)products_of_others, x, dx, n);
}
separate static void d_out_of_two(double *x, double *dx, int n) { __enzyme_autodiff((void *)out_of_two, x, dx, n); }
separate static void d_first_negative(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)first_negative, x, dx, n);
}

int main(void) {
  expect_gradient(d_with_returns, with_returns);
  expect_gradient(d_without_returns, without_returns);
  expect_gradient(d_products_of_others, products_of_others);
  expect_gradient(d_out_of_two, out_of_two);
  expect_gradient(d_first_negative, first_negative);

  double x[3] = {3, 2, -5}, dx[3] = {0};
  d_first_negative(x, dx, 3); // x[2]^2 x[0]
  expect(dx[0], 25);
  expect(dx[1], 0);
  expect(dx[2], -30);
  d_first_negative(x, dx, 2);
  expect(dx[0], 25);
  return result_of_test();
}
