// A function can be declared inactive where it is defined, and is then neither inlined nor differentiated.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

__attribute__((annotate("enzyme_inactive"), noinline)) static double weight(double x) { return x * x; }

static double weighted(double x) { return weight(x) * x; }

int main(void) {
  expect(__enzyme_fwddiff((void *)weighted, 3.0, 1.0), 9.0);
  expect(__enzyme_autodiff((void *)weighted, 3.0), 9.0);
  return result_of_test();
}
