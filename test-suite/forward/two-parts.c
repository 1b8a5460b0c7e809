// The primal and its tangents in calls of their own, with a tape in between.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <complex.h>
#include <stdlib.h>

extern int enzyme_const, enzyme_dup, enzyme_nofree, enzyme_width, enzyme_tape, enzyme_allocated;

typedef struct { void *tape; double value; } TapeAndValue;
typedef struct { double first, second; } Two;

TapeAndValue __enzyme_augmentfwd_value(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
double __enzyme_fwdsplit_double(void *, ...);
Two __enzyme_fwdsplit_two(void *, ...);
void __enzyme_fwdsplit(void *, ...);

static double product(double x, double y) { return sin(x) * y; }

// The second part asks for the cosine of z, and for nothing of its sine.
static double of_complex_sine(double re, double im) {
  double _Complex z = csin(re + im * I);
  return creal(z) + 2 * cimag(z);
}

static void step(double *x) {
  x[0] += x[1] * x[1];
  x[1] = -sin(x[1]);
}

static double calls;

static double steps(double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double before = x[0];
    x[0] = x[0] * x[1];
    x[1] = sin(before);
    for (int j = 0; j < i; j++) {
      if (x[1] > 0.5) sum += x[0] * x[1];
      else x[1] += 0.25 * x[0];
    }
    calls++;
  }
  return sum * x[0];
}

static double power(double *x, int n) {
  if (n == 0) return 1;
  double rest = power(x, n - 1);
  double result = x[0] * rest;
  x[1] += result;
  return result;
}

static double temporary(const double *x, int n) {
  double *copy = malloc(n * sizeof *copy), sum = 0, local[4] = {0};
  for (int i = 0; i < n; i++) copy[i] = x[i] * x[i], local[i % 4] = copy[i] * x[i];
  for (int i = 0; i < n; i++) sum += copy[i] * copy[i];
  free(copy);
  return sum + local[1];
}

static double until(const double *x, double limit) {
  double sum = 0;
  for (int i = 0; sum < limit; i++) sum += x[i] * x[i];
  return sum;
}

static void numbers(void) {
  double x = 0.7, y = 1.3;
  TapeAndValue there = __enzyme_augmentfwd_value((void *)product, x, y);
  expect(there.value, sin(x) * y);
  expect(__enzyme_fwdsplit_double((void *)product, enzyme_nofree, x, 2.0, y, 3.0, there.tape), 2 * cos(x) * y + 3 * sin(x));
  expect(__enzyme_fwdsplit_double((void *)product, x, 1.0, y, 0.0, there.tape), cos(x) * y);

  double _Complex z = x + y * I, slope = ccos(z) * (2 + 3 * I);
  there = __enzyme_augmentfwd_value((void *)of_complex_sine, x, y);
  expect(there.value, of_complex_sine(x, y));
  expect(__enzyme_fwdsplit_double((void *)of_complex_sine, x, 2.0, y, 3.0, there.tape), creal(slope) + 2 * cimag(slope));
}

static void through_memory(void) {
  double x[2] = {1.2, 3.4}, tangent[2] = {5.6, 7.8};
  void *tape = __enzyme_augmentfwd((void *)step, enzyme_dup, x, tangent);
  expect(x[0], 1.2 + 3.4 * 3.4);
  expect(x[1], -sin(3.4));
  x[0] = x[1] = 1000;
  __enzyme_fwdsplit((void *)step, enzyme_dup, x, tangent, tape);
  expect(x[0], 1000);
  expect(tangent[0], 5.6 + 2 * 3.4 * 7.8);
  expect(tangent[1], -cos(3.4) * 7.8);
}

static void in_loops(void) {
  double __enzyme_fwddiff(void *, ...);
  for (int n = 0; n < 70; n += 11) {
    double x[2] = {0.9, 0.8}, tangent[2] = {1, 2}, whole[2] = {0.9, 0.8}, whole_tangent[2] = {1, 2};
    double wanted = __enzyme_fwddiff((void *)steps, enzyme_dup, whole, whole_tangent, enzyme_const, n);
    double before = calls;
    TapeAndValue there = __enzyme_augmentfwd_value((void *)steps, enzyme_dup, x, tangent, enzyme_const, n);
    expect(calls, before + n);
    expect(tangent[0], 1);
    expect(x[0], whole[0]);
    expect(x[1], whole[1]);
    x[0] = x[1] = 0;
    expect(__enzyme_fwdsplit_double((void *)steps, enzyme_nofree, enzyme_dup, x, tangent, enzyme_const, n, there.tape), wanted);
    expect(calls, before + n);
    expect(tangent[0], whole_tangent[0]);
    expect(tangent[1], whole_tangent[1]);
    // Once more, in two directions at once.
    double first[2] = {1, 2}, second[2] = {0, 1};
    Two both = __enzyme_fwdsplit_two((void *)steps, enzyme_width, 2, enzyme_dup, x, first, second, enzyme_const, n, there.tape);
    expect(both.first, wanted);
    expect(first[1], whole_tangent[1]);
  }
  double x[40], tangent[40], sum = 0, slope = 0;
  for (int i = 0; i < 40; i++) x[i] = 0.1 * i, tangent[i] = i % 3;
  for (int i = 0; sum < 50; i++) sum += x[i] * x[i], slope += 2 * x[i] * tangent[i];
  TapeAndValue there = __enzyme_augmentfwd_value((void *)until, enzyme_dup, x, tangent, enzyme_const, 50.0);
  expect(there.value, sum);
  for (int i = 0; i < 40; i++) x[i] = 0;
  expect(__enzyme_fwdsplit_double((void *)until, enzyme_dup, x, tangent, enzyme_const, 50.0, there.tape), slope);
}

static void in_calls(void) {
  double x[2] = {1.1, 0}, tangent[2] = {1, 0};
  TapeAndValue there = __enzyme_augmentfwd_value((void *)power, enzyme_dup, x, tangent, enzyme_const, 5);
  expect(there.value, pow(1.1, 5));
  x[0] = 0;
  expect(__enzyme_fwdsplit_double((void *)power, enzyme_dup, x, tangent, enzyme_const, 5, there.tape), 5 * pow(1.1, 4));
  double slope = 0;
  for (int n = 1; n <= 5; n++) slope += n * pow(1.1, n - 1);
  expect(tangent[1], slope);

  double y[3] = {1, 2, 3}, direction[3] = {1, 0.5, -1};
  there = __enzyme_augmentfwd_value((void *)temporary, enzyme_dup, y, direction, enzyme_const, 3);
  expect(there.value, 1 + 16 + 81 + 8);
  expect(__enzyme_fwdsplit_double((void *)temporary, enzyme_dup, y, direction, enzyme_const, 3, there.tape), 4 + 4 * 8 * 0.5 - 4 * 27 + 3 * 4 * 0.5);
}

static double in_users_memory(double *x) {
  double before = x[0];
  x[0] = 1;
  return sin(before);
}

static void users_tape(void) {
  double memory[1], x[1] = {0.4}, tangent[1] = {2};
  expect(__enzyme_augmentsize((void *)in_users_memory, enzyme_dup), 8);
  double __enzyme_augmentfwd_alone(void *, ...);
  expect(__enzyme_augmentfwd_alone((void *)in_users_memory, enzyme_dup, x, tangent, enzyme_allocated, 8, enzyme_tape, memory), sin(0.4));
  expect(__enzyme_fwdsplit_double((void *)in_users_memory, enzyme_dup, x, tangent, enzyme_allocated, 8, enzyme_tape, memory), 2 * cos(0.4));
  expect(tangent[0], 0);
}

int main(void) {
  numbers();
  through_memory();
  in_loops();
  in_calls();
  users_tape();
  return result_of_test();
}
