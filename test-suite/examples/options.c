// What can be said about each argument: a marker before it.

#include <stdio.h>

// Markers are names. EnzymeRS recognises them in the call and removes them: nothing need define them.
extern int enzyme_const;         // the next argument is a constant: no derivative
extern int enzyme_out;           // the next argument's derivative is returned (floating-point values by default)
extern int enzyme_dup;           // the next two are a value (or pointer) and its tangent (or a pointer to it)
extern int enzyme_width;         // so many directions in one call
extern int enzyme_primal_return; // the result of the function comes before its derivative

static double volume(double radius, double height, int parts) { return 3.0 * radius * radius * height / parts; }

static double squares(const double *at, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += at[i] * at[i];
  return sum;
}

typedef struct {
  double value, by_radius;
} ValueAndDerivative;

typedef struct {
  double direction[2];
} TwoDirections;

ValueAndDerivative __enzyme_autodiff_value(void *, ...);
double __enzyme_fwddiff(void *, ...);
TwoDirections __enzyme_fwddiff_two(void *, ...);

int main(void) {
  // Integers are constants without a marker.
  ValueAndDerivative v = __enzyme_autodiff_value((void *)volume, enzyme_primal_return, enzyme_out, 2.0, enzyme_const, 5.0, 1);
  printf("volume = %g, by radius %g\n", v.value, v.by_radius);

  // Behind a pointer the tangent lies in memory of the same shape.
  double at[3] = {1, 2, 3}, direction[3] = {1, 0, -1}, other[3] = {0, 1, 0};
  printf("along one direction %g\n", __enzyme_fwddiff((void *)squares, enzyme_dup, at, direction, 3));

  TwoDirections two = __enzyme_fwddiff_two((void *)squares, enzyme_width, 2, enzyme_dup, at, direction, other, 3);
  printf("along two directions %g and %g\n", two.direction[0], two.direction[1]);
  return 0;
}

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -o %t && %t | %FileCheck %s
// RUN: %clang %clangEnzyme -O2 %s -o %t && %t | %FileCheck %s

// CHECK: volume = 60, by radius 60
// CHECK-NEXT: along one direction -4
// CHECK-NEXT: along two directions -4 and 4
