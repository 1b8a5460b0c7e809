// What a `scanf` writes must be known where it writes to memory with a shadow.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -O2 -c %s -o %t.o 2>&1 | %FileCheck %s

#include <stdio.h>

double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double f(double *x, const char *text, const char *format) {
  // CHECK: unknown-format.c:[[#@LINE+1]]:{{.*}}error: memory with a shadow (`{{.*}}`) is overwritten with numbers from elsewhere, nobody knows how many
  sscanf(text, format, x);
  return x[0] * x[0];
}

// CHECK: help: write the format of `scanf` where it is called
double tangent(double *x, double *dx, const char *text, const char *format) {
  return __enzyme_fwddiff((void *)f, enzyme_dup, x, dx, enzyme_const, text, enzyme_const, format);
}
