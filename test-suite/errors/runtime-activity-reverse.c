// What reverse mode cannot do where activity is decided at run time.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -O1 -g -c %s -o %t.o 2>&1 | %FileCheck %s

#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
int enzyme_runtime_activity, enzyme_dup;

static double grown(double *x, double y) {
  // CHECK: runtime-activity-reverse.c:[[#@LINE+1]]:{{[0-9]+}}: error: an operation on memory whose activity is decided at run time with active values is not supported
  x = realloc(x, 2 * sizeof *x);
  x[1] = y;
  double product = x[0] * x[1];
  free(x);
  return product;
}

double derivative(double *x, double *dx, double y) {
  return __enzyme_autodiff((void *)grown, enzyme_runtime_activity, enzyme_dup, x, dx, y);
}
