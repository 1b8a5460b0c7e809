// like EnzymeAD/Enzyme#894
// The same slot accumulated twice, through two index paths: the same numbers at every level.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double f(const double *k, const int *row, const int *col, int nnz, const double *u) {
  double r[4] = {0, 0, 0, 0}, s = 0;
  for (int e = 0; e < nnz; e++) {
    r[row[e]] += k[e] * u[col[e]];
    if (row[e] != col[e]) r[col[e]] += k[e] * u[row[e]];
  }
  for (int i = 0; i < 4; i++) s += r[i] * (i + 1);
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, k, OF(dk), enzyme_const, row, enzyme_const, col, enzyme_const, 6, enzyme_const, u

int main(void) {
  double k[6] = {1, -2, 0.5, 3, 4, -1}, u[4] = {1, 2, -3, 5};
  int row[6] = {0, 0, 1, 2, 3, 3}, col[6] = {0, 1, 1, 3, 3, 0};
  double all[6];
  for (int e = 0; e < 6; e++) {
    double dk[6] = {0};
    dk[e] = 1;
    double wanted = (row[e] + 1) * u[col[e]] + (row[e] != col[e]) * (col[e] + 1) * u[row[e]];
    expect(__enzyme_fwddiff((void *)f, enzyme_dup, k, dk, enzyme_const, row, enzyme_const, col, 6, enzyme_const, u), wanted);
    all[e] = wanted;
  }
  for (int e = 0; e < 6; e++) {
    UNITS(directions, 6, e);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, k, ALL(directions), enzyme_const, row,
                                       enzyme_const, col, 6, enzyme_const, u),
                 all, 6, e);
  }
  double dk[4][6] = {{0}};
  expect_gradients(f, ARGUMENTS, dk, all);
  return result_of_test();
}
