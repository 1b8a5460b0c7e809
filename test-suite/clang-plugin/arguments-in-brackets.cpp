// Attributes in brackets, with an argument.

// REQUIRES: llvm-ge-19
// RUN: %clang++ %clangPlugin -O0 -Werror %s -o %t && %t
// RUN: %clang++ %clangPlugin -O2 -Werror %s -o %t && %t

#include "../Inputs/check.h"

template <typename... T> double __enzyme_fwddiff(void *, T...);

[[enzyme::function_like("log1p")]] static double first(double x) { return 2 * x; }
[[enzyme_function_like("sin")]] static double second(double x) { return 2 * x; }
[[clang::enzyme_function_like("cos")]] static double third(double x) { return 2 * x; }
static double f(double x) { return first(x) + second(x) + third(x); }

int main() {
  expect(__enzyme_fwddiff((void *)f, 0.5, 1.0), 1 / 1.5 + cos(0.5) - sin(0.5));
  return result_of_test();
}
