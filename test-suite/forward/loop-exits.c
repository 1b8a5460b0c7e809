// Loops that are left in the middle: break, continue, goto out of two at once, return, and a loop made of gotos.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double breaks(double x, double limit) {
  double r = 1;
  for (int i = 0; i < 100; i++) {
    r *= x;
    if (r > limit) break;
  }
  return r;
}

static double skips(double x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) {
    if (i % 2) continue;
    r += i * x * x;
  }
  return r;
}

static double leaves_both(double x, int n, double limit) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      sum += x * x;
      if (sum > limit) goto out;
    }
    sum *= 1.5;
  }
out:
  return 2 * sum;
}

static double returns(double x, int n) {
  for (int i = 1; i < n; i++) {
    if (i * x > 5) return x * x * i;
    for (int j = 0; j < 3; j++)
      if (x < -j) return x / i;
  }
  return x;
}

static double gotos(double x, int n) {
  double r = x;
again:
  if (n-- == 0) goto done;
  r *= x;
  if (r > 1000) return 1000 + r;
  goto again;
done:
  return r;
}

int main(void) {
  double x = 2;
  // 2^4 is the first above 10.
  expect(__enzyme_fwddiff((void *)breaks, x, 1.0, 10.0, 0.0), 4 * pow(x, 3));
  expect(__enzyme_fwddiff((void *)breaks, 1.0, 1.0, 10.0, 0.0), 100.0);
  expect(__enzyme_fwddiff((void *)skips, x, 1.0, 7), 2 * x * (2 + 4 + 6));

  // Rows of three of 4 each: 12 * 1.5 = 18, then 22, 26 and out; as a polynomial (3 * 1.5 + 2) x^2.
  expect(__enzyme_fwddiff((void *)leaves_both, x, 1.0, 3, 25.0, 0.0), 4 * x * 6.5);
  // Left by the last element, and never.
  expect(__enzyme_fwddiff((void *)leaves_both, x, 1.0, 2, 19.9, 0.0), 4 * x * 5);
  expect(__enzyme_fwddiff((void *)leaves_both, x, 1.0, 2, 1e9, 0.0), 4 * x * 7.5);

  expect(__enzyme_fwddiff((void *)returns, x, 1.0, 9), 2 * x * 3);
  expect(__enzyme_fwddiff((void *)returns, -0.5, 1.0, 9), 1.0);
  expect(__enzyme_fwddiff((void *)returns, 0.1, 1.0, 9), 1.0);

  expect(__enzyme_fwddiff((void *)gotos, x, 1.0, 0), 1.0);
  expect(__enzyme_fwddiff((void *)gotos, x, 1.0, 4), 5 * pow(x, 4));
  expect(__enzyme_fwddiff((void *)gotos, x, 1.0, 400), 10 * pow(x, 9));
  return result_of_test();
}
