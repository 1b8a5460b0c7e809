// like EnzymeAD/Enzyme#702
// The gradient of three numbers, in a struct of an array or of scalars; a variadic declaration with some arguments marked.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

typedef struct { double d[3]; } Array;
typedef struct { double a, b, c; } Scalars;
typedef struct { double d[3][2]; } ArrayTwice;
typedef struct { double a[2], b[2], c[2]; } ScalarsTwice;

Array __enzyme_autodiff_array(void *, double, double, double);
Scalars __enzyme_autodiff_scalars(void *, double, double, double);
Array __enzyme_autodiff_mixed(void *, ...);
ArrayTwice __enzyme_autodiff_array_twice(void *, ...);
ScalarsTwice __enzyme_autodiff_scalars_twice(void *, ...);
Array __enzyme_reverse_array(void *, ...);
Scalars __enzyme_reverse_scalars(void *, ...);
ArrayTwice __enzyme_reverse_array_twice(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double product(double x, double y, double z) { return x * y * z; }

int main(void) {
  double x = 1.5, y = -2, z = 7;
  Array array = __enzyme_autodiff_array((void *)product, x, y, z);
  expect(array.d[0], y * z);
  expect(array.d[1], x * z);
  expect(array.d[2], x * y);
  Scalars scalars = __enzyme_autodiff_scalars((void *)product, x, y, z);
  expect(scalars.a, y * z);
  expect(scalars.b, x * z);
  expect(scalars.c, x * y);
  array = __enzyme_autodiff_mixed((void *)product, enzyme_out, x, y, enzyme_out, z);
  expect(array.d[0], y * z);
  expect(array.d[1], x * z);
  expect(array.d[2], x * y);

  ArrayTwice arrays = __enzyme_autodiff_array_twice((void *)product, enzyme_width, 2, x, y, z);
  ScalarsTwice both = __enzyme_autodiff_scalars_twice((void *)product, enzyme_width, 2, x, enzyme_out, y, z);
  for (int direction = 0; direction < 2; direction++) {
    expect(arrays.d[0][direction], y * z);
    expect(arrays.d[1][direction], x * z);
    expect(arrays.d[2][direction], x * y);
    expect(both.a[direction], y * z);
    expect(both.b[direction], x * z);
    expect(both.c[direction], x * y);
  }

  Augmented there = __enzyme_augmentfwd((void *)product, x, y, z);
  expect(there.value, x * y * z);
  array = __enzyme_reverse_array((void *)product, x, y, z, 3.0, there.tape);
  expect(array.d[0], 3 * y * z);
  expect(array.d[1], 3 * x * z);
  expect(array.d[2], 3 * x * y);
  there = __enzyme_augmentfwd((void *)product, x, y, z);
  scalars = __enzyme_reverse_scalars((void *)product, x, y, z, 3.0, there.tape);
  expect(scalars.a, 3 * y * z);
  expect(scalars.b, 3 * x * z);
  expect(scalars.c, 3 * x * y);
  there = __enzyme_augmentfwd((void *)product, enzyme_width, 2, x, y, z);
  arrays = __enzyme_reverse_array_twice((void *)product, enzyme_width, 2, x, y, z, 3.0, there.tape);
  for (int direction = 0; direction < 2; direction++) {
    expect(arrays.d[0][direction], 3 * y * z);
    expect(arrays.d[1][direction], 3 * x * z);
    expect(arrays.d[2][direction], 3 * x * y);
  }

  expect(__enzyme_fwddiff((void *)product, x, 1.0, y, 0.0, z, 0.0), y * z);
  Four four = __enzyme_fwddiff_four((void *)product, enzyme_width, 4, enzyme_dup, x, 1.0, 0.0, 0.0, 1.0, enzyme_dup, y, 0.0,
                                    1.0, 0.0, 1.0, enzyme_dup, z, 0.0, 0.0, 1.0, 1.0);
  expect(four.at[0], y * z);
  expect(four.at[1], x * z);
  expect(four.at[2], x * y);
  expect(four.at[3], y * z + x * z + x * y);
  return result_of_test();
}
