// A switch with fall-through, a default and a dense and a sparse set of cases; duffed into a loop as well.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double dense(double x, int kind) {
  switch (kind) {
  case 0: return x;
  case 1: return x * x;
  case 2: return sin(x);
  case 3: return exp(x);
  case 4: return 5;
  default: return -x;
  }
}

static double falls(double x, int kind) {
  double r = 1;
  switch (kind) {
  case 300: r *= x; /* fall through */
  case 20: r *= x;  /* fall through */
  case 1: r *= x; break;
  case -4: r = 1 / x;
  }
  return r;
}

static double steps(double x, int n) {
  double r = x;
  for (int i = 0; i < n; i++)
    switch (i % 3) {
    case 0: r = r * x; break;
    case 1: continue;
    default: r += x;
    }
  return r;
}

int main(void) {
  double x = 1.3;
  double wanted[] = {1, 2 * x, cos(x), exp(x), 0, -1, -1};
  for (int kind = 0; kind < 7; kind++) expect(__enzyme_fwddiff((void *)dense, x, 1.0, kind), wanted[kind]);
  expect(__enzyme_fwddiff((void *)dense, x, 2.0, -9), -2.0);

  expect(__enzyme_fwddiff((void *)falls, x, 1.0, 300), 3 * x * x);
  expect(__enzyme_fwddiff((void *)falls, x, 1.0, 20), 2 * x);
  expect(__enzyme_fwddiff((void *)falls, x, 1.0, 1), 1.0);
  expect(__enzyme_fwddiff((void *)falls, x, 1.0, -4), -1 / (x * x));
  expect(__enzyme_fwddiff((void *)falls, x, 1.0, 7), 0.0);

  // Steps 0 to 5 give ((x*x + x)*x + x) = x^3 + x^2 + x.
  expect(__enzyme_fwddiff((void *)steps, x, 1.0, 6), 3 * x * x + 2 * x + 1);
  return result_of_test();
}
