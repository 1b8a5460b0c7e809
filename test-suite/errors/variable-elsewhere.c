// A variable that another file defines has no shadow here: an error where active values go through it.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -O2 -c %s -o %t.o 2>&1 | %FileCheck %s

extern double total, scale, *const place;
double __enzyme_fwddiff(void *, ...);

// CHECK: variable-elsewhere.c:[[@LINE+2]]:{{[0-9]+}}: error: active values go through `total`, which is defined elsewhere and has no shadow here
// CHECK: help: define `total` in this file (or link with `-flto`), name its shadow
static double add(double x) { return total += x * x; }

double derivative(double x) { return __enzyme_fwddiff((void *)add, x, 1.0); }
