// Derivatives do not travel with exceptions.

// REQUIRES: clang
// RUN: %not %clang++ %clangEnzyme -g -O0 -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:
// RUN: %not %clang++ %clangEnzyme -g -O2 -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:

double __enzyme_fwddiff(void *, ...);

__attribute__((noinline)) static double thrower(double x) {
  if (x > 0) throw x * x;
  return x;
}
__attribute__((noinline)) static double catcher(double x) {
  try {
    return thrower(x);
  } catch (double y) {
    return 3 * y;
  }
}

double derivative(double x) { return __enzyme_fwddiff((void *)catcher, x, 1.0); }
// CHECK: exceptions.cpp:{{[0-9]+:[0-9]+}}: error: an exception holds an active value, and derivatives do not travel with exceptions
// CHECK: help: return the value, or write it to memory, and throw what has no derivative: a text, a code
