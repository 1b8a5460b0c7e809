// The gradient through calls through pointers: chosen functions, tables of functions, callbacks, recursion.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

extern int enzyme_const, enzyme_dup, enzyme_width;

typedef struct { double first, second; } Two;

double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);

typedef double (*Function)(double);
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double constant(double x) { return 4; }

__attribute__((noinline)) static double apply(Function f, double x) { return f(x) * x; }
static double chosen(double x, int which) { return apply(which == 0 ? square : which == 1 ? cube : sin, x); }
static double composed(double x, Function outer, Function inner) { return outer(inner(x)); }

static const Function table[] = {square, cube, sin, constant};
static double from_table(double x, int which) { return table[which](x) + table[(which + 1) % 4](2 * x); }

// Memory, and what is overwritten there, goes through the pointer too.
typedef void (*Step)(double *, int);
__attribute__((noinline)) static void doubling(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = x[i] * x[i];
}
__attribute__((noinline)) static void sines(double *x, int n) {
  for (int i = 0; i < n; i++) x[i] = sin(x[i]);
}
static double stepping(double *x, int n, int rounds) {
  Step steps[2] = {doubling, sines};
  double sum = 0;
  for (int round = 0; round < rounds; round++) steps[round % 2](x, n);
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}

// A pointer among data: its shadow is the user's, who knows nothing of it.
typedef struct { Function f; double scale; } Model;
static double evaluate(const Model *model, double x) { return model->f(x) * model->scale; }


typedef double *(*Choice)(double *, int);
__attribute__((noinline)) static double *element(double *x, int i) { return x + i; }
__attribute__((noinline)) static double *first(double *x, int i) { return x; }
static double through_result(double *x, int which) {
  Choice choice = which ? element : first;
  double *place = choice(x, which);
  return *place * *place;
}

int main(void) {
  double x = 0.7;
  expect(__enzyme_autodiff((void *)chosen, x, 0), 3 * x * x);
  expect(__enzyme_autodiff((void *)chosen, x, 1), 4 * x * x * x);
  expect(__enzyme_autodiff((void *)chosen, x, 2), cos(x) * x + sin(x));
  expect(__enzyme_autodiff((void *)composed, x, enzyme_const, square, enzyme_const, cube), 6 * pow(x, 5));

  expect(__enzyme_autodiff((void *)from_table, x, 0), 2 * x + 3 * 2 * 4 * x * x);
  expect(__enzyme_autodiff((void *)from_table, x, 2), cos(x));
  expect(__enzyme_autodiff((void *)from_table, x, 3), 2 * 4 * x);

  double v[3] = {0.5, 1.1, 0.3}, gradient[3] = {0};
  __enzyme_autodiff((void *)stepping, enzyme_dup, v, gradient, enzyme_const, 3, enzyme_const, 3);
  double w[3] = {0.5, 1.1, 0.3};
  for (int i = 0; i < 3; i++) {
    expect(v[i], pow(sin(w[i] * w[i]), 2));
    expect(gradient[i], 2 * sin(w[i] * w[i]) * cos(w[i] * w[i]) * 2 * w[i]);
  }

  Model model = {cube, 3}, shadow = {cube, 0}, without = {0, 0};
  expect(__enzyme_autodiff((void *)evaluate, enzyme_dup, &model, &shadow, x), 9 * x * x);
  expect(shadow.scale, x * x * x);
  expect(__enzyme_autodiff((void *)evaluate, enzyme_dup, &model, &without, x), 9 * x * x);

  double y[2] = {2, 3}, slopes[2] = {0};
  __enzyme_autodiff((void *)through_result, enzyme_dup, y, slopes, enzyme_const, 1);
  expect(slopes[0], 0);
  expect(slopes[1], 6);

  double two_values[3] = {0.5, 1.1, 0.3}, one[3] = {0}, other[3] = {0};
  __enzyme_autodiff((void *)stepping, enzyme_width, 2, enzyme_dup, two_values, one, other, enzyme_const, 3, enzyme_const, 3);
  for (int i = 0; i < 3; i++) {
    expect(one[i], gradient[i]);
    expect(other[i], gradient[i]);
  }
  return result_of_test();
}
