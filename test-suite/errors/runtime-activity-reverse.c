// Activity that is decided at run time is for forward mode only so far.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -O1 -c %s -o %t.o 2>&1 | %FileCheck %s

double __enzyme_autodiff(void *, ...);
int enzyme_runtime_activity;

static double square(double x) { return x * x; }

// CHECK: error: activity that is decided at run time is not supported in reverse mode yet
// CHECK: help: use forward mode
double derivative(double x) { return __enzyme_autodiff((void *)square, enzyme_runtime_activity, x); }
