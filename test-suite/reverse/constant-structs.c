// Constants that have shadows, since they hold the addresses of functions or are chosen beside memory with a shadow: adjoints
// of their floats end there.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O2 -fsanitize=undefined -fsanitize-trap=undefined && %t
// RUN: %clang %clangEnzyme -O2 -fsanitize=undefined -c %s -o %t.o
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

typedef struct {
  double weight;
  int power;
} Plain;

static const Plain plain[3] = {{1, 1}, {2, 2}, {3, 3}};
static const double factors[3] = {1, 2, 3};

separate static double plain_value(const Plain *term, double x) { return term->weight * term->power * x; }

static double chosen(double *x, int n) {
  Plain own = {x[0], 2};
  double r = 0;
  for (int i = 0; i < n; i++) {
    const Plain *term = i % 2 ? &own : &plain[i % 3];
    const double *factor = i % 3 ? x + i : &factors[i % 3];
    r += plain_value(term, x[i]) * *factor + term->weight * x[i] * x[i];
  }
  return r;
}

separate static void d_handed_over(double *x, double *dx, int n) { __enzyme_autodiff((void *)handed_over, x, dx, n); }
separate static void d_copied(double *x, double *dx, int n) { __enzyme_autodiff((void *)copied, x, dx, n); }
separate static void d_chosen(double *x, double *dx, int n) { __enzyme_autodiff((void *)chosen, x, dx, n); }
separate static void d_copied_apart(double *x, double *dx, int n) {
  void *tape = __enzyme_augmentfwd((void *)copied, x, dx, n);
  __enzyme_reverse((void *)copied, x, dx, n, 1.0, tape);
}

int main(void) {
  expect_gradient(d_handed_over, handed_over);
  expect_gradient(d_copied, copied);
  expect_gradient(d_copied_apart, copied);
  expect_gradient(d_chosen, chosen);
  return result_of_test();
}
