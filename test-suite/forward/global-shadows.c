// Variables that active values go through: each direction has a shadow of its own, and the shadow of a table of addresses
// leads to the shadows.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

extern int enzyme_width;
typedef struct { double at[4]; } Four;
double __enzyme_fwddiff(void *, ...);
Four __enzyme_fwddiff_four(void *, ...);

#define OPAQUE __attribute__((noinline))

static double left[2], right[2] = {3, 4};
static double *const sides[2] = {left, right + 1};
static struct {
  int count;
  double factor;
  double *place;
} settings = {2, 10, &left[1]};
static _Thread_local double own = 1;
static double first, *const first_again = &first;

OPAQUE static void put(int side, double x) { *sides[side] = x; }
OPAQUE static double get(int side) { return *sides[side]; }
static double through_table(double x, double y) {
  put(0, x * y);
  put(1, x);
  return get(0) * get(1) + left[0];
}

OPAQUE static void keep(double x) { *settings.place = x * settings.factor * settings.count; }
static double through_struct(double x) {
  keep(x * x);
  return left[1];
}

OPAQUE static void set_own(double x) { own = x; }
OPAQUE static double get_own(void) { return own; }
static double through_thread_local(double x) {
  set_own(x * x * x);
  return get_own();
}

OPAQUE static void set_first(double x) { first = x; }
static double through_constant(double x) {
  set_first(7 * x);
  return *first_again;
}

// What an earlier call left has its tangent still.
OPAQUE static double running_sum(double x) {
  static double sum;
  sum += x;
  return sum;
}

int main(void) {
  double x = 2, y = 5;
  expect(__enzyme_fwddiff((void *)through_table, x, 1.0, y, 0.0), 2 * x * y + y);
  Four d = __enzyme_fwddiff_four((void *)through_table, enzyme_width, 4, x, 1.0, 0.0, 1.0, 2.0, y, 0.0, 1.0, 1.0, 0.0);
  double dx = 2 * x * y + y, dy = x * x + x;
  expect(d.at[0], dx);
  expect(d.at[1], dy);
  expect(d.at[2], dx + dy);
  expect(d.at[3], 2 * dx);

  expect(__enzyme_fwddiff((void *)through_struct, x, 1.0), 40 * x);
  expect(__enzyme_fwddiff((void *)through_thread_local, x, 1.0), 3 * x * x);
  d = __enzyme_fwddiff_four((void *)through_thread_local, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * 3 * x * x);
  expect(__enzyme_fwddiff((void *)through_constant, x, 1.0), 7);
  d = __enzyme_fwddiff_four((void *)through_constant, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * 7);

  expect(__enzyme_fwddiff((void *)running_sum, x, 1.0), 1);
  expect(__enzyme_fwddiff((void *)running_sum, x, 10.0), 11);
  return result_of_test();
}
