// How the function to differentiate can be given: by name, cast, by address, through constant pointers and tables, local
// variables, and aliases.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef double Function(double);

double __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_typed(Function *, double, double);
double __enzyme_fwddiff_number(unsigned long, double, double);

double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
double also_square(double x) __attribute__((alias("square")));
inline static double in_line(double x) { return 7 * x; }

static Function *const constant_pointer = cube;
Function *const visible_pointer = square;

int main(void) {
  expect(__enzyme_fwddiff(square, 3.0, 1.0), 6);
  expect(__enzyme_fwddiff(&square, 3.0, 1.0), 6);
  expect(__enzyme_fwddiff((void *)square, 3.0, 1.0), 6);
  expect(__enzyme_fwddiff_typed(cube, 3.0, 1.0), 27);
  expect(__enzyme_fwddiff_typed((Function *)(void *)(long)cube, 3.0, 1.0), 27);
  expect(__enzyme_fwddiff_number((unsigned long)cube, 3.0, 1.0), 27);
  expect(__enzyme_fwddiff((void *)also_square, 3.0, 1.0), 6);
  expect(__enzyme_fwddiff((void *)in_line, 3.0, 1.0), 7);
  expect(__enzyme_fwddiff((void *)constant_pointer, 3.0, 1.0), 27);
  expect(__enzyme_fwddiff((void *)visible_pointer, 3.0, 1.0), 6);

  Function *const local_constant = cube;
  expect(__enzyme_fwddiff((void *)local_constant, 3.0, 1.0), 27);
  Function *local = square;
  expect(__enzyme_fwddiff((void *)local, 3.0, 1.0), 6);
  // Used otherwise, too.
  expect(local(3.0), 9);
  return result_of_test();
}
