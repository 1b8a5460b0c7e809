// The tape of a derivative in two calls in memory of the user's.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_tape, enzyme_allocated, enzyme_nofree;

double __enzyme_augmentfwd_double(void *, ...);
void __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
size_t __enzyme_augmentsize(void *, ...);

static void step(double *x) {
  x[0] += x[1] * x[1];
  x[1] = -sin(x[1]);
}

static double steps(double *x, int n) {
  for (int i = 0; i < n; i++) x[0] = sin(x[0]) * x[1];
  return x[0] * x[0];
}

static double constant_product(double *x) { return 2 * x[0]; }

int main(void) {
  expect(__enzyme_augmentsize((void *)step, enzyme_dup), 8);
  expect(__enzyme_augmentsize((void *)constant_product, enzyme_dup), 0);

  // Nobody says how the memory is aligned.
  char memory[101];
  double x[2] = {1.2, 3.4}, shadow[2] = {5.6, 7.8};
  __enzyme_augmentfwd((void *)step, enzyme_dup, x, shadow, enzyme_allocated, 100, enzyme_tape, memory + 1);
  __enzyme_reverse((void *)step, enzyme_dup, x, shadow, enzyme_allocated, 100, enzyme_tape, memory + 1);
  expect(shadow[1], 5.6 * 2 * 3.4 - 7.8 * cos(3.4));

  size_t size = __enzyme_augmentsize((void *)steps, enzyme_dup, enzyme_const);
  char *own = malloc(size);
  double y[2] = {0.7, 1.1}, gradient[2] = {0}, value = 0.7, slope = 1;
  double result = __enzyme_augmentfwd_double((void *)steps, enzyme_dup, y, gradient, enzyme_const, 5,
                                             enzyme_allocated, size, enzyme_tape, own);
  __enzyme_reverse((void *)steps, enzyme_dup, y, gradient, enzyme_const, 5, 0.5, enzyme_nofree,
                   enzyme_allocated, size, enzyme_tape, own);
  for (int i = 0; i < 5; i++) {
    slope *= cos(value) * 1.1;
    value = sin(value) * 1.1;
  }
  expect(result, value * value);
  expect(gradient[0], value * slope);
  double again[2] = {0};
  __enzyme_reverse((void *)steps, enzyme_dup, y, again, enzyme_const, 5, 0.5,
                   enzyme_allocated, size, enzyme_tape, own);
  expect(again[0], gradient[0]);
  expect(again[1], gradient[1]);
  free(own);
  return result_of_test();
}
