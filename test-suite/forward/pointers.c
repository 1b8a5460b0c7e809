// Pointer arguments with shadows: read, written, both, several that may be the same, rows behind pointers.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdlib.h>

double __enzyme_fwddiff(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);

int enzyme_const, enzyme_dup, enzyme_dupnoneed;

static double squares(const double *at, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) r += at[i] * at[i];
  return r;
}

static void axpy(double a, const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] += a * x[i];
}

static double weighted(const double *at, const double *weight, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) r += weight[i] * at[i];
  return r;
}

static double on_heap(const double *at, int n) {
  double **row = malloc(n * sizeof *row);
  for (int i = 0; i < n; i++) {
    row[i] = malloc(2 * sizeof **row);
    row[i][0] = at[i];
    row[i][1] = at[i] * i;
  }
  double r = 0;
  for (int i = 0; i < n; i++) {
    r += row[i][0] * row[i][1];
    free(row[i]);
  }
  free(row);
  return r;
}

static double largest(const double *at, int n) {
  const double *best = at;
  for (const double *p = at + 1; p < at + n; p++)
    if (*p > *best) best = p;
  return *best * 2;
}

int main(void) {
  double at[4] = {1, 2, 3, 4}, tangent[4] = {1, 0, -1, 0.5};
  expect(__enzyme_fwddiff((void *)squares, at, tangent, 4), 2 * (1 - 3 + 2));
  expect(__enzyme_fwddiff((void *)squares, enzyme_dup, at, tangent, enzyme_const, 4), 2 * (1 - 3 + 2));
  expect(__enzyme_fwddiff((void *)squares, enzyme_dupnoneed, at, tangent, 0), 0.0);

  double y[4] = {5, 6, 7, 8}, dy[4] = {0, 1, 0, 1};
  __enzyme_fwddiff_nothing((void *)axpy, 2.0, 10.0, at, tangent, y, dy, 4);
  for (int i = 0; i < 4; i++) expect(y[i], 5 + i + 2 * at[i]);
  for (int i = 0; i < 4; i++) expect(dy[i], (i % 2) + 10 * at[i] + 2 * tangent[i]);

  expect(__enzyme_fwddiff((void *)weighted, at, tangent, enzyme_const, y, 4), y[0] - y[2] + y[3] / 2);
  // One array for both: the sum of its squares.
  expect(__enzyme_fwddiff((void *)weighted, at, tangent, at, tangent, 4), 2 * (1 - 3 + 2));

  expect(__enzyme_fwddiff((void *)on_heap, at, tangent, 4), 2 * (2 * 3 * -1 + 3 * 4 * 0.5));
  expect(__enzyme_fwddiff((void *)largest, at, tangent, 4), 1.0);
  return result_of_test();
}
