// like EnzymeAD/Enzyme#394
// A series that is summed until its terms are small: the comparison is not differentiated. With -ffast-math, too.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O0 -ffast-math && %t
// RUN: %{compile} -O2 -ffast-math && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double exponential(double x) {
  double term = 1, sum = 1;
  for (int k = 1; fabs(term) > 1e-15; k++) {
    term *= x / k;
    sum += term;
  }
  return sum;
}

int main(void) {
  for (double x = -2; x <= 3; x += 0.25) {
    expect_near(__enzyme_fwddiff((void *)exponential, x, 1.0), exp(x), 2e-14);
    expect_multiples(__enzyme_fwddiff_four((void *)exponential, enzyme_width, 4, enzyme_dup, x, MULTIPLES), exp(x));
    expect_derivatives(exp(x), exponential, x);
  }
  return result_of_test();
}
