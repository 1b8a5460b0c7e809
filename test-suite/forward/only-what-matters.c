// What does not matter is no obstacle: a function of which nothing is known may be given memory that holds nothing
// active; options say of variables, and of functions, that they do not matter.

// REQUIRES: clang
// RUN: %clang -O0 -c -DELSEWHERE %s -o %t.o
// DEFINE: %{compile} = %clang %clangEnzyme %s %t.o -lm -o %t
// DEFINE: %{options} = -DOPTIONS -mllvm -enzyme-globals-default-inactive -mllvm -enzyme-emptyfn-inactive
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O0 %{options} && %t
// RUN: %{compile} -O2 %{options} && %t

#include "../Inputs/check.h"

#ifdef ELSEWHERE

long steps;
void count(long *steps_taken, int limit) { steps += *steps_taken < limit; }
double noise(double x) { return 0.0 * x; }

#else

double __enzyme_fwddiff(void *, ...);

// Not defined here, and not known.
void count(long *steps_taken, int limit);
double noise(double x);

// Newton's method for the square root, with its steps counted elsewhere.
static double root(double x) {
  long taken = 0;
  double r = x;
  while (fabs(r * r - x) > 1e-13) {
    r = 0.5 * (r + x / r);
    taken++;
    count(&taken, 100);
  }
  return r;
}

double weights[4] = {1, 2, 3, 4};

// With `i` equal to `j` it is x * x, unless variables are said not to matter.
static double through_variable(double x, int i, int j) {
  weights[i] = x;
  return weights[j] * x;
}

static double noisy(double x) { return x * x + noise(x); }

int main(void) {
  expect(__enzyme_fwddiff((void *)root, 2.0, 1.0), 0.5 / sqrt(2.0));
#ifdef OPTIONS
  expect(__enzyme_fwddiff((void *)through_variable, 5.0, 1.0, 1, 1), 5.0);
  expect(__enzyme_fwddiff((void *)noisy, 3.0, 1.0), 6.0);
#else
  expect(__enzyme_fwddiff((void *)through_variable, 5.0, 1.0, 1, 1), 10.0);
#endif
  return result_of_test();
}

#endif
