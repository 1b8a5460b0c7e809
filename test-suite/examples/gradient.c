// The gradient of a C function. Run it with
//
//     cargo xtask run test-suite/examples/gradient.c

#include <math.h>
#include <stdio.h>

// The function to differentiate: an ordinary C function, loop-free here, with calls of the C library.
static double f(double x, double y) { return x * x * sin(y) + exp(x * y); }

// One derivative for each argument, in their order.
typedef struct {
  double x, y;
} Gradient;

// EnzymeRS replaces each call of a function whose name begins like this by the derivative of the function that is its
// first argument. It is only declared: the compiler writes it.
Gradient __enzyme_autodiff(void *function, double x, double y);

int main(void) {
  double x = 0.5, y = 2.0;
  Gradient gradient = __enzyme_autodiff((void *)f, x, y);

  printf("f(x, y) = x*x*sin(y) + exp(x*y) = %f\n", f(x, y));
  printf("df/dx   = %f\n", gradient.x);
  printf("df/dy   = %f\n", gradient.y);
  return 0;
}

// The harness runs what follows: at each level of optimisation the output is the same.
// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t | %FileCheck %s
// RUN: %clang %clangEnzyme -O1 %s -lm -o %t && %t | %FileCheck %s
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t | %FileCheck %s
// RUN: %clang %clangEnzyme -O3 %s -lm -o %t && %t | %FileCheck %s

// CHECK: f(x, y) = x*x*sin(y) + exp(x*y) = 2.945606
// CHECK-NEXT: df/dx   = 6.345861
// CHECK-NEXT: df/dy   = 1.255104
