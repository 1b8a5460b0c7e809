// like EnzymeAD/Enzyme#2855
// pow at base 0, with negative bases, and with integer exponents: finite where the mathematics is.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double power(double x, double y) { return pow(x, y); }
static double integer_power(double x, int n) { return __builtin_powi(x, n); }

int main(void) {
  // At (0, 1): d/dx is 1, and d/dy is 0 and not log(0) * 0.
  expect_partials(power, 0.0, 1.0, 1, 0);
  expect(__enzyme_fwddiff((void *)power, 0.0, 1.0, 1.0, 1.0), 1);
  expect(__enzyme_fwddiff((void *)power, 0.0, 1.0, 1.0, 0.0), 1);
  expect(__enzyme_fwddiff((void *)power, 0.0, 0.0, 1.0, 1.0), 0);

  for (int n = 1; n < 5; n++) {
    expect_partials(power, 0.0, n, n == 1, 0);
    expect_derivatives(n == 1, power, 0.0, enzyme_const, (double)n);
    // A negative base with a whole exponent.
    expect_derivatives(n * pow(-1.5, n - 1), power, -1.5, enzyme_const, (double)n);
    expect(__enzyme_fwddiff((void *)power, -1.5, 1.0, (double)n, 0.0), n * pow(-1.5, n - 1));
    expect_multiples(
        __enzyme_fwddiff_four((void *)power, enzyme_width, 4, enzyme_dup, -1.5, MULTIPLES, enzyme_const, (double)n),
        n * pow(-1.5, n - 1));
    expect_multiples(
        __enzyme_fwddiff_four((void *)power, enzyme_width, 4, enzyme_dup, 0.0, MULTIPLES, enzyme_const, (double)n), n == 1);
  }

  double at[] = {0, -2, 1.5};
  for (int i = 0; i < 3; i++) {
    expect(__enzyme_fwddiff((void *)integer_power, at[i], 1.0, 0), 0);
    expect_multiples(__enzyme_fwddiff_four((void *)integer_power, enzyme_width, 4, enzyme_dup, at[i], MULTIPLES, 0), 0);
    expect_multiples(__enzyme_fwddiff_four((void *)integer_power, enzyme_width, 4, enzyme_dup, at[i], MULTIPLES, 3),
                     3 * at[i] * at[i]);
    expect_derivatives(0, integer_power, at[i], 0);
    expect(__enzyme_fwddiff((void *)integer_power, at[i], 1.0, 1), 1);
    expect_derivatives(3 * at[i] * at[i], integer_power, at[i], 3);
  }
  return result_of_test();
}
