// Variables that keep something from call to call: a gradient is that of one call, whatever earlier ones left; the adjoints of
// reverse mode are not the tangents of forward mode.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct {
  double at[2];
} Two;
extern int enzyme_dup, enzyme_out, enzyme_width;
double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

#define OPAQUE __attribute__((noinline))

// What it held before has an adjoint, too.
OPAQUE static void add(double *sum, double x) { *sum += x; }
static double running_sum(double x) {
  static double sum;
  add(&sum, x * x);
  return sum;
}

static double table[3] = {1, 2, 3};
static struct {
  double factor;
  double *place;
  double offset;
} settings = {2, &table[1], 0};

static double averaged(double x) {
  settings.offset = 0.5 * settings.offset + x;
  *settings.place = x * x + *settings.place;
  return settings.factor * settings.offset + table[1];
}

// Many of them, with addresses between, and structures in structures.
enum { MANY = 1500, ROWS = 7 };
static struct {
  double held;
  struct {
    double *place;
    double held;
  } rows[ROWS];
} many[MANY];

static double remembered(double x) {
  double sum = 0;
  for (int i = 0; i < MANY; i += MANY - 1) {
    many[i].rows[ROWS - 1].place = &many[i].held;
    *many[i].rows[ROWS - 1].place += x * x;
    many[i].rows[ROWS - 1].held = 0.5 * many[i].rows[ROWS - 1].held + x;
    sum += many[i].held + many[i].rows[ROWS - 1].held;
  }
  return sum;
}

static double state;
static double through_state(double x) {
  state = 2 * x;
  return state * state;
}

int main(void) {
  for (double x = -1; x < 2; x += 0.5) {
    expect(__enzyme_autodiff((void *)running_sum, x), 2 * x);
    expect(__enzyme_autodiff((void *)averaged, x), 2 + 2 * x);
    expect(__enzyme_autodiff((void *)remembered, x), 2 * (2 * x + 1));
    Two two = __enzyme_autodiff_two((void *)running_sum, enzyme_width, 2, enzyme_out, x);
    for (int i = 0; i < 2; i++) expect(two.at[i], 2 * x);
    expect(__enzyme_fwddiff((void *)through_state, x, 1.0), 8 * x);
    expect(__enzyme_autodiff((void *)through_state, x), 8 * x);
    expect(__enzyme_fwddiff((void *)through_state, x, 1.0), 8 * x);
  }

  // In two calls each, adjoints go from the later of two calls to the earlier one.
  void *first = __enzyme_augmentfwd((void *)running_sum, 2.0), *second = __enzyme_augmentfwd((void *)running_sum, 3.0);
  expect(__enzyme_autodiff((void *)running_sum, 1.0), 2);
  expect(__enzyme_reverse((void *)running_sum, 3.0, 1.0, second), 2 * 3 * 2);
  expect(__enzyme_reverse((void *)running_sum, 2.0, 1.0, first), 2 * 2 * 3);
  return result_of_test();
}
