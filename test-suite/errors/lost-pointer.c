// A pointer that integer arithmetic makes of two has no known shadow; the distance of two pointers is a number, and what is
// made of one leads to a place relative to it.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -O2 -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:

#include <stdint.h>

double __enzyme_fwddiff(void *, ...);

static double distance(double *from, double *to) { return *from * (double)(to - from); }

double fine(double *p, double *d) { return __enzyme_fwddiff((void *)distance, p, d, p + 3, d + 3); }

static double tagged(double *p) { return *(double *)((uintptr_t)p & ~(uintptr_t)1); }

double fine_too(double *p, double *d) { return __enzyme_fwddiff((void *)tagged, p, d); }

// As in lists whose links are both neighbours in one.
static double linked(double *link, double *before) {
  // CHECK: lost-pointer.c:[[#@LINE+2]]:{{[0-9]+}}: error: a pointer to memory with a shadow is made from an integer, and its own shadow is not known
  // CHECK: help: compute addresses with pointers (`char *`) instead of integers
  double *after = (double *)((uintptr_t)link ^ (uintptr_t)before);
  return *after;
}

double refused(double *p, double *d) { return __enzyme_fwddiff((void *)linked, p, d, p + 1, d + 1); }
// CHECK: 1 error generated.
