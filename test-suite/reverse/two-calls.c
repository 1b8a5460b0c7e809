// The forward and the reverse sweep in calls of their own, with a tape in between that lies on the heap.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O0 -mllvm -enzyme-preopt=0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_nofree, enzyme_width;

typedef struct { void *tape; double value; } TapeAndValue;
typedef struct { double value; void *tape; } ValueAndTape;
typedef struct { void *tape; double *value, *shadow; } TapeAndPointers;
typedef struct { double x, y; } Two;

TapeAndValue __enzyme_augmentfwd_value(void *, ...);
ValueAndTape __enzyme_augmentfwd_turned(void *, ...);
TapeAndPointers __enzyme_augmentfwd_pointer(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse_double(void *, ...);
Two __enzyme_reverse_two(void *, ...);
void __enzyme_reverse(void *, ...);

static double product(double x, double y) { return sin(x) * y; }

static double square(double x) { return x * x; }

// The memory that it reads is overwritten: what it was is on the tape.
static void step(double *x) {
  x[0] += x[1] * x[1];
  x[1] = -sin(x[1]);
}

static void steps(double *x, int n) {
  for (int i = 0; i < n; i++) {
    double before = x[0];
    x[0] = x[0] * x[1];
    x[1] = sin(before);
  }
}

static double sum_to(const double *x, double limit) {
  double sum = 0;
  for (int i = 0; sum < limit; i++) sum += x[i] * x[i];
  return sum;
}

static double *larger(double *x) { return x[0] > x[1] ? x : x + 1; }

static double power(double *x, int n) {
  if (n == 0) return 1;
  double rest = power(x, n - 1);
  double result = x[0] * rest;
  x[1] += result;
  return result;
}

static double temporary(const double *x, int n) {
  double *copy = malloc(n * sizeof *copy), sum = 0;
  for (int i = 0; i < n; i++) copy[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) sum += copy[i] * copy[i];
  free(copy);
  return sum;
}

static void several(void) {
  double x = 0.7, y = 1.3;
  TapeAndValue there = __enzyme_augmentfwd_value((void *)product, x, y);
  expect(there.value, sin(x) * y);
  Two back = __enzyme_reverse_two((void *)product, x, y, 2.0, there.tape);
  expect(back.x, 2 * cos(x) * y);
  expect(back.y, 2 * sin(x));

  ValueAndTape turned = __enzyme_augmentfwd_turned((void *)square, 3.0);
  expect(turned.value, 9);
  expect(__enzyme_reverse_double((void *)square, 3.0, 0.5, turned.tape), 3);

  // Without the adjoint of the result, that is 1.
  void *tape = __enzyme_augmentfwd((void *)product, x, enzyme_const, y);
  expect(__enzyme_reverse_double((void *)product, x, enzyme_const, y, tape), cos(x) * y);
}

static void through_memory(void) {
  double x[2] = {1.2, 3.4}, shadow[2] = {5.6, 7.8};
  void *tape = __enzyme_augmentfwd((void *)step, x, shadow);
  expect(x[0], 1.2 + 3.4 * 3.4);
  expect(x[1], -sin(3.4));
  expect(shadow[0], 5.6);
  x[0] = x[1] = 1000;
  __enzyme_reverse((void *)step, x, shadow, tape);
  expect(shadow[0], 5.6);
  expect(shadow[1], 5.6 * 2 * 3.4 - 7.8 * cos(3.4));
}

static void in_loops(void) {
  for (int n = 0; n < 200; n += 33) {
    double x[2] = {0.9, 0.8}, shadow[2] = {1, 2}, whole[2] = {0.9, 0.8}, whole_shadow[2] = {1, 2};
    void *tape = __enzyme_augmentfwd((void *)steps, enzyme_dup, x, shadow, enzyme_const, n);
    __enzyme_reverse((void *)steps, enzyme_dup, x, shadow, enzyme_const, n, tape);
    void __enzyme_autodiff(void *, ...);
    __enzyme_autodiff((void *)steps, enzyme_dup, whole, whole_shadow, enzyme_const, n);
    expect(x[0], whole[0]);
    expect(x[1], whole[1]);
    expect(shadow[0], whole_shadow[0]);
    expect(shadow[1], whole_shadow[1]);
  }
  double x[40], shadow[40] = {0};
  for (int i = 0; i < 40; i++) x[i] = 0.1 * i;
  TapeAndValue there = __enzyme_augmentfwd_value((void *)sum_to, enzyme_dup, x, shadow, enzyme_const, 50.0);
  for (int i = 0; i < 40; i++) shadow[i] = 0;
  __enzyme_reverse((void *)sum_to, enzyme_dup, x, shadow, enzyme_const, 50.0, 3.0, there.tape);
  double sum = 0;
  for (int i = 0; i < 40; i++) {
    expect(shadow[i], sum < 50 ? 6 * x[i] : 0);
    sum += x[i] * x[i];
  }
  expect(there.value >= 50, 1);
}

static void in_calls(void) {
  double x[2] = {1.1, 0}, shadow[2] = {0, 0.5};
  TapeAndValue there = __enzyme_augmentfwd_value((void *)power, enzyme_dup, x, shadow, enzyme_const, 5);
  expect(there.value, pow(1.1, 5));
  __enzyme_reverse((void *)power, enzyme_dup, x, shadow, enzyme_const, 5, 2.0, there.tape);
  double slope = 2 * 5 * pow(1.1, 4);
  for (int n = 1; n <= 5; n++) slope += 0.5 * n * pow(1.1, n - 1);
  expect(shadow[0], slope);

  double y[3] = {1, 2, 3}, gradient[3] = {0};
  there = __enzyme_augmentfwd_value((void *)temporary, y, gradient, 3);
  expect(there.value, 1 + 16 + 81);
  __enzyme_reverse((void *)temporary, y, gradient, 3, 1.0, there.tape);
  for (int i = 0; i < 3; i++) expect(gradient[i], 4 * y[i] * y[i] * y[i]);
}

static void returned_pointer(void) {
  double x[2] = {1, 2}, shadow[2] = {0};
  TapeAndPointers there = __enzyme_augmentfwd_pointer((void *)larger, x, shadow);
  expect(there.value == x + 1, 1);
  expect(there.shadow == shadow + 1, 1);
  __enzyme_reverse((void *)larger, x, shadow, there.tape);
  expect(shadow[1], 0);
}

// A tape that is not freed can be read again.
static void read_twice(void) {
  double x[2] = {1.2, 3.4}, shadow[2] = {1, 0}, other[2] = {0, 1};
  void *tape = __enzyme_augmentfwd((void *)step, x, shadow);
  __enzyme_reverse((void *)step, enzyme_nofree, x, shadow, tape);
  __enzyme_reverse((void *)step, x, other, tape);
  expect(shadow[1], 2 * 3.4);
  expect(other[1], -cos(3.4));
}

static void in_two_directions(void) {
  double x[2] = {0.9, 0.8}, first[2] = {1, 0}, second[2] = {0, 1}, alone[2] = {0, 1}, y[2] = {0.9, 0.8};
  void *tape = __enzyme_augmentfwd((void *)steps, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, 7);
  __enzyme_reverse((void *)steps, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, 7, tape);
  tape = __enzyme_augmentfwd((void *)steps, enzyme_dup, y, alone, enzyme_const, 7);
  __enzyme_reverse((void *)steps, enzyme_dup, y, alone, enzyme_const, 7, tape);
  expect(second[0], alone[0]);
  expect(second[1], alone[1]);
}

int main(void) {
  several();
  through_memory();
  in_loops();
  in_calls();
  returned_pointer();
  read_twice();
  in_two_directions();
  return result_of_test();
}
