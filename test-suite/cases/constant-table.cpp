// like EnzymeAD/Enzyme#2999
// A constexpr table of weights.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, double *, double *);

static constexpr double W[3][11] = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                    {.5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5},
                                    {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}};
static double f(const double *x) {
  double s = 0;
  for (int r = 0; r < 3; r++)
    for (int i = 0; i < 11; i++) s += W[r][i] * x[i] * x[r];
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, x, OF(dx)

int main() {
  double x[11], all[11];
  for (int i = 0; i < 11; i++) x[i] = 0.25 * i - 1;
  for (int k = 0; k < 11; k++) {
    double dx[11] = {0}, wanted = 0;
    dx[k] = 1;
    for (int r = 0; r < 3; r++) wanted += W[r][k] * x[r];
    if (k < 3)
      for (int i = 0; i < 11; i++) wanted += W[k][i] * x[i];
    expect(__enzyme_fwddiff((void *)f, x, dx), wanted);
    all[k] = wanted;
  }
  for (int k = 0; k < 11; k++) {
    UNITS(directions, 11, k);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, ALL(directions)), all, 11, k);
  }
  double dx[4][11] = {{0}};
  expect_gradients(f, ARGUMENTS, dx, all);
  return result_of_test();
}
