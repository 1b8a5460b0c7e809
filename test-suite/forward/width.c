// enzyme_width: several directions in one call; the result is an array with one derivative for each.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_width;

typedef struct { double at[4]; } Four;
typedef struct { double at[2]; } Two;

Four __enzyme_fwddiff_four(void *, ...);
Two __enzyme_fwddiff_two(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);

static double product(double x, double y) { return x * y + sin(x); }

static double loop(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) {
    r *= x;
    if (r > 100) break;
  }
  return r;
}

static double squares(const double *at, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) r += at[i] * at[i];
  return r;
}

static void doubled(const double *from, double *to) { *to = 2 * *from; }

int main(void) {
  double x = 1.3, y = 0.7;
  Four f = __enzyme_fwddiff_four((void *)product, enzyme_width, 4, x, 1.0, 0.0, 1.0, 2.0, y, 0.0, 1.0, 1.0, -1.0);
  expect(f.at[0], y + cos(x));
  expect(f.at[1], x);
  expect(f.at[2], y + cos(x) + x);
  expect(f.at[3], 2 * (y + cos(x)) - x);

  Two t = __enzyme_fwddiff_two((void *)loop, enzyme_width, 2, enzyme_dup, x, 1.0, -3.0, enzyme_const, 5);
  expect(t.at[0], 5 * pow(x, 4));
  expect(t.at[1], -15 * pow(x, 4));

  double at[3] = {1, 2, 3}, first[3] = {1, 0, 0}, second[3] = {0, 1, 1};
  t = __enzyme_fwddiff_two((void *)squares, enzyme_width, 2, enzyme_dup, at, first, second, 3);
  expect(t.at[0], 2.0);
  expect(t.at[1], 10.0);

  double both[2][3] = {{1, 0, 0}, {0, 1, 1}};
  t = __enzyme_fwddiff_two((void *)squares, enzyme_width, 2, enzyme_dupv, sizeof both[0], at, both, 3);
  expect(t.at[0], 2.0);
  expect(t.at[1], 10.0);

  double from = 5, dfrom[2] = {1, 7}, to = 0, dto[2] = {0, 0};
  __enzyme_fwddiff_nothing((void *)doubled, enzyme_width, 2, &from, &dfrom[0], &dfrom[1], &to, &dto[0], &dto[1]);
  expect(to, 10.0);
  expect(dto[0], 2.0);
  expect(dto[1], 14.0);
  return result_of_test();
}
