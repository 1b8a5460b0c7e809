// like EnzymeAD/Enzyme.jl#2858
// A mask that is gathered bit by bit from comparisons and multiplied back in.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"
#include <stdint.h>

double __enzyme_fwddiff(void *, ...);

static double f(const double *x, int n) {
  uint64_t mask = 0;
  double res[64];
  for (int i = 0; i < n; i++) mask |= (uint64_t)(x[i] >= 0) << i;
  for (int i = 0; i < n; i++) res[i] = (double)((mask >> i) & 1) * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += res[i];
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, x, OF(dx), enzyme_const, 9

int main(void) {
  double x[9] = {1, -1, 2, -3, 5, 8, -13, 21, 0.5};
  for (int k = 0; k < 9; k++) {
    double dx[9] = {0};
    dx[k] = 1;
    expect(__enzyme_fwddiff((void *)f, x, dx, 9), x[k] > 0);
  }
  double all[9];
  for (int k = 0; k < 9; k++) all[k] = x[k] > 0;
  for (int k = 0; k < 9; k++) {
    UNITS(directions, 9, k);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, ALL(directions), 9), all, 9, k);
  }
  double dx[4][9] = {{0}};
  expect_gradients(f, ARGUMENTS, dx, all);
  return result_of_test();
}
