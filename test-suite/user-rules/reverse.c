// Derivatives in two functions that the user wrote: an augmented function and a reverse derivative.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"

#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_tape, enzyme_allocated;

typedef struct { double x, y; } Two;
typedef struct { void *tape; double value; } TapeAndValue;

double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
TapeAndValue __enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
size_t __enzyme_augmentsize(void *, ...);

static int augmented, reversed;

// Its derivative is wrong, to be told apart from what EnzymeRS would find.
static double number(double x) { return x * x; }
static double number_augmented(double x) {
  augmented++;
  return x * x;
}
static double number_reverse(double x, double adjoint) {
  reversed++;
  return 5 * x * adjoint;
}
void *__enzyme_register_gradient_number[] = {(void *)number, (void *)number_augmented, (void *)number_reverse};

// A tape that is a number, the result with it, and two adjoints.
typedef struct { double tape, value; } NumberAndValue;
static double both(double x, double y) { return sin(x) * y; }
static NumberAndValue both_augmented(double x, double y) { return (NumberAndValue){sin(x), sin(x) * y}; }
static Two both_reverse(double x, double y, double adjoint, double tape) {
  return (Two){cos(x) * y * adjoint, 7 * tape * adjoint};
}
void *__enzyme_register_gradient_both[] = {(void *)both, (void *)both_augmented, (void *)both_reverse};

// Through memory, with a tape that is allocated.
static void squares(const double *from, double *to, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i] * from[i];
}
static void *squares_augmented(const double *from, double *from_shadow, double *to, double *to_shadow, int n) {
  double *kept = malloc(n * sizeof *kept);
  for (int i = 0; i < n; i++) kept[i] = from[i], to[i] = from[i] * from[i];
  return kept;
}
static void squares_reverse(const double *from, double *from_shadow, double *to, double *to_shadow, int n, void *tape) {
  double *kept = tape;
  for (int i = 0; i < n; i++) from_shadow[i] += 9 * kept[i] * to_shadow[i], to_shadow[i] = 0;
  free(kept);
}
void *__enzyme_register_gradient_squares[] = {(void *)squares, (void *)squares_augmented, (void *)squares_reverse};

// Nothing is to be done in the forward sweep, not even its own work: the function itself is called.
static float inverse_root(float x) { return 1 / sqrtf(x); }
static void nothing(float x) {}
static float inverse_root_reverse(float x, float adjoint) { return -adjoint / (2 * x * sqrtf(x)); }
void *__enzyme_register_gradient_root[] = {(void *)inverse_root, (void *)nothing, (void *)inverse_root_reverse};

static double uses_number(double x) { return sin(number(x)); }
static double uses_both(double x, double y) { return both(x * y, y) + both(1, 2); }
static double uses_constant(double x) { return both(x, 3) * x; }
static double uses_squares(double *x, int n) {
  double to[8], sum = 0;
  for (int round = 0; round < 2; round++) {
    squares(x, to, n);
    for (int i = 0; i < n; i++) x[i] = to[i];
  }
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
}
static double uses_root(double x) { return inverse_root(x * x); }

int main(void) {
  double x = 0.7, y = 1.3;
  expect(__enzyme_autodiff((void *)uses_number, x), cos(x * x) * 5 * x);
  expect(augmented, 1);
  expect(reversed, 1);
  expect(__enzyme_autodiff((void *)number, x), 5 * x);

  Two two = __enzyme_autodiff_two((void *)uses_both, x, y);
  expect(two.x, cos(x * y) * y * y);
  expect(two.y, cos(x * y) * y * x + 7 * sin(x * y));
  expect(__enzyme_autodiff((void *)uses_constant, x), cos(x) * 3 * x + sin(x) * 3);

  double v[3] = {1, 2, 0.5}, gradient[3] = {0};
  __enzyme_autodiff((void *)uses_squares, enzyme_dup, v, gradient, enzyme_const, 3);
  expect(v[1], 16);
  expect(gradient[0], 81);
  expect(gradient[1], 81 * 4 * 2);
  expect(gradient[2], 81 * 0.25 * 0.5);

  expect_float(__enzyme_autodiff((void *)uses_root, 2.0), -0.25);

  TapeAndValue there = __enzyme_augmentfwd((void *)both, x, y);
  expect(there.value, sin(x) * y);
  Two __enzyme_reverse_two(void *, ...);
  two = __enzyme_reverse_two((void *)both, x, y, 2.0, there.tape);
  expect(two.x, 2 * cos(x) * y);
  expect(two.y, 14 * sin(x));

  double memory[1];
  expect(__enzyme_augmentsize((void *)both, enzyme_out, enzyme_out), 8);
  double __enzyme_augmentfwd_double(void *, ...);
  __enzyme_augmentfwd_double((void *)both, x, y, enzyme_allocated, 8, enzyme_tape, memory);
  expect(memory[0], sin(x));
  return result_of_test();
}
