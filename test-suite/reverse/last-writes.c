// What a function writes last is written after the reverse sweep, which reads what was there before: nothing has to be kept
// because results may lie where arguments do, and where they do, the derivative is right, too.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 -g && %t
// RUN: %{compile} -O2 -mllvm -enzyme-max-cache && %t
// RUN: %clang %clangEnzyme %s -O2 -mllvm -enzyme-print-plan -c -o %t.o 2>&1 | %FileCheck %s

// CHECK: plan of @sum_of_squares
// CHECK: it is done when the reverse sweep is over
// CHECK-NOT: may be written later
// CHECK: plan of @normalise

#include "../Inputs/check.h"

#include <string.h>

extern int enzyme_const, enzyme_dup, enzyme_width;

void __enzyme_autodiff(void *, ...);

enum { SIZE = 5 };

static void sum_of_squares(const double *x, int n, double *result) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i] * x[i];
  *result = sum;
}

// All are divided by their norm, which is written, too: over the first of them, if that is where it goes.
static void normalise(const double *x, double *y, double *norm) {
  double unit[SIZE], sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum += x[i] * x[i];
  for (int i = 0; i < SIZE; i++)
    unit[i] = x[i] / sqrt(sum);
  memcpy(y, unit, sizeof unit);
  *norm = sqrt(sum);
}

// What is written is read again.
static void written_and_read(const double *x, double *y) {
  double product = x[0] * x[1];
  *y = product;
  y[1] = x[0] * x[0];
}

static void fill(double *x) {
  for (int i = 0; i < SIZE; i++)
    x[i] = 0.3 + 0.4 * i;
}

int main(void) {
  double x[SIZE], dx[SIZE] = {0}, start[SIZE];
  fill(start);

  // Somewhere else.
  fill(x);
  double result = 0, seed = 2;
  __enzyme_autodiff((void *)sum_of_squares, enzyme_dup, x, dx, enzyme_const, SIZE, enzyme_dup, &result, &seed);
  double sum = 0;
  for (int i = 0; i < SIZE; i++) {
    sum += start[i] * start[i] * start[i];
    expect(dx[i], 2 * 3 * start[i] * start[i]);
    expect(x[i], start[i]);
  }
  expect(result, sum);
  expect(seed, 0);

  // Over one of the arguments; two directions.
  double first[SIZE] = {0}, second[SIZE] = {0};
  first[1] = 1, second[1] = -3;
  __enzyme_autodiff((void *)sum_of_squares, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, SIZE,
                    enzyme_dup, x + 1, first + 1, second + 1);
  for (int i = 0; i < SIZE; i++) {
    expect(first[i], 3 * start[i] * start[i]);
    expect(second[i], -3 * 3 * start[i] * start[i]);
    expect(x[i], i == 1 ? sum : start[i]);
  }

  // An array over itself, and then a number over that.
  fill(x);
  double dy[SIZE];
  double squares = 0, weighted = 0;
  for (int i = 0; i < SIZE; i++)
    squares += start[i] * start[i];
  for (int i = 0; i < SIZE; i++) {
    dy[i] = i + 1;
    if (i != 2) weighted += dy[i] * start[i];
  }
  __enzyme_autodiff((void *)normalise, enzyme_dup, x, dy, enzyme_dup, x, dy, enzyme_dup, x + 2, dy + 2);
  double norm = sqrt(squares);
  for (int i = 0; i < SIZE; i++) {
    expect(x[i], i == 2 ? norm : start[i] / norm);
    double through_norm = 3 * start[i] / norm - weighted * start[i] / (norm * squares);
    expect(dy[i], through_norm + (i == 2 ? 0 : (i + 1) / norm));
  }

  fill(x);
  double dz[SIZE] = {0};
  dz[0] = 1, dz[1] = 1;
  __enzyme_autodiff((void *)written_and_read, enzyme_dup, x, dz, enzyme_dup, x, dz);
  // x[1] becomes the square of the product.
  double product = start[0] * start[1];
  expect(x[0], product);
  expect(x[1], product * product);
  expect(dz[0], (1 + 2 * product) * start[1]);
  expect(dz[1], (1 + 2 * product) * start[0]);
  return result_of_test();
}
