// The gradient through pointers: chosen by values, kept in memory, moved in loops, to the same place twice.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

separate static double *positive_or_first(double *x, int i) { return x[i] > 0 ? x + i : x; }

static double chosen(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double *p = positive_or_first(x, i);
    sum += *p * *p * x[i];
  }
  return sum;
}

static double sorted(double *x, int n) {
  double *order[SIZE], r = 0;
  for (int i = 0; i < n; i++) {
    int j = i;
    for (; j > 0 && *order[j - 1] > x[i]; j--) order[j] = order[j - 1];
    order[j] = &x[i];
  }
  for (int i = 0; i < n; i++) r = 0.5 * r * *order[i] + *order[i];
  return r;
}

static double ping_pong(double *x, int n) {
  double other[SIZE] = {0}, *from = x, *to = other;
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < n; i++) to[i] = from[i] + 0.1 * round * from[(i + 1) % n] * from[i];
    double *old = from;
    from = to;
    to = old;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += from[i] * from[i];
  return sum;
}

static double backwards(double *x, int n) {
  double r = 1;
  for (double *p = x + n; p-- != x;) r = r * *p + sin(*p);
  return r;
}

separate static void multiply(double *out, const double *a, const double *b) { *out = *a * *b; }

static double aliased(double *x, int n) {
  multiply(&x[0], &x[0], &x[0]);
  for (int i = 1; i < n; i++) multiply(&x[i], &x[i], &x[i - 1]);
  return x[0] + x[1] + x[2];
}

separate static void d_chosen(double *x, double *dx, int n) { __enzyme_autodiff((void *)chosen, x, dx, n); }
separate static void d_sorted(double *x, double *dx, int n) { __enzyme_autodiff((void *)sorted, x, dx, n); }
separate static void d_ping_pong(double *x, double *dx, int n) { __enzyme_autodiff((void *)ping_pong, x, dx, n); }
separate static void d_backwards(double *x, double *dx, int n) { __enzyme_autodiff((void *)backwards, x, dx, n); }
separate static void d_aliased(double *x, double *dx, int n) { __enzyme_autodiff((void *)aliased, x, dx, n); }

int main(void) {
  expect_gradient(d_chosen, chosen);
  expect_gradient(d_sorted, sorted);
  expect_gradient(d_ping_pong, ping_pong);
  expect_gradient(d_backwards, backwards);
  expect_gradient(d_aliased, aliased);

  double x[3] = {2, 3, 5}, dx[3] = {0};
  d_aliased(x, dx, 3); // x[0]^2 + x[0]^2 x[1] + x[0]^2 x[1] x[2]
  expect(dx[0], 4 * (1 + 3 + 15));
  expect(dx[1], 4 * (1 + 5));
  expect(dx[2], 4 * 3);
  return result_of_test();
}
