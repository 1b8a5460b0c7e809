// Arrays on the stack, of a known and of a run-time size, copied and cleared.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <string.h>

double __enzyme_fwddiff(void *, ...);

static double powers(double x, int n) {
  double power[16];
  power[0] = 1;
  for (int i = 1; i < 16; i++) power[i] = power[i - 1] * x;
  return power[n];
}

static double sized(double x, int n) {
  double at[n];
  for (int i = 0; i < n; i++) at[i] = i * x;
  double r = 0;
  for (int i = n - 1; i >= 0; i--) r += at[i] * at[n - 1 - i];
  return r;
}

static double copied(double x) {
  double a[8], b[8];
  memset(a, 0, sizeof a);
  a[2] = x * x;
  memcpy(b, a, sizeof b);
  a[2] = 7;
  memmove(b + 1, b, 4 * sizeof *b);
  return b[3] * 2 + b[2] + a[2];
}

static double overwritten(double x) {
  double a[2] = {x, x};
  a[0] = 3;
  a[1] = a[1] * a[1];
  return a[0] * a[1];
}

static double matrix(double x) {
  double m[3][3], r = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m[i][j] = i == j ? x : 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) r += m[i][k] * m[k][j];
  return r;
}

int main(void) {
  double x = 1.2;
  for (int n = 0; n < 16; n++) expect(__enzyme_fwddiff((void *)powers, x, 1.0, n), n * pow(x, n - 1));
  // sum of i (4 - i) x^2 = 10 x^2
  expect(__enzyme_fwddiff((void *)sized, x, 1.0, 5), 20 * x);
  // a[2] moves to b[3]; b[2] is what b[1] was, 0.
  expect(__enzyme_fwddiff((void *)copied, x, 1.0), 4 * x);
  expect(__enzyme_fwddiff((void *)overwritten, x, 1.0), 6 * x);
  // The square of (x - 1) I + J: all entries together are 3 (x - 1)^2 + 18 (x - 1) + 27.
  expect(__enzyme_fwddiff((void *)matrix, x, 1.0), 6 * (x - 1) + 18);
  return result_of_test();
}
