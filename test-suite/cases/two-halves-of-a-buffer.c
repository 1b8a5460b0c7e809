// like rust-lang/rust#160806
// A loop over two halves of one buffer, of which one arm goes on with `continue`.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double f(double *w, const double *x, int n) {
  double *lo = w, *hi = w + n;
  for (int i = 0; i < n; i++) {
    lo[i] = x[i];
    hi[i] = 0;
  }
  for (int i = 0; i < n; i++) {
    if (x[i] < 0) {
      hi[i] = -lo[i];
      continue;
    } else
      hi[i] = lo[i] * lo[i];
    lo[i] = hi[i] * 0.5;
  }
  double s = 0;
  for (int i = 0; i < n; i++) s += lo[i] + hi[i];
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, w, OF(dw), enzyme_dup, x, OF(dx), enzyme_const, 5

int main(void) {
  double x[5] = {-2, 0.5, 3, -0.25, 1}, w[10];
  for (int k = 0; k < 5; k++) {
    double dx[5] = {0}, dw[10] = {0};
    dx[k] = 1;
    expect(__enzyme_fwddiff((void *)f, w, dw, x, dx, 5), x[k] < 0 ? 0 : 3 * x[k]);
  }
  double all[5];
  for (int k = 0; k < 5; k++) all[k] = x[k] < 0 ? 0 : 3 * x[k];
  for (int k = 0; k < 5; k++) {
    UNITS(directions, 5, k);
    double shadows[4][10] = {{0}};
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, w, ALL(shadows), enzyme_dup, x,
                                       ALL(directions), 5),
                 all, 5, k);
  }
  double dw[4][10] = {{0}}, dx[4][5] = {{0}};
  expect_gradients(f, ARGUMENTS, dx, all);
  return result_of_test();
}
