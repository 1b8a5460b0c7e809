// What is said of functions and variables can be written as attributes by name.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -I%include -Wall -Wextra -Werror %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O2 -DBY_COMMAND -include enzyme/attributes.h && %t

#include "../Inputs/check.h"
#ifndef BY_COMMAND
#include <enzyme/attributes.h>
#endif

double __enzyme_fwddiff(void *, ...);

__attribute__((enzyme_inactive)) static double weight(double x) { return x * x; }
__attribute__((enzyme_inactive)) static double state = 1;
// Nobody could differentiate its body as it stands: what it is like is what counts.
__attribute__((enzyme_function_like("log1p"))) static double logarithm(double x) { return x - x * x / 2; }
__attribute__((enzyme_shouldrecompute)) static double twice(double x) { return 2 * x; }
__attribute__((enzyme_nofree)) static double element(const double *x) { return *x; }
__attribute__((enzyme_notypeanalysis)) static double plain(double x) { return x; }
__attribute__((enzyme_elementwise_read)) static double read(const double *x) { return *x; }

static double f(double x) {
  state = x;
  return weight(x) * x + logarithm(x) + twice(x) + state * x + element(&x) + plain(x) + read(&x);
}

int main(void) {
  for (double x = 0.25; x < 2; x += 0.5)
    expect(__enzyme_fwddiff((void *)f, x, 1.0), x * x + 1 / (1 + x) + 5 + x);
  return result_of_test();
}
