// Each attribute in C, at every level of optimisation. `-fplugin` alone brings the attributes and the passes.

// DEFINE: %{compile} = %clang %clangPlugin -Wall -Wextra -Werror %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O0 -g && %t
// RUN: %{compile} -O2 -std=c2x && %t

#include "../Inputs/check.h"

#include <string.h>

#if !defined ENZYME_VERSION_MAJOR || !defined ENZYME_VERSION_MINOR || !defined ENZYME_VERSION_PATCH
#error "the plugin says which version it is"
#endif

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_out;

__attribute__((enzyme_inactive)) static double weight(double x) { return x * x; }
// Spelled with underscores, as GNU attributes may be, and inlined whenever clang is asked to.
__attribute__((__enzyme_inactive__, always_inline)) static inline double inlined(double x) { return 6 * x; }
__attribute__((enzyme_inactive)) static double state = 1;
__attribute__((enzyme_inactive)) double visible = 1;

// What the body computes is something else than what the derivative is taken of.
__attribute__((enzyme_function_like("log1p"))) static double logarithm(double x) { return 2 * x; }

__attribute__((enzyme_shouldrecompute, noinline)) static double twice(int i) { return 2.0 * i; }

// It may do anything with the memory as far as anybody sees, but free it.
static int kept;
__attribute__((enzyme_nofree, noinline)) static double keep(double *p) {
  kept++;
  return *p;
}

// What the bits mean is known here and nowhere else.
__attribute__((enzyme_notypeanalysis, enzyme_inactive, noinline)) static long bits(const void *p) {
  return *(const long *)p >> 63;
}

__attribute__((enzyme_elementwise_read)) static double element(const double *x, int i) { return x[i]; }

static double f(double x) {
  state = x;
  visible = x;
  return weight(x) * inlined(x) * x + logarithm(x) + state * x + visible * x + keep(&x);
}

static double sum(const double *x, int n) {
  double result = 0;
  for (int i = 0; i < n; i++) result += element(x, i) * element(x, i) * twice(i);
  return bits(x) ? -result : result;
}

// A pointer that leads to an inactive variable or to memory with a shadow.
static void scale(int which, double by, double *other) {
  double *p = which ? &state : other;
  *p *= by;
}
static double chosen(int which, double x) {
  double y = x;
  scale(which, x, &y);
  return y;
}

int main(void) {
  for (double x = 0.25; x < 2; x += 0.5) {
    double derivative = 6 * x * x * x + 1 / (1 + x) + 2 * x + 1;
    expect(__enzyme_fwddiff((void *)f, x, 1.0), derivative);
    expect(__enzyme_autodiff((void *)f, x), derivative);
  }
  expect(kept, 8);

  double x[3] = {1.5, 2, 3}, gradient[3] = {0}, direction[3] = {1, -1, 0.5};
  __enzyme_autodiff((void *)sum, enzyme_dup, x, gradient, enzyme_const, 3);
  for (int i = 0; i < 3; i++) expect(gradient[i], 4 * i * x[i]);
  double along = __enzyme_fwddiff((void *)sum, enzyme_dup, x, direction, enzyme_const, 3);
  expect(along, -4 * x[1] + 4 * x[2]);

  for (int which = 0; which < 2; which++) {
    state = 5;
    expect(__enzyme_autodiff((void *)chosen, enzyme_const, which, enzyme_out, 3.0), which ? 1 : 6);
    expect(state, which ? 15 : 5);
    state = 5;
    expect(__enzyme_fwddiff((void *)chosen, enzyme_const, which, enzyme_dup, 3.0, 1.0), which ? 1 : 6);
    expect(state, which ? 15 : 5);
  }
  return result_of_test();
}
