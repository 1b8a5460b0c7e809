// A function that is called again in the reverse sweep, because the user says so, rather than that its result is kept.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

__attribute__((noinline)) static double weight(int i) { return 1 + 0.5 * (i % 3); }
void *__enzyme_shouldrecompute_weight = (void *)weight;

__attribute__((noinline)) static double kept(int i) { return 1 + 0.5 * (i % 3); }

static double recomputing(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * weight(i);
  return sum;
}

static double keeping(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * kept(i);
  return sum;
}

int main(void) {
  double x[7] = {0}, gradient[7] = {0}, other[7] = {0};
  __enzyme_autodiff((void *)recomputing, enzyme_dup, x, gradient, enzyme_const, 7);
  __enzyme_autodiff((void *)keeping, enzyme_dup, x, other, enzyme_const, 7);
  for (int i = 0; i < 7; i++) {
    expect(gradient[i], 1 + 0.5 * (i % 3));
    expect(other[i], gradient[i]);
  }
  return result_of_test();
}
