// Variables of the program: constant tables, and parameters that carry no derivative.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static const double table[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
static double factor = 2;
double visible = 3;
extern double elsewhere;
double elsewhere = 5;
static int calls;

static double horner(double x, int row) {
  double r = 0;
  for (int i = 0; i < 4; i++) r = r * x + table[row][i];
  return r;
}

static double scaled(double x) { return factor * visible * elsewhere * x * x; }

static double counts(double x) {
  calls++;
  return calls * x;
}

int main(void) {
  double x = 1.5;
  for (int row = 0; row < 3; row++) {
    const double *c = table[row];
    expect(__enzyme_fwddiff((void *)horner, x, 1.0, row), 3 * c[0] * x * x + 2 * c[1] * x + c[2]);
  }
  expect(__enzyme_fwddiff((void *)scaled, x, 1.0), 60 * x);
  factor = 7;
  visible = 1;
  expect(__enzyme_fwddiff((void *)scaled, x, 1.0), 70 * x);

  expect(__enzyme_fwddiff((void *)counts, x, 1.0), 1.0);
  expect(__enzyme_fwddiff((void *)counts, x, 1.0), 2.0);
  expect(calls, 2.0);
  return result_of_test();
}
