// like EnzymeAD/Enzyme#2842
// A product of matrices, along its scalar factor and along one matrix.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static void gemm(int n, double al, const double *A, const double *B, double *Cc) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double s = 0;
      for (int k = 0; k < n; k++) s += A[i * n + k] * B[k * n + j];
      Cc[i * n + j] = al * s;
    }
}

static double f(double al, const double *A, const double *B) {
  double c[9], s = 0;
  gemm(3, al, A, B, c);
  for (int i = 0; i < 9; i++) s += c[i];
  return s;
}

#define FOR_A(OF) enzyme_const, 2.0, enzyme_dup, A, OF(dA), enzyme_const, B
#define FOR_BOTH(OF) enzyme_const, 2.0, enzyme_dup, A, OF(dA), enzyme_dup, B, OF(dB)

int main(void) {
  double A[9], B[9], all[9], product = 0;
  for (int i = 0; i < 9; i++) A[i] = i + 1, B[i] = 0.5 * i - 2;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) product += A[i * 3 + k] * B[k * 3 + j];
  expect(__enzyme_fwddiff((void *)f, enzyme_dup, 2.0, 1.0, enzyme_const, A, enzyme_const, B), product);
  expect_multiples(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, 2.0, MULTIPLES, enzyme_const, A,
                                         enzyme_const, B),
                   product);
  for (int k = 0; k < 9; k++) {
    double dA[9] = {0}, wanted = 0;
    dA[k] = 1;
    for (int j = 0; j < 3; j++) wanted += 2.0 * B[k % 3 * 3 + j];
    expect(__enzyme_fwddiff((void *)f, enzyme_const, 2.0, enzyme_dup, A, dA, enzyme_const, B), wanted);
    all[k] = wanted;
  }
  for (int k = 0; k < 9; k++) {
    UNITS(directions, 9, k);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_const, 2.0, enzyme_dup, A, ALL(directions),
                                       enzyme_const, B),
                 all, 9, k);
  }
  double by_B[9], dA[4][9] = {{0}}, dB[4][9] = {{0}};
  for (int k = 0; k < 9; k++) by_B[k] = 2.0 * (A[k / 3] + A[3 + k / 3] + A[6 + k / 3]);
  expect_derivatives(product, f, enzyme_out, 2.0, enzyme_const, A, enzyme_const, B);
  expect_gradients(f, FOR_A, dA, all);
  expect_gradients(f, FOR_BOTH, dB, by_B);
  return result_of_test();
}
