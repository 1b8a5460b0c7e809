// like EnzymeAD/Enzyme#1910
// A std::vector that grows by push_back and resize inside the function.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "Inputs/modes.h"
#include <vector>

double __enzyme_fwddiff(void *, double, double, int);

static double f(double x, int n) {
  std::vector<double> v;
  for (int i = 1; i <= n; i++) v.push_back(x * i);
  v.resize(n + 3);
  double s = 0;
  for (double e : v) s += e * e;
  return s;
}

int main() {
  for (int n = 0; n < 20; n++) {
    double wanted = 1.5 * n * (n + 1) * (2 * n + 1) / 3;
    expect(__enzyme_fwddiff((void *)f, 1.5, 1.0, n), wanted);
    expect_multiples(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, 1.5, MULTIPLES, n), wanted);
    expect_derivatives(wanted, f, 1.5, n);
  }
  return result_of_test();
}
