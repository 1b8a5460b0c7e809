// Loops that choose one of their iterations: the reverse sweep goes straight to it.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -mllvm -enzyme-max-cache && %t
// RUN: %clang %clangEnzyme %s -O1 -mllvm -enzyme-print-plan -c -o %t.o 2>&1 | %FileCheck %s

// CHECK: plan of @largest
// CHECK: is known from which iteration was chosen last
// CHECK: which iteration was chosen last, 8 bytes: only that iteration has adjoints
// CHECK: plan of @sum_of_records
// CHECK-NOT: which iteration was chosen last
// CHECK: plan of @

#include "../Inputs/check.h"

extern int enzyme_const, enzyme_dup, enzyme_width;

void __enzyme_autodiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

enum { SIZE = 12 };

typedef double Function(const double *x, int n);

// The largest sine; the first of those that are equal.
__attribute__((noinline)) static double largest(const double *x, int n) {
  double most = sin(x[0]);
  for (int i = 1; i < n; i++) {
    double mine = sin(x[i]);
    most = most < mine ? mine : most;
  }
  return most * most;
}

// The smallest; the last of those that are equal; and no more than a bound.
static double smallest(const double *x, int n) {
  double least = 0.25;
  for (int i = 0; i < n; i++)
    least = least < x[i] ? least : x[i];
  return exp(least);
}

// The largest before the first that is too large.
static double largest_before(const double *x, int n) {
  double most = -x[0];
  for (int i = 0; i < n; i++) {
    if (x[i] > 1.75) break;
    most = x[i] > most ? x[i] * x[i] * x[i] : most;
  }
  return most;
}

// The largest of each row, of which each knows those before it.
static double largest_of_rows(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 3 <= n; i += 3) {
    double most = x[i];
    for (int j = 1; j < 3; j++)
      most = x[i + j] * sum > most ? x[i + j] * sum : most;
    sum += most * most + i;
  }
  return sum;
}

// Every record counts, not the last one alone.
__attribute__((noinline)) static double sum_of_records(const double *x, int n) {
  double most = 0, sum = 0;
  for (int i = 0; i < n; i++) {
    most = x[i] > most ? x[i] : most;
    sum += most * x[i];
  }
  return sum;
}

// What is chosen last is made of what was chosen before.
static double made_of_the_last(const double *x, int n) {
  double most = x[0];
  for (int i = 1; i < n; i++)
    most = x[i] > most ? x[i] + most / 8 : most;
  return most;
}

// The span: two choices in one loop.
static double span(const double *x, int n) {
  double most = x[0], least = x[0];
  for (int i = 1; i < n; i++) {
    most = x[i] > most ? x[i] : most;
    least = x[i] < least ? x[i] : least;
  }
  return most * most - least;
}

// What a condition that the loop does not change chooses.
static double last_if(const double *x, int n) {
  int is_even = n % 2 == 0;
  double last = 1;
  for (int i = 0; i < n; i++)
    last = is_even ? x[i] * x[i] : last;
  return last;
}

// Compares with central differences, in all the ways in which a gradient can be asked for.
static void check(const char *name, Function *function, const double *x, int n, const double *got) {
  double step = 1e-6;
  for (int i = 0; i < n; i++) {
    double above[SIZE], below[SIZE];
    for (int j = 0; j < n; j++)
      above[j] = below[j] = x[j];
    above[i] += step, below[i] -= step;
    compare(__FILE__, __LINE__, name, got[i], (function(above, n) - function(below, n)) / (2 * step), 1e-7);
  }
}

#define GRADIENTS_OF(function, x, n)                                                                               \
  {                                                                                                                \
    double slopes[SIZE] = {0}, first[SIZE] = {0}, second[SIZE] = {0}, apart[SIZE] = {0};                           \
    __enzyme_autodiff((void *)function, enzyme_dup, x, slopes, enzyme_const, n);                                   \
    check(#function, function, x, n, slopes);                                                                      \
    __enzyme_autodiff((void *)function, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, n);           \
    check(#function " along the first", function, x, n, first);                                                    \
    check(#function " along the second", function, x, n, second);                                                  \
    void *tape = __enzyme_augmentfwd((void *)function, enzyme_dup, x, apart, enzyme_const, n);                     \
    __enzyme_reverse((void *)function, enzyme_dup, x, apart, enzyme_const, n, 1.0, tape);                          \
    check(#function " in two calls", function, x, n, apart);                                                       \
  }

int main(void) {
  double points[3][SIZE];
  for (int i = 0; i < SIZE; i++) {
    points[0][i] = 2 * sin(1.7 * i + 0.3);
    points[1][i] = 0.1 * i - 0.43;
    points[2][i] = 1.93 - 0.1 * i;
  }
  for (int k = 0; k < 3; k++)
    for (int n = 1; n <= SIZE; n++) {
      GRADIENTS_OF(largest, points[k], n)
      GRADIENTS_OF(smallest, points[k], n)
      GRADIENTS_OF(largest_before, points[k], n)
      GRADIENTS_OF(largest_of_rows, points[k], n)
      GRADIENTS_OF(sum_of_records, points[k], n)
      GRADIENTS_OF(made_of_the_last, points[k], n)
      GRADIENTS_OF(span, points[k], n)
      GRADIENTS_OF(last_if, points[k], n)
    }

  // Of equal ones the program chose one; of no numbers, the one before them.
  double equal[4] = {0.5, 0.75, 0.75, 0.25}, slopes[4] = {0};
  __enzyme_autodiff((void *)largest, enzyme_dup, equal, slopes, enzyme_const, 4);
  expect(slopes[1], 2 * sin(0.75) * cos(0.75));
  expect(slopes[0] + slopes[2] + slopes[3], 0);
  double low[4] = {0.5, -0.75, -0.75, 0.25}, of_low[4] = {0};
  __enzyme_autodiff((void *)smallest, enzyme_dup, low, of_low, enzyme_const, 4);
  expect(of_low[2], exp(-0.75));
  expect(of_low[0] + of_low[1] + of_low[3], 0);
  double holes[4] = {0.5, NAN, 0.75, NAN}, of_holes[4] = {0};
  __enzyme_autodiff((void *)largest, enzyme_dup, holes, of_holes, enzyme_const, 4);
  expect(of_holes[2], 2 * sin(0.75) * cos(0.75));
  return result_of_test();
}
