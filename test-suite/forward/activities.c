// The markers of arguments, and what is assumed without them.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

int enzyme_const, enzyme_dup, enzyme_dupnoneed;

static double three(double x, double y, double z) { return x * y * z; }

static double mixed(double x, int n, const double *at, const int *index) { return x * at[index[n]]; }

static double poly(float x, double y) { return x * y * y; }

int main(void) {
  double x = 2, y = 3, z = 5;
  expect(__enzyme_fwddiff((void *)three, enzyme_dup, x, 1.0, enzyme_const, y, enzyme_const, z), y * z);
  expect(__enzyme_fwddiff((void *)three, enzyme_const, x, enzyme_dup, y, 1.0, enzyme_const, z), x * z);
  expect(__enzyme_fwddiff((void *)three, enzyme_const, x, enzyme_const, y, enzyme_dup, z, 1.0), x * y);
  expect(__enzyme_fwddiff((void *)three, enzyme_dupnoneed, x, 1.0, y, 10.0, enzyme_const, z), y * z + 10 * x * z);
  expect(__enzyme_fwddiff((void *)three, x, 1.0, y, 10.0, z, 100.0), y * z + 10 * x * z + 100 * x * y);
  expect(__enzyme_fwddiff((void *)three, enzyme_const, x, enzyme_const, y, enzyme_const, z), 0.0);

  double at[2] = {7, 11}, tangent[2] = {1, 3};
  int index[2] = {1, 0}, no_tangent[2] = {0, 0};
  expect(__enzyme_fwddiff((void *)mixed, x, 1.0, 0, at, tangent, index, no_tangent), 11 + 2 * 3);
  expect(__enzyme_fwddiff((void *)mixed, x, 1.0, 1, at, tangent, enzyme_const, index), 7 + 2 * 1);
  expect(__enzyme_fwddiff((void *)mixed, enzyme_const, x, 0, at, tangent, enzyme_const, index), 2 * 3.0);
  expect(__enzyme_fwddiff((void *)mixed, x, 1.0, 0, enzyme_const, at, enzyme_const, index), 11.0);

  // Without a prototype C hands a float over as a double; the function gets its float.
  expect(__enzyme_fwddiff((void *)poly, 2.0f, 1.0f, y, 1.0), y * y + 2 * 2 * y);
  return result_of_test();
}
