// Memory that is aligned by hand: an address becomes an integer, is rounded up, and becomes an address again.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <stdint.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { COUNT = 8, ALIGNMENT = 256 };

// The address that `free` wants lies before the first element.
static double *allocate(size_t bytes) {
  void *whole = malloc(bytes + ALIGNMENT);
  void *aligned = (void *)(((uintptr_t)whole & ~(uintptr_t)(ALIGNMENT - 1)) + ALIGNMENT);
  ((void **)aligned)[-1] = whole;
  return aligned;
}

static void release(double *aligned) { free(((void **)aligned)[-1]); }

// The same with a remainder.
static double *round_up(char *whole) {
  uintptr_t end = (uintptr_t)whole + (ALIGNMENT - 1);
  return (double *)(end - end % ALIGNMENT);
}

static double sum_of_squares(double *data, double x) {
  double sum = 0;
  data = __builtin_assume_aligned(data, ALIGNMENT);
  for (int i = 0; i < COUNT; i++) data[i] = x * (i + 1);
  for (int i = 0; i < COUNT; i++) sum += data[i] * data[(i + 1) % COUNT];
  return sum;
}

static double masked(double x) {
  double *data = allocate(COUNT * sizeof *data), sum = sum_of_squares(data, x);
  release(data);
  return sum;
}

static double with_remainder(double x) {
  char *whole = malloc(COUNT * sizeof(double) + ALIGNMENT);
  double sum = sum_of_squares(round_up(whole), x);
  free(whole);
  return sum;
}

int main(void) {
  // Of i (i + 1) for i from 1 to 7, and of 8: 168 + 8 = 176.
  for (int again = 0; again < 3; again++) {
    void *shift = malloc(16 + 48 * again);
    expect(__enzyme_autodiff((void *)masked, 1.5), 2 * 176 * 1.5);
    expect(__enzyme_fwddiff((void *)masked, 1.5, 1.0), 2 * 176 * 1.5);
    expect(__enzyme_autodiff((void *)with_remainder, 1.5), 2 * 176 * 1.5);
    expect(__enzyme_fwddiff((void *)with_remainder, 1.5, 1.0), 2 * 176 * 1.5);
    free(shift);
  }
  return result_of_test();
}
