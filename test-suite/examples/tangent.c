// The derivative in one direction, of a function with a loop. Run it with
//
//     cargo xtask run test-suite/examples/tangent.c

#include <math.h>
#include <stdio.h>

// The square root of x, by Newton's method: a loop that runs until nothing changes any more.
static double newton(double x) {
  double root = x, last;
  do {
    last = root;
    root = 0.5 * (root + x / root);
  } while (fabs(root - last) > 1e-15 * root);
  return root;
}

// Forward mode: after each argument comes its tangent, the direction in which it moves. Any name that contains
// `__enzyme_fwddiff` will do, with the types of your function.
double __enzyme_fwddiff(void *function, double x, double tangent_of_x);

int main(void) {
  double x = 2.0;
  printf("newton(%g)  = %f\n", x, newton(x));
  printf("derivative = %f\n", __enzyme_fwddiff((void *)newton, x, 1.0));
  printf("1/(2*root) = %f\n", 0.5 / sqrt(x));
  return 0;
}

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t | %FileCheck %s
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t | %FileCheck %s

// CHECK: newton(2)  = 1.414214
// CHECK-NEXT: derivative = 0.353553
// CHECK-NEXT: 1/(2*root) = 0.353553
