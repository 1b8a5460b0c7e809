// C++: calls that may throw, destructors that run on the way out, exceptions that are caught inside and outside.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

static int alive;

struct Guard {
  Guard() { alive++; }
  ~Guard() { alive--; }
};

__attribute__((noinline)) static double checked_root(double x) {
  if (x < 0) throw 7;
  return sqrt(x);
}

static double guarded(double x) {
  Guard guard;
  return checked_root(x) * x;
}

static double recovers(double x) {
  try {
    return checked_root(x) * 2;
  } catch (int code) {
    return code * x * x;
  }
}

__attribute__((noinline)) static double in_a_loop(double x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++) {
    Guard guard;
    r += checked_root(x + i);
  }
  return r;
}

int main() {
  double x = 2.25;
  expect(__enzyme_fwddiff((void *)guarded, x, 1.0), 1.5 * sqrt(x));
  expect(alive, 0);

  expect(__enzyme_fwddiff((void *)recovers, x, 1.0), 1 / sqrt(x));
  expect(__enzyme_fwddiff((void *)recovers, -3.0, 1.0), 7 * 2 * -3.0);

  expect(__enzyme_fwddiff((void *)in_a_loop, x, 1.0, 3),
         0.5 / sqrt(x) + 0.5 / sqrt(x + 1) + 0.5 / sqrt(x + 2));
  expect(alive, 0);

  // Out of the derivative, and through the marker call itself.
  int caught = 0;
  try {
    Guard guard;
    __enzyme_fwddiff((void *)guarded, -1.0, 1.0);
  } catch (int code) {
    caught = code;
  }
  expect(caught, 7);
  expect(alive, 0);
  return result_of_test();
}
