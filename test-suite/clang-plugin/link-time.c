// What is said of what a file only declares also holds when the linker differentiates.

// REQUIRES: lld
// UNSUPPORTED: sanitizer
// DEFINE: %{level} = -O0
// DEFINE: %{build} = %clang %{level} -flto -c %S/Inputs/elsewhere.c -o %t.elsewhere.o && %clang %clangPlugin %{level} -flto -c %s -o %t.o && %clang %{level} %lldEnzyme %t.o %t.elsewhere.o -lm -o %t
// RUN: %{build} && %t
// REDEFINE: %{level} = -O2
// RUN: %{build} && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
__attribute__((enzyme_inactive)) double weight_elsewhere(double x);
__attribute__((enzyme_function_like("log1p"))) double logarithm_elsewhere(double x);
__attribute__((enzyme_inactive)) extern double state_elsewhere;

static double f(double x) {
  state_elsewhere = x;
  return weight_elsewhere(x) * x + logarithm_elsewhere(x) + state_elsewhere * x;
}

int main(void) {
  double x = 0.5;
  expect(__enzyme_fwddiff((void *)f, x, 1.0), x * x + 1 / (1 + x) + x);
  expect(state_elsewhere, x);
  return result_of_test();
}
