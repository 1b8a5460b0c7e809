// Markers as people declare them: extern or defined, handed over by value or by address, in a parameter of any width.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff_fixed(void *, int, double, double, int, double);
double __enzyme_fwddiff_wide(void *, long, double, double, short, double);
double __enzyme_fwddiff_pointers(void *, const void *, double, double, char *, double);

extern int enzyme_dup;
int enzyme_const;
extern int enzyme_out;

static double product(double x, double y) { return x * y; }

int main(void) {
  expect(__enzyme_fwddiff((void *)product, enzyme_dup, 2.0, 1.0, enzyme_const, 3.0), 3);
  expect(__enzyme_fwddiff((void *)product, &enzyme_dup, 2.0, 1.0, &enzyme_const, 3.0), 3);
  expect(__enzyme_fwddiff_fixed((void *)product, enzyme_dup, 2.0, 1.0, enzyme_const, 3.0), 3);
  expect(__enzyme_fwddiff_wide((void *)product, enzyme_dup, 2.0, 1.0, enzyme_const, 3.0), 3);
  expect(__enzyme_fwddiff_pointers((void *)product, &enzyme_dup, 2.0, 1.0, (char *)&enzyme_const, 3.0), 3);
  expect(__enzyme_autodiff((void *)product, enzyme_out, 2.0, enzyme_const, 3.0), 3);
  return result_of_test();
}
