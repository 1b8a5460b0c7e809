// Functions of the C library can be differentiated by themselves.

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

int main(void) {
  expect(__enzyme_fwddiff((void *)sin, 0.5, 1.0), cos(0.5));
  expect(__enzyme_autodiff((void *)exp, 0.5), exp(0.5));
  expect(__enzyme_fwddiff((void *)pow, 2.0, 1.0, 3.0, 0.0), 12);
  return result_of_test();
}
