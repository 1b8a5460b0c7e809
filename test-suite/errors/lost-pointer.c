// A pointer that comes out of integer arithmetic has no known shadow; the distance of two pointers is a number.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -O2 -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:

#include <stdint.h>

double __enzyme_fwddiff(void *, ...);

static double distance(double *from, double *to) { return *from * (double)(to - from); }

double fine(double *p, double *d) { return __enzyme_fwddiff((void *)distance, p, d, p + 3, d + 3); }

static double tagged(double *p) {
  // CHECK: lost-pointer.c:[[#@LINE+2]]:{{[0-9]+}}: error: a pointer to memory with a shadow is made from an integer, and its own shadow is not known
  // CHECK: help: compute addresses with pointers (`char *`) instead of integers
  double *q = (double *)((uintptr_t)p & ~(uintptr_t)1);
  return *q;
}

double refused(double *p, double *d) { return __enzyme_fwddiff((void *)tagged, p, d); }
// CHECK: 1 error generated.
