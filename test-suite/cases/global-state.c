// like EnzymeAD/Enzyme#147
// A variable of the program that active code writes gets a shadow; one that is only read needs none.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

extern double table_scale;
double table_scale = 2.0;
static double state = 1.0;

static double f(double x) {
  state = x * table_scale;
  return state * state;
}

int main(void) {
  for (double x = -2; x < 3; x += 0.5) {
    expect(__enzyme_fwddiff((void *)f, x, 1.0), 8 * x);
    expect(state, 2 * x);
    expect_multiples(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, MULTIPLES), 8 * x);
    expect(state, 2 * x);
    expect_derivatives(8 * x, f, x);
    expect(state, 2 * x);
  }
  return result_of_test();
}
