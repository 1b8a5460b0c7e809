// enzyme_width in reverse mode: a gradient for each direction; the adjoint of a scalar result is 1 in all of them.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

int enzyme_width, enzyme_out;

typedef struct { double x[2], y[2]; } Wide;

Wide __enzyme_autodiff_wide(void *, ...);

static double product(double x, double y) { return x * y + sin(x); }

int main(void) {
  double x = 1.3, y = 0.7;
  Wide wide = __enzyme_autodiff_wide((void *)product, enzyme_width, 2, enzyme_out, x, enzyme_out, y);
  for (int i = 0; i < 2; i++) {
    expect(wide.x[i], y + cos(x));
    expect(wide.y[i], x);
  }
  return result_of_test();
}
