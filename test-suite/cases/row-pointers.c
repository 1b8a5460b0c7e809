// like EnzymeAD/Enzyme#844
// A matrix as an array of pointers to its rows, on the heap.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"
#include <stdlib.h>

double __enzyme_fwddiff(void *, ...);

static double f(const double *x, int r, int c) {
  double **m = (double **)malloc(r * sizeof *m);
  for (int i = 0; i < r; i++) {
    m[i] = (double *)malloc(c * sizeof **m);
    for (int j = 0; j < c; j++) m[i][j] = x[i * c + j] * (i + 1);
  }
  double s = 0;
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++) s += m[i][j] * m[i][j];
  for (int i = 0; i < r; i++) free(m[i]);
  free(m);
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, x, OF(dx), enzyme_const, 3, enzyme_const, 4

int main(void) {
  double x[12], all[12];
  for (int k = 0; k < 12; k++) x[k] = 0.5 * k - 2;
  for (int k = 0; k < 12; k++) {
    double dx[12] = {0};
    dx[k] = 1;
    all[k] = 2 * (k / 4 + 1) * (k / 4 + 1) * x[k];
    expect(__enzyme_fwddiff((void *)f, x, dx, 3, 4), all[k]);
  }
  for (int k = 0; k < 12; k++) {
    UNITS(directions, 12, k);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, ALL(directions), 3, 4), all, 12, k);
  }
  double dx[4][12] = {{0}};
  expect_gradients(f, ARGUMENTS, dx, all);
  return result_of_test();
}
