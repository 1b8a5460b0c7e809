// _Float16, which is computed in float on most machines.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

_Float16 __enzyme_fwddiff_half(void *, _Float16, _Float16);
float __enzyme_fwddiff_float(void *, float, float);

static _Float16 cube(_Float16 x) { return x * x * x; }

static float rounds(float x) { return (float)(_Float16)x * 3.0f; }

int main(void) {
  expect_near((double)__enzyme_fwddiff_half((void *)cube, (_Float16)1.5f, (_Float16)1.0f), 6.75, 1e-2);
  expect_float(__enzyme_fwddiff_float((void *)rounds, 1.5f, 2.0f), 6.0);
  return result_of_test();
}
