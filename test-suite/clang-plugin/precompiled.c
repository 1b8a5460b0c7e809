// What a precompiled header says of what it declares.

// DEFINE: %{compile} = %clang %clangPlugin %{level} -include-pch %t.pch %s %t.elsewhere.o -lm -o %t
// DEFINE: %{level} = -O0
// RUN: %clang -c %S/Inputs/elsewhere.c -o %t.elsewhere.o
// RUN: %clang %clangPlugin %{level} -x c-header %S/Inputs/elsewhere.h -o %t.pch && %{compile} && %t
// REDEFINE: %{level} = -O2
// RUN: %clang %clangPlugin %{level} -x c-header %S/Inputs/elsewhere.h -o %t.pch && %{compile} && %t

#include "../Inputs/check.h"

static double f(double x) { return weight_elsewhere(x) * x + logarithm_elsewhere(x); }

int main(void) {
  expect(__enzyme_fwddiff((void *)f, 0.5, 1.0), 0.25 + 1 / 1.5);
  return result_of_test();
}
