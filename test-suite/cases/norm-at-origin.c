// like EnzymeAD/Enzyme#1295
// The derivative of a square root at 0 is taken as 0, so that a norm has a gradient at the origin, never NaN.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double by_root(double x, double y) { return sqrt(x * x + y * y); }
static double by_hypot(double x, double y) { return hypot(x, y); }

int main(void) {
  double at[][2] = {{0, 0}, {3, 4}, {-3, 4}, {0, 2}, {1e-3, 0}};
  for (int i = 0; i < 5; i++) {
    double x = at[i][0], y = at[i][1], r = sqrt(x * x + y * y);
    double by_x = r == 0 ? 0 : x / r, by_y = r == 0 ? 0 : y / r;
    expect_partials(by_root, x, y, by_x, by_y);
    expect_partials(by_hypot, x, y, by_x, by_y);
    double wanted = r == 0 ? 0 : (2 * x - y) / r;
    expect(__enzyme_fwddiff((void *)by_root, x, 2.0, y, -1.0), wanted);
    expect(__enzyme_fwddiff((void *)by_hypot, x, 2.0, y, -1.0), wanted);
    Four four = __enzyme_fwddiff_four((void *)by_root, enzyme_width, 4, enzyme_dup, x, 2.0, 4.0, 0.0, 1.0, enzyme_dup, y,
                                      -1.0, -2.0, 0.0, -0.5);
    double factors[4] = {1, 2, 0, 0.5};
    for (int k = 0; k < 4; k++) expect(four.at[k], factors[k] * wanted);
    four = __enzyme_fwddiff_four((void *)by_hypot, enzyme_width, 4, enzyme_dup, x, 2.0, 4.0, 0.0, 1.0, enzyme_dup, y, -1.0,
                                 -2.0, 0.0, -0.5);
    for (int k = 0; k < 4; k++) expect(four.at[k], factors[k] * wanted);
  }
  return result_of_test();
}
