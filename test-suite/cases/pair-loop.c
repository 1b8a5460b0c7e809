// like EnzymeAD/Enzyme#126
// A loop over pairs, guarded by cell numbers that are computed from active coordinates.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"
#include <stdlib.h>
#include <sys/resource.h>

double __enzyme_fwddiff(void *, ...);

static double f(const double *p, int n) {
  int *cell = (int *)malloc(n * sizeof *cell);
  for (int i = 0; i < n; i++) cell[i] = (int)(p[i] / 3.1);
  double s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (cell[i] == cell[j]) s += (p[i] - p[j]) * (p[i] - p[j]);
  free(cell);
  return s;
}

#define ARGUMENTS(OF) enzyme_dup, p, OF(dp), enzyme_const, 7

// The gradient for many points does not take the square of their memory.
static void expect_little_memory(void) {
  int n = 4000;
  double *p = malloc(n * sizeof *p), *dp = calloc(n, sizeof *dp);
  for (int i = 0; i < n; i++) p[i] = 0.5 * (i * 7 % n);
  struct rusage before, after;
  getrusage(RUSAGE_SELF, &before);
  __enzyme_autodiff_arrays((void *)f, enzyme_dup, p, dp, enzyme_const, n);
  getrusage(RUSAGE_SELF, &after);
  expect(after.ru_maxrss - before.ru_maxrss < n, 1);
  double wanted = 0;
  for (int j = 0; j < n; j++)
    if ((int)(p[j] / 3.1) == (int)(p[5] / 3.1)) wanted += 4 * (p[5] - p[j]);
  expect(dp[5], wanted);
  free(p);
  free(dp);
}

int main(void) {
  expect_little_memory();
  double p[7] = {0.5, 1, 3.5, 4, 5, 9.5, 2}, all[7];
  for (int k = 0; k < 7; k++) {
    double dp[7] = {0}, wanted = 0;
    dp[k] = 1;
    for (int j = 0; j < 7; j++)
      if ((int)(p[j] / 3.1) == (int)(p[k] / 3.1)) wanted += 4 * (p[k] - p[j]);
    expect(__enzyme_fwddiff((void *)f, p, dp, 7), wanted);
    all[k] = wanted;
  }
  for (int k = 0; k < 7; k++) {
    UNITS(directions, 7, k);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, p, ALL(directions), 7), all, 7, k);
  }
  double dp[4][7] = {{0}};
  expect_gradients(f, ARGUMENTS, dp, all);
  return result_of_test();
}
