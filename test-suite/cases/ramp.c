// like EnzymeAD/Enzyme#101
// A branch that returns a constant does not make the whole result inactive.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double ramp(double x) {
  if (x >= 0) return x;
  return 0;
}

static double capped(double x) { return x <= 1 ? x : 1; }

int main(void) {
  double at[] = {-3, -1e-300, 0, 1e-300, 0.5, 1, 1.5, 7};
  for (int i = 0; i < 8; i++) {
    double x = at[i];
    expect(__enzyme_fwddiff((void *)ramp, x, 1.0), x >= 0);
    expect_derivatives(x >= 0, ramp, x);
    expect(__enzyme_fwddiff((void *)capped, x, 1.0), x <= 1);
    expect_multiples(__enzyme_fwddiff_four((void *)ramp, enzyme_width, 4, enzyme_dup, x, MULTIPLES), x >= 0);
    expect_multiples(__enzyme_fwddiff_four((void *)capped, enzyme_width, 4, enzyme_dup, x, MULTIPLES), x <= 1);
    expect_derivatives(x <= 1, capped, x);
  }
  return result_of_test();
}
