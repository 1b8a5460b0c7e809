// C++: markers that are extern, static or inline.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

template <typename... Arguments> double __enzyme_fwddiff(Arguments...);

extern int enzyme_dup;
static int enzyme_const;
inline int enzyme_dupnoneed;

static double product(double x, double y) { return x * y; }

int main() {
  expect(__enzyme_fwddiff((void *)product, enzyme_dup, 2.0, 1.0, enzyme_const, 3.0), 3);
  expect(__enzyme_fwddiff((void *)product, enzyme_dupnoneed, 2.0, 1.0, enzyme_const, 3.0), 3);
  expect(__enzyme_fwddiff((void *)product, &enzyme_dup, 2.0, 1.0, &enzyme_const, 3.0), 3);
  return result_of_test();
}
