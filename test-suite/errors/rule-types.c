// A rule whose type does not fit is an error that shows both types.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s

double __enzyme_fwddiff(void *, ...);

struct both {
  double primal, tangent;
};

double a(double x, double y);
// CHECK: rule-types.c:[[#@LINE+1]]:{{.*}}`a_rule` does not fit as the derivative of `a`
struct both a_rule(double x, double dx) { return (struct both){x, dx}; }
// CHECK-NEXT: note: `a` has the type `double (double, double)`
// CHECK-NEXT: note: `a_rule` has the type `{ double, double } (double, double)`
// CHECK-NEXT: help: it takes each argument followed by its tangent, and returns a struct of the result and its tangent: `{ double, double } (double, double, double, double)`
void *__enzyme_register_derivative_a[] = {(void *)a, (void *)a_rule};

void b(double *x);
// CHECK: `b_rule` does not fit as the derivative of `b`
double b_rule(double *x, double *dx) { return *dx; }
void *__enzyme_register_derivative_b[] = {(void *)b, (void *)b_rule};

static double f(double x) { return x; }
double df(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
// CHECK: 2 errors generated.
