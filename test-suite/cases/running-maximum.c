// like EnzymeAD/Enzyme#3040
// The largest element so far, in a loop; the first is loaded before it. The last place that holds it has derivative 1.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double largest(const double *v, long n) {
  double best = v[0];
  for (long i = 0; i < n; i++) {
    double c = v[i] + 0.0;
    best = best > v[i] ? best : c;
  }
  return best;
}

#define ARGUMENTS(OF) enzyme_dup, v, OF(dv), enzyme_const, 6L

int main(void) {
  double v[6] = {3, 1, 4, 4, 1, 2};
  for (int k = 0; k < 6; k++) {
    double dv[6] = {0};
    dv[k] = 1;
    expect(__enzyme_fwddiff((void *)largest, v, dv, 6L), k == 3);
  }
  double all[6] = {0, 0, 0, 1, 0, 0};
  for (int k = 0; k < 6; k++) {
    UNITS(directions, 6, k);
    expect_units(__enzyme_fwddiff_four((void *)largest, enzyme_width, 4, enzyme_dup, v, ALL(directions), 6L), all, 6, k);
  }
  double dv[4][6] = {{0}};
  expect_gradients(largest, ARGUMENTS, dv, all);
  return result_of_test();
}
