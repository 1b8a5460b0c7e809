// A call of an entry point that may throw (an invoke) is replaced by one; its result is used on the normal path, and
// merged after the handler.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

static int destroyed;

struct Counter {
  ~Counter() { destroyed++; }
};

static double root(double x) {
  if (x < 0) throw x;
  return sqrt(x);
}

static double derivative(double x) {
  Counter counter;
  double result = -1;
  try {
    result = __enzyme_fwddiff((void *)root, x, 1.0) * 10;
  } catch (double value) {
    result = value;
  }
  return result;
}

int main() {
  expect(derivative(4.0), 2.5);
  expect(destroyed, 1);
  expect(derivative(-4.0), -4.0);
  expect(destroyed, 2);
  return result_of_test();
}
