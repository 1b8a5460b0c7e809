// The gradient through calls that may throw, where they do not.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -lm -o %t && %t
// RUN: %{compile} -O2 -DCAUGHT && %not --crash %t 2>&1 | %FileCheck %s
// CHECK: an exception was caught in what is differentiated, and derivatives do not travel with exceptions

#include "../Inputs/check.h"

#include <memory>

extern int enzyme_dup, enzyme_const;
template <typename... T> double __enzyme_autodiff(void *, T...);

static int alive;
struct Guard {
  Guard() { alive++; }
  ~Guard() { alive--; }
};

__attribute__((noinline)) static double checked(double x) {
  if (x < 0) throw 7;
  return x * x;
}

static double guarded(double x) {
  Guard guard;
  return x * checked(x);
}

static double in_loop(const double *x, int n) {
  double product = 1;
  for (int i = 0; i < n; i++) {
    Guard guard;
    double square = checked(x[i]);
    if (i % 2) product *= checked(square);
    else product *= square;
  }
  return product;
}

static double caught(double x) {
  double result = 0;
  try {
    result = checked(x) * x;
  } catch (int) {
    result = 2 * x;
  }
  return result * result;
}

static double owned(const double *x, int n) {
  auto values = std::make_unique<double[]>(n);
  for (int i = 0; i < n; i++) values[i] = checked(x[i]);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += values[i] * values[n - 1 - i];
  return sum;
}

int main() {
  expect(__enzyme_autodiff((void *)guarded, 1.5), 3 * 1.5 * 1.5);
  expect(alive, 0);

  double x[4] = {1.1, 0.7, 1.3, 0.9}, gradient[4] = {0};
  __enzyme_autodiff((void *)in_loop, enzyme_dup, x, gradient, enzyme_const, 4);
  double product = pow(1.1, 2) * pow(0.7, 4) * pow(1.3, 2) * pow(0.9, 4);
  for (int i = 0; i < 4; i++) expect(gradient[i], (i % 2 ? 4 : 2) * product / x[i]);

  expect(__enzyme_autodiff((void *)caught, 0.8), 6 * pow(0.8, 5));

  double slopes[4] = {0};
  __enzyme_autodiff((void *)owned, enzyme_dup, x, slopes, enzyme_const, 4);
  for (int i = 0; i < 4; i++) expect(slopes[i], 4 * x[i] * x[3 - i] * x[3 - i]);

  // An exception that nobody catches on the way leaves the derivative.
  bool left = false;
  try {
    __enzyme_autodiff((void *)guarded, -1.0);
  } catch (int what) {
    left = what == 7;
  }
  expect(left, 1);
  expect(alive, 0);
#ifdef CAUGHT
  fflush(stdout);
  __enzyme_autodiff((void *)caught, -1.0);
#endif
  return result_of_test();
}
