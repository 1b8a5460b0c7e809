// Atomic loads, stores, exchanges and compare-and-exchange loops on floats, and counters beside them.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -latomic -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdatomic.h>

extern int enzyme_width, enzyme_dup;
typedef struct { double at[4]; } Four;
double __enzyme_fwddiff(void *, ...);
Four __enzyme_fwddiff_four(void *, ...);

typedef struct {
  _Atomic double sum;
  _Atomic int count;
} Accumulator;

static void add(Accumulator *a, double x) {
  double old = atomic_load(&a->sum);
  while (!atomic_compare_exchange_strong(&a->sum, &old, old + x)) {}
  atomic_fetch_add(&a->count, 1);
}

static double mean_of_squares(double x, double y) {
  Accumulator a;
  atomic_init(&a.sum, 0.0);
  atomic_init(&a.count, 0);
  add(&a, x * x);
  add(&a, y * y);
  return atomic_load(&a.sum) / atomic_load(&a.count);
}

// What was there comes out, with its tangent.
static double swap(_Atomic double *place, double x) {
  double old = atomic_exchange(place, x * x);
  return old * x;
}

// An exchange that does not happen gives what is there.
static double attempt(_Atomic double *place, double x, double expected) {
  double seen = expected;
  int done = atomic_compare_exchange_strong(place, &seen, 5 * x);
  return done ? x : 3 * seen;
}

int main(void) {
  expect(__enzyme_fwddiff((void *)mean_of_squares, 3.0, 1.0, 4.0, 10.0), 43);
  Four d = __enzyme_fwddiff_four((void *)mean_of_squares, enzyme_width, 4, 3.0, 1.0, 0.0, 2.0, 0.5, 4.0, 0.0, 1.0, 1.0, 2.0);
  expect(d.at[0], 3);
  expect(d.at[1], 4);
  expect(d.at[2], 10);
  expect(d.at[3], 9.5);

  _Atomic double place = 7, dplace = 2;
  expect(__enzyme_fwddiff((void *)swap, &place, &dplace, 3.0, 1.0), 2 * 3 + 7);
  expect(place, 9);
  expect(dplace, 6);

  expect(__enzyme_fwddiff((void *)attempt, &place, &dplace, 2.0, 1.0, 1.0, 100.0), 18);
  expect(place, 9);
  expect(dplace, 6);
  expect(__enzyme_fwddiff((void *)attempt, &place, &dplace, 2.0, 1.0, 9.0, 100.0), 1);
  expect(place, 10);
  expect(dplace, 5);
  return result_of_test();
}
