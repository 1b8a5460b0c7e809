// The same bits come out at every level of optimisation: what is differentiated is brought to one form first.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -ffp-contract=off -fno-vectorize -fno-slp-vectorize %s -lm -o %t
// RUN: %{compile} -O0 && %t > %t.expected
// RUN: %{compile} -O1 && %t | cmp - %t.expected
// RUN: %{compile} -O2 && %t | cmp - %t.expected
// RUN: %{compile} -O3 && %t | cmp - %t.expected
// RUN: %{compile} -Os && %t | cmp - %t.expected

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double f(double x, int n) {
  double at[4] = {x, 2 * x, 3, x * x}, r = 0;
  for (int i = 0; i < n; i++) {
    r += at[i & 3] * at[(i + 1) & 3];
    if (r > 100) r -= x;
    at[i & 3] = r / (i + 1);
  }
  return r;
}

int main(void) {
  union { double number; unsigned long long bits; } result = {__enzyme_fwddiff((void *)f, 1.0, 1.0, 11)};
  printf("%llx\n", result.bits);
  return 0;
}
