// One declaration serves functions that return something and functions that return nothing. Whoever uses the result of
// the latter gets zero, and a warning.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -g -O1 %s -lm -o %t 2>&1 | %FileCheck %s --implicit-check-not=warning:
// RUN: %t

#include "../Inputs/check.h"

struct many {
  double d[4];
};
double __enzyme_fwddiff(void *, ...);
struct many __enzyme_fwddiff_many(void *, ...);

static void doubled(double *p) { *p *= 2; }
static double squared(double x) { return x * x; }

int main(void) {
  double p = 3, dp = 1;
  expect(__enzyme_fwddiff((void *)squared, 3.0, 1.0), 6.0);
  __enzyme_fwddiff((void *)doubled, &p, &dp);
  expect(dp, 2.0);
  // CHECK: warning: {{.*}}nothing-returned.c:[[#@LINE+1]]:{{[0-9]+}}: in function main: the result of this call of `__enzyme_fwddiff` is zero, because `doubled` returns nothing
  expect(__enzyme_fwddiff((void *)doubled, &p, &dp), 0.0);
  expect(dp, 4.0);
  // CHECK: warning: {{.*}}nothing-returned.c:[[#@LINE+1]]:{{[0-9]+}}: in function main: the result of this call
  struct many m = __enzyme_fwddiff_many((void *)doubled, &p, &dp);
  expect(m.d[0] + m.d[1] + m.d[2] + m.d[3], 0.0);
  expect(dp, 8.0);
  return result_of_test();
}
