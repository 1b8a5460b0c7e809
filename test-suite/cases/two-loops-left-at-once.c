// like EnzymeAD/Enzyme#1392
// A jump out of two nested loops: early, by the last element, and never.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double f(const double *a, int rows, int cols, double lim) {
  double s = 0;
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < cols; j++) {
      double t = a[i * cols + j];
      s += t * t;
      if (s > lim) goto out;
    }
    s *= 1.5;
  }
out:
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, a, OF(da), enzyme_const, 2, enzyme_const, 3, enzyme_const, lim

// `read` elements are read; each counts 1.5 for every row that is finished after it.
static void check(double lim, int read, int rows_finished) {
  double a[6] = {1, 2, 3, 4, 5, 6}, all[6];
  for (int k = 0; k < 6; k++) {
    double da[6] = {0};
    da[k] = 1;
    double wanted = k < read ? 2 * a[k] * pow(1.5, rows_finished - k / 3) : 0;
    expect(__enzyme_fwddiff((void *)f, enzyme_dup, a, da, 2, 3, enzyme_const, lim), wanted);
    all[k] = wanted;
  }
  for (int k = 0; k < 6; k++) {
    UNITS(directions, 6, k);
    expect_units(
        __enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, a, ALL(directions), 2, 3, enzyme_const, lim), all, 6, k);
  }
  double da[4][6] = {{0}};
  expect_gradients(f, ARGUMENTS, da, all);
}

int main(void) {
  check(30, 4, 1);   // 14 * 1.5 = 21, then 37
  check(90, 6, 1);   // 37, 62, 98
  check(1e9, 6, 2);
  return result_of_test();
}
