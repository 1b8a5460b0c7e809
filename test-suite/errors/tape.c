// What is wrong about the tape of a derivative in two calls.

// REQUIRES: clang
// RUN: not %clang %clangEnzyme -O1 -c %s -o /dev/null 2>&1 | FileCheck %s

#include <stddef.h>

extern int enzyme_dup, enzyme_tape, enzyme_allocated;

double sin(double);
void __enzyme_reverse(void *, ...);
double __enzyme_autodiff(void *, ...);

static void f(double *x) { x[0] = sin(x[0]); }
static double g(double x) { return x * x; }

void too_small(double *x, double *shadow, void *memory) {
  // CHECK: tape.c:[[@LINE+2]]:{{.*}}Enzyme: need 8 bytes have 1 bytes
  // CHECK: the memory for the tape of `f` has 1 bytes, and 8 are needed
  __enzyme_reverse((void *)f, x, shadow, enzyme_allocated, 1, enzyme_tape, memory);
}
