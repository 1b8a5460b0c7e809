// One wrong call among right ones: every wrong one is reported, and no object file is written.

// REQUIRES: clang
// RUN: rm -f %t.o
// RUN: %not %clang %clangEnzyme -g -O2 -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:
// RUN: test ! -e %t.o
// RUN: %clang %clangEnzyme -g -O2 -DRIGHT -c %s -o %t.o

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double mystery(double);

static double square(double x) { return x * x; }
static double unknown(double x) { return mystery(x); }

double right(double x) { return __enzyme_autodiff((void *)square, x); }
double also_right(double x) { return __enzyme_fwddiff((void *)square, x, 1.0); }

#ifndef RIGHT
// CHECK: nothing-half-done.c:14:42: error: no derivative is known for `mystery`
// CHECK: nothing-half-done.c:14:42: error: no derivative is known for `mystery`
double wrong(double x) { return __enzyme_autodiff((void *)unknown, x); }
double also_wrong(double x) { return __enzyme_fwddiff((void *)unknown, x, 1.0); }
#endif

double right_again(double x) { return __enzyme_autodiff((void *)square, x); }
