// Memory that is filled: whatever adjoint it has ends there, whether or not the function says what the memory holds.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <stdlib.h>
#include <string.h>

extern int enzyme_width, enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_nothing(void *, ...);

// Nothing here says what the memory holds.
__attribute__((noinline)) static void forget(void *memory, size_t bytes) { memset(memory, 0, bytes); }

static double kept_and_forgotten(double *x, int n) {
  double product = 1;
  for (int i = 0; i < n; i++) product *= x[i];
  forget(x, n * sizeof(double));
  x[0] += product;
  return x[0] * x[0] + x[1];
}

// The first half is forgotten without a word on what it is.
static void forget_first(void *memory, double *rest) {
  memset(memory, 0, 16);
  rest[0] *= rest[1];
}

int main(void) {
  double x[3] = {1.5, -0.5, 2.0}, dx[3] = {7, 8, 9};
  double product = x[0] * x[1] * x[2];
  __enzyme_autodiff((void *)kept_and_forgotten, x, dx, 3);
  double start[3] = {1.5, -0.5, 2.0};
  // The adjoint that the caller gave for the first element is that of the product, too; the others end.
  for (int i = 0; i < 3; i++) expect(dx[i], (2 * product + 7) * product / start[i]);
  expect(x[0], product);
  expect(x[1], 0);

  double memory[2] = {1, 2}, dmemory[2] = {3, 4}, rest[2] = {5, 6}, drest[2] = {7, 8};
  __enzyme_autodiff_nothing((void *)forget_first, memory, dmemory, rest, drest);
  expect(dmemory[0], 0);
  expect(dmemory[1], 0);
  expect(drest[0], 7 * 6);
  expect(drest[1], 8 + 7 * 5);
  return result_of_test();
}
