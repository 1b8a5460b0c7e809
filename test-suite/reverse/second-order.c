// Second derivatives through reverse mode, against closed forms: forward over reverse, reverse over forward, reverse over
// reverse. What the inner derivative keeps on its tape is memory that the outer one differentiates.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_width;
typedef struct { double at[2]; } Two;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
Two __enzyme_fwddiff_two(void *, ...);

#define N 4

// One number: f'' = 2 sin x + 4 x cos x - x^2 sin x.
static double product(double x) { return sin(x) * x * x; }
static double product_reverse(double x) { return __enzyme_autodiff((void *)product, x); }
static double product_forward(double x) { return __enzyme_fwddiff((void *)product, x, 1.0); }

static void one_number(void) {
  double x = 0.7, wanted = 2 * sin(x) + 4 * x * cos(x) - x * x * sin(x);
  expect(__enzyme_fwddiff((void *)product_reverse, x, 1.0), wanted);
  expect(__enzyme_autodiff((void *)product_forward, x), wanted);
  expect(__enzyme_autodiff((void *)product_reverse, x), wanted);
  Two both = __enzyme_fwddiff_two((void *)product_reverse, enzyme_width, 2, x, 1.0, -3.0);
  expect(both.at[0], wanted);
  expect(both.at[1], -3 * wanted);
}

// The sum of sin(x_i)^2 x_{i+1}: the sines are kept.
static double ring(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double s = sin(x[i]);
    sum += s * s * x[(i + 1) % n];
  }
  return sum;
}

static double ring_second(const double *x, int i, int j) {
  double second = 0;
  if (i == j) second += 2 * cos(2 * x[i]) * x[(i + 1) % N];
  if (j == (i + 1) % N) second += sin(2 * x[i]);
  if (i == (j + 1) % N) second += sin(2 * x[j]);
  return second;
}

// Each round squares all, and the sum counts for the next one: how many there are is known when they are over. What was
// overwritten is kept, with room that grows.
static double rounds(double *x, int n) {
  double sum = 0;
  int count = 0;
  do {
    sum = 0;
    for (int i = 0; i < n; i++) {
      x[i] = x[i] * x[i];
      sum += x[i];
    }
    count++;
  } while (sum > 0.9 && count < 40);
  return sum;
}

// With m rounds, the sum of x_i^(2^m).
static double rounds_second(const double *x, int i, int j) {
  double power = 1, sum;
  do {
    power *= 2;
    sum = 0;
    for (int k = 0; k < N; k++) sum += pow(x[k], power);
  } while (sum > 0.9);
  return i == j ? power * (power - 1) * pow(x[i], power - 2) : 0;
}

// Recursion: each call keeps what it needs on the caller's tape. The product of all.
__attribute__((noinline)) static double all_from(const double *x, int i, int n) {
  if (i == n) return 1;
  double rest = all_from(x, i + 1, n);
  return x[i] * rest;
}

static double all(double *x, int n) { return all_from(x, 0, n); }

static double all_second(const double *x, int i, int j) {
  double result = i == j ? 0 : 1;
  for (int k = 0; k < N; k++)
    if (k != i && k != j) result *= x[k];
  return result;
}

#define SECOND(NAME)                                                                                                   \
  static void NAME##_gradient(double *x, double *dx, int n) { __enzyme_autodiff((void *)NAME, x, dx, n); }             \
  static double NAME##_along(double *x, double *v, int n) { return __enzyme_fwddiff((void *)NAME, x, v, n); }          \
  static double NAME##_component(double *x, int n, int j) {                                                            \
    double *dx = (double *)calloc(n, sizeof(double));                                                                  \
    __enzyme_autodiff((void *)NAME, x, dx, n);                                                                         \
    double component = dx[j];                                                                                          \
    free(dx);                                                                                                          \
    return component;                                                                                                  \
  }                                                                                                                    \
  static void NAME##_row(const double *start, int j) {                                                                 \
    double x[N], dx[N] = {0}, v[N] = {0}, dv[N] = {0}, along[N] = {0}, back[N] = {0}, component[N] = {0};              \
    double seed[N] = {0}, unused[N] = {0};                                                                             \
    v[j] = seed[j] = 1;                                                                                                \
    for (int i = 0; i < N; i++) x[i] = start[i];                                                                       \
    __enzyme_fwddiff_nothing((void *)NAME##_gradient, enzyme_dup, x, v, enzyme_dup, dx, along, enzyme_const, N);       \
    for (int i = 0; i < N; i++) x[i] = start[i], v[i] = i == j;                                                        \
    __enzyme_autodiff((void *)NAME##_along, enzyme_dup, x, back, enzyme_dup, v, dv, enzyme_const, N);                  \
    for (int i = 0; i < N; i++) x[i] = start[i], dx[i] = 0;                                                            \
    __enzyme_autodiff((void *)NAME##_component, enzyme_dup, x, component, enzyme_const, N, enzyme_const, j);           \
    for (int i = 0; i < N; i++) x[i] = start[i];                                                                       \
    __enzyme_autodiff_nothing((void *)NAME##_gradient, enzyme_dup, x, unused, enzyme_dup, dx, seed, enzyme_const, N);  \
    for (int i = 0; i < N; i++) {                                                                                      \
      double wanted = NAME##_second(start, i, j);                                                                      \
      expect_near(along[i], wanted, 1e-12);                                                                            \
      expect_near(back[i], wanted, 1e-12);                                                                             \
      expect_near(component[i], wanted, 1e-12);                                                                        \
      expect_near(unused[i], wanted, 1e-12);                                                                           \
    }                                                                                                                  \
  }

SECOND(ring)
SECOND(rounds)
SECOND(all)

int main(void) {
  one_number();
  double x[N] = {0.3, -0.7, 1.1, 0.9}, small[N] = {0.97, 0.9, 0.95, -0.8};
  for (int j = 0; j < N; j++) {
    ring_row(x, j);
    rounds_row(small, j);
    all_row(x, j);
  }
  return result_of_test();
}
