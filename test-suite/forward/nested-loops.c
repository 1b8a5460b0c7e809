// Loops in loops: rectangular, triangular, with a value carried around both, and three deep.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double rectangular(double x, int rows, int columns) {
  double sum = 0;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) sum += (i + 1) * (j + 1) * x * x;
  return sum;
}

static double triangular(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double product = 1;
    for (int j = 0; j < i; j++) product *= x;
    sum += product;
  }
  return sum;
}

static double carried(double x, int n) {
  double r = x;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < 2; j++) r = r * x;
    r = r + x;
  }
  return r;
}

static double three_deep(double x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++)
      for (int k = j; k < n; k++) r += sin(x * (i + j + k));
  return r;
}

int main(void) {
  double x = 0.9;
  // (1 + 2 + 3) (1 + 2 + 3 + 4) x^2
  expect(__enzyme_fwddiff((void *)rectangular, x, 1.0, 3, 4), 120 * x);
  expect(__enzyme_fwddiff((void *)rectangular, x, 1.0, 3, 0), 0.0);
  expect(__enzyme_fwddiff((void *)rectangular, x, 1.0, 0, 3), 0.0);

  double wanted = 0;
  for (int i = 1; i < 9; i++) wanted += i * pow(x, i - 1);
  expect(__enzyme_fwddiff((void *)triangular, x, 1.0, 9), wanted);

  // n = 2: (x^3 + x) x^2 + x = x^5 + x^3 + x
  expect(__enzyme_fwddiff((void *)carried, x, 1.0, 2), 5 * pow(x, 4) + 3 * x * x + 1);

  wanted = 0;
  for (int i = 0; i < 5; i++)
    for (int j = i; j < 5; j++)
      for (int k = j; k < 5; k++) wanted += (i + j + k) * cos(x * (i + j + k));
  expect(__enzyme_fwddiff((void *)three_deep, x, 1.0, 5), wanted);
  return result_of_test();
}
