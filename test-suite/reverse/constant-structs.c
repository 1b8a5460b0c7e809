// Constants that hold floats beside the addresses of functions, so that they have shadows: adjoints of their floats end there.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O2 -fsanitize=undefined && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, double *, double *, int);
void *__enzyme_augmentfwd(void *, double *, double *, int);
void __enzyme_reverse(void *, double *, double *, int, double, void *);

typedef struct {
  double (*function)(double);
  double weight;
} Term;

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }

static const Term terms[3] = {{square, 1}, {cube, 2}, {exp, 3}};

separate static double value_of(const Term *term, double x) { return term->weight * term->function(x) * x; }

// The same function gets a term that carries a derivative, and those that do not.
static double handed_over(double *x, int n) {
  Term own = {sin, x[0]};
  double r = value_of(&own, x[1]);
  for (int i = 0; i < n; i++) r += value_of(&terms[i % 3], x[i]);
  return r;
}

static double copied(double *x, int n) {
  Term own[3] = {{square, 1}, {cube, 2}, {exp, 3}};
  own[n % 3].weight = x[1];
  double r = 0;
  for (int i = 0; i < n; i++) r += own[i % 3].weight * x[0] * own[i % 3].function(x[i]);
  return r;
}

separate static void d_handed_over(double *x, double *dx, int n) { __enzyme_autodiff((void *)handed_over, x, dx, n); }
separate static void d_copied(double *x, double *dx, int n) { __enzyme_autodiff((void *)copied, x, dx, n); }
separate static void d_copied_apart(double *x, double *dx, int n) {
  void *tape = __enzyme_augmentfwd((void *)copied, x, dx, n);
  __enzyme_reverse((void *)copied, x, dx, n, 1.0, tape);
}

int main(void) {
  expect_gradient(d_handed_over, handed_over);
  expect_gradient(d_copied, copied);
  expect_gradient(d_copied_apart, copied);
  return result_of_test();
}
