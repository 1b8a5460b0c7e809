// A rule takes the shadow of memory that has none.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s

double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const;

struct both {
  double primal, tangent;
};

double f(double x, double *memory);
struct both f_rule(double x, double dx, double *memory, double *dmemory);
void *__enzyme_register_derivative_f[] = {(void *)f, (void *)f_rule};

static double g(double x, double *memory) {
  // CHECK: rule-shadow.c:[[#@LINE+1]]:10: error: the pointer `{{.*}}`, which has no shadow, is needed with one here
  return f(x, memory);
}

double dg(double x, double *p) { return __enzyme_fwddiff((void *)g, enzyme_dup, x, 1.0, enzyme_const, p); }
