// A truncated series that sums more terms in its derivatives (`__enzyme_iter`): each derivative is the series of the derivative,
// as exact as the series itself. Up to four derivatives by reverse mode of reverse mode, whose tapes of tapes grow.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, double);
double __enzyme_fwddiff(void *, double, double);
int __enzyme_iter(int terms, int step);

static int terms;

// The beginning of the series of exp: all of its derivatives are exp.
static double exponential(double x) {
  double sum = 0, term = 1;
  int last = __enzyme_iter(terms, 1);
  for (int i = 0; i < last; i++) {
    sum += term;
    term *= x / (i + 1);
  }
  return sum;
}

static double first(double x) { return __enzyme_autodiff((void *)exponential, x); }
static double second(double x) { return __enzyme_autodiff((void *)first, x); }
static double third(double x) { return __enzyme_autodiff((void *)second, x); }
static double fourth(double x) { return __enzyme_autodiff((void *)third, x); }
static double tangent(double x) { return __enzyme_fwddiff((void *)exponential, x, 1.0); }
static double tangent_of_tangent(double x) { return __enzyme_fwddiff((void *)tangent, x, 1.0); }

// A loop that only knows that it is over when it is: what it keeps has room that grows, and moves.

__attribute__((noinline)) static int is_over(int i) { return i >= terms; }

static double rounds(double x) {
  double sum = 0, power = x;
  for (int i = 0; !is_over(i); i++) {
    sum += power * (i % 3 == 1 ? -1 : 1);
    power *= x;
  }
  return sum;
}

static double rounds_first(double x) { return __enzyme_autodiff((void *)rounds, x); }
static double rounds_second(double x) { return __enzyme_autodiff((void *)rounds_first, x); }
static double rounds_third(double x) { return __enzyme_autodiff((void *)rounds_second, x); }

// The derivative of so high an order of the sum of signed powers.
static double wanted_of_rounds(double x, int order) {
  double sum = 0;
  for (int i = 0; i < terms; i++) {
    int exponent = i + 1;
    double term = i % 3 == 1 ? -1 : 1;
    for (int k = 0; k < order; k++) term *= exponent - k;
    if (exponent >= order) sum += term * pow(x, exponent - order);
  }
  return sum;
}

int main(void) {
  double x = 0.8;
  // With more than 16 terms what is kept moves to more room; with more than 32 twice.
  for (terms = 2; terms < 50; terms += 5) {
    double wanted = exponential(x);
    expect(first(x), wanted);
    expect(second(x), wanted);
    expect(third(x), wanted);
    expect(fourth(x), wanted);
    expect(tangent(x), wanted);
    expect(tangent_of_tangent(x), wanted);
    expect(rounds_first(x), wanted_of_rounds(x, 1));
    expect(rounds_second(x), wanted_of_rounds(x, 2));
    expect(rounds_third(x), wanted_of_rounds(x, 3));
  }
  return result_of_test();
}
