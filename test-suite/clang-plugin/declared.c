// What is said of things that a file only declares, and that another file defines.

// DEFINE: %{level} = -O0
// DEFINE: %{build} = %clang %{level} -c %S/Inputs/elsewhere.c -o %t.elsewhere.o && %clang %clangPlugin %{level} -Wall -Werror %s %t.elsewhere.o -lm -o %t
// RUN: %{build} && %t
// RUN: %clang %clangPlugin %{level} -S -emit-llvm %s -o - | %FileCheck %s
// REDEFINE: %{level} = -O1
// RUN: %{build} && %t
// REDEFINE: %{level} = -O2
// RUN: %{build} && %t
// RUN: %clang %clangPlugin %{level} -S -emit-llvm %s -o - | %FileCheck %s
// REDEFINE: %{level} = -O3
// RUN: %{build} && %t

// Nothing of what was said stays in the program, and nothing that was not used comes into it.
// CHECK-NOT: attributes_by_name
// CHECK-NOT: is_used_nowhere

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

__attribute__((enzyme_inactive)) double weight_elsewhere(double x);
__attribute__((enzyme_function_like("log1p"))) double logarithm_elsewhere(double x);
__attribute__((enzyme_inactive)) extern double state_elsewhere;
// The name in the program is another.
__attribute__((enzyme_inactive)) double renamed(double x) __asm__("weight_by_another_name");
__attribute__((enzyme_inactive)) double function_that_is_used_nowhere(double x);
__attribute__((enzyme_inactive)) extern double variable_that_is_used_nowhere;
__attribute__((enzyme_function_like("sin"))) double like_sine_but_is_used_nowhere(double x);

static double f(double x) {
  state_elsewhere = x;
  return weight_elsewhere(x) * x + logarithm_elsewhere(x) + state_elsewhere * x + renamed(x) * x;
}

int main(void) {
  for (double x = 0.25; x < 2; x += 0.5) {
    double derivative = x * x + 1 / (1 + x) + x + 7 * x;
    expect(__enzyme_fwddiff((void *)f, x, 1.0), derivative);
    expect(__enzyme_autodiff((void *)f, x), derivative);
  }
  expect(state_elsewhere, 1.75);
  return result_of_test();
}
