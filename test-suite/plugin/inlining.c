// What the options say of inlining, of variables of the program, of aliases, and of optimisation afterwards.

// REQUIRES: clang
// DEFINE: %{options} =
// DEFINE: %{build} = %clang %clangEnzyme %{options} -O0 %s -lm -o %t && %t
// RUN: %{build}
// REDEFINE: %{options} = -mllvm -enzyme-inline=1
// RUN: %{build}
// REDEFINE: %{options} = -mllvm -enzyme-inline -mllvm -enzyme-inline-count=1
// RUN: %{build}
// REDEFINE: %{options} = -mllvm -enzyme-always-inline
// RUN: %{build}
// REDEFINE: %{options} = -mllvm -enzyme-lower-globals
// RUN: %{build}
// REDEFINE: %{options} = -mllvm -enzyme-noalias -mllvm -enzyme-postopt
// RUN: %{build}
// REDEFINE: %{options} = -mllvm -enzyme-post-opt-level=3
// RUN: %{build}

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double state = 5;

__attribute__((noinline)) static double leaf(double x) { return x * x; }

static double sum(const double *x, double *y, int n) {
  double total = 0;
  for (int i = 0; i < n; i++) {
    y[i] = leaf(x[i]);
    total += y[i];
  }
  return total;
}

static double scaled(double x) {
  state = state * x;
  state = state + state * x;
  return state;
}

int main(void) {
  double x[8], dx[8], y[8], dy[8] = {0};
  for (int i = 0; i < 8; i++) {
    x[i] = i;
    dx[i] = 1;
  }
  expect(__enzyme_fwddiff((void *)sum, x, dx, y, dy, 8), 56.0);
  for (int i = 0; i < 8; i++)
    expect(dy[i], 2.0 * i);
  // 5x + 5x²: 5 + 10x
  expect(__enzyme_fwddiff((void *)scaled, 2.0, 1.0), 25.0);
  expect(state, 30.0);
  return result_of_test();
}
