// What a rule returns: a struct of the result and its tangent in whatever clothes the C ABI gives it, or the tangent alone.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);
long double __enzyme_fwddiff_long(void *, ...);
int enzyme_dup, enzyme_const;

// Two floats come back in one vector.
static float narrow(float x) { return x * x; }
struct floats {
  float primal, tangent;
};
static struct floats narrow_rule(float x, float dx) { return (struct floats){x * x, 10 * dx}; }
void *__enzyme_register_derivative_narrow[] = {(void *)narrow, (void *)narrow_rule};

// Two long doubles come back in memory.
static long double wide(long double x) { return x * x; }
struct longs {
  long double primal, tangent;
};
static struct longs wide_rule(long double x, long double dx) { return (struct longs){x * x, 20 * dx}; }
void *__enzyme_register_derivative_wide[] = {(void *)wide, (void *)wide_rule};

// The tangent alone: the function itself computes its result.
static int calls;
static double plain(double x, int n) {
  calls++;
  return x * n;
}
static double plain_rule(double x, double dx, int n) { return 30 * n * dx; }
void *__enzyme_register_derivative_plain[] = {(void *)plain, (void *)plain_rule};

// Integers may come twice, as floats do.
static double twice(double x, int n) { return x * n; }
static double twice_rule(double x, double dx, int n, int same) { return n == same ? 40 * dx : 0; }
void *__enzyme_register_derivative_twice[] = {(void *)twice, (void *)twice_rule};

// A parameter without a derivative, found by the types: the table.
static double looked_up(const double *table, double x, long i) { return table[i] * x; }
static double looked_up_rule(const double *table, double x, double dx, long i) { return 50 * table[i] * dx; }
void *__enzyme_register_derivative_looked_up[] = {(void *)looked_up, (void *)looked_up_rule};

// A struct comes back in memory, and so does its tangent: a pointer each.
struct triple {
  double a, b, c;
};
__attribute__((noinline)) static struct triple triple(double x) { return (struct triple){x, x * x, x * x * x}; }
static void triple_rule(struct triple *result, struct triple *tangent, double x, double dx) {
  *result = (struct triple){x, x * x, x * x * x};
  *tangent = (struct triple){60 * dx, 70 * dx, 80 * dx};
}
void *__enzyme_register_derivative_triple[] = {(void *)triple, (void *)triple_rule};

// The result is an integer, which has no tangent.
static int rounded(double *x) {
  *x = *x + 0.5;
  return (int)*x;
}
static int rounded_rule(double *x, double *dx) {
  *x = *x + 0.5;
  *dx = 90 * *dx;
  return (int)*x;
}
void *__enzyme_register_derivative_rounded[] = {(void *)rounded, (void *)rounded_rule};

static float through_narrow(float x) { return narrow(x) * 2; }
static long double through_wide(long double x) { return wide(x) * 2; }
static double through_plain(double x) { return plain(x, 3) + x; }
static double through_twice(double x) { return twice(x, 3); }
static double through_table(double x) {
  static const double table[] = {1, 2, 4};
  return looked_up(table, x, 2);
}
static double through_triple(double x) {
  struct triple t = triple(x);
  return t.a + t.b * t.c;
}
static double through_rounded(double x) {
  int n = rounded(&x);
  return n * x;
}

int main(void) {
  expect_float(__enzyme_fwddiff_float((void *)through_narrow, 3.0f, 1.0f), 20.0);
  expect((double)__enzyme_fwddiff_long((void *)through_wide, 3.0L, 1.0L), 40.0);
  expect(__enzyme_fwddiff((void *)through_plain, 2.0, 1.0), 91.0);
  expect(calls, 1);
  expect(__enzyme_fwddiff((void *)through_twice, 2.0, 1.0), 40.0);
  expect(__enzyme_fwddiff((void *)through_table, 2.0, 1.0), 200.0);
  // 60 + 70 * 8 + 4 * 80
  expect(__enzyme_fwddiff((void *)through_triple, 2.0, 1.0), 940.0);
  expect(__enzyme_fwddiff((void *)through_rounded, 2.75, 1.0), 270.0);
  return result_of_test();
}
