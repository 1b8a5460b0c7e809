// `-fplugin` alone also brings the options.

// RUN: %clang %clangPlugin -O2 -mllvm -enzyme-print -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: define {{.*}} @fwddiffef(

double __enzyme_fwddiff(void *, ...);
static double f(double x) { return x * x; }
double g(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
