// Calls through function pointers: chosen by a branch, from a table, from a struct, with struct arguments and results.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
typedef struct {
  double x, y;
} pair;
pair __enzyme_fwddiff_two(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_strong_zero, enzyme_runtime_activity;

__attribute__((noinline)) static double square(double x) { return x * x; }
__attribute__((noinline)) static double cube(double x) { return x * x * x; }
__attribute__((noinline)) static double exponential(double x) { return exp(x); }

// Chosen by a branch.
__attribute__((noinline)) static double chosen(double x, int which) {
  double (*f)(double) = which ? square : cube;
  return f(x) * x;
}

// From a constant table, and from one that is written to.
static double (*const constant_table[3])(double) = {square, cube, exponential};
static double (*table[3])(double) = {square, cube, exponential};
__attribute__((noinline)) static double from_constant_table(double x, int which) { return constant_table[which](x); }
__attribute__((noinline)) static double from_table(double x, int which) { return table[which](2 * x); }

// From a struct that the function fills.
typedef struct {
  double factor;
  void (*apply)(double *, const double *, int);
} step;
__attribute__((noinline)) static void scale(double *out, const double *in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] * in[i] * (i + 1);
}
__attribute__((noinline)) static void shift(double *out, const double *in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] * 5;
}
__attribute__((noinline)) static void run(const step *s, double *out, const double *in) {
  s->apply(out, in, 3);
  for (int i = 0; i < 3; i++) out[i] *= s->factor;
}
__attribute__((noinline)) static double with_struct(double x, int which) {
  step s = {x, which ? scale : shift};
  double in[3] = {x, 2 * x, 3 * x}, out[3];
  run(&s, out, in);
  return out[0] + out[1] + out[2];
}

// A pointer that is an argument: without a shadow, or with itself as its shadow.
__attribute__((noinline)) static double apply(double (*f)(double), double x) { return f(x) + f(3 * x); }

// Structs by value and in memory.
typedef struct {
  double a[4];
} four;
__attribute__((noinline)) static four spread(four in, double x) {
  four out = {{in.a[0] * x, in.a[1] * x * x, in.a[2], in.a[3] + x}};
  in.a[0] = 99;
  return out;
}
__attribute__((noinline)) static four rotate(four in, double x) {
  four out = {{in.a[1], in.a[2], in.a[3], in.a[0] * x}};
  return out;
}
__attribute__((noinline)) static double with_structs(double x, int which) {
  four (*f)(four, double) = which ? spread : rotate;
  four in = {{x, 1, 2, 3}};
  four out = f(in, x);
  return out.a[0] + 10 * out.a[1] + 100 * out.a[2] + 1000 * out.a[3] + in.a[0];
}

// A library function, and one through a pointer to void.
__attribute__((noinline)) static double library(double x, int which) {
  double (*f)(double) = which ? sin : cos;
  return f(x);
}

// What the user says of a function holds behind a pointer, too.
__attribute__((noinline, annotate("enzyme_inactive"))) static double rounded(double x) { return x * x; }
__attribute__((noinline)) static double said_inactive(double x, int which) {
  double (*f)(double) = which ? rounded : square;
  return f(x) + x;
}

// Recursion through a pointer.
static double recursive(double x, int n, void *self) {
  double (*again)(double, int, void *) = (double (*)(double, int, void *))self;
  return n == 0 ? x : x * again(x, n - 1, self);
}
__attribute__((noinline)) static double through_itself(double x, int n) { return recursive(x, n, (void *)recursive); }

// A pointer result.
__attribute__((noinline)) static double *first_of(double *p) { return p; }
__attribute__((noinline)) static double *second_of(double *p) { return p + 1; }
__attribute__((noinline)) static double through_result(double x, int which) {
  double *(*pick)(double *) = which ? second_of : first_of;
  double local[2] = {x * x, 7 * x};
  return *pick(local) * x;
}

// The caller's wishes hold behind a pointer, too.
__attribute__((noinline)) static double logarithm(double x) { return log(x); }
__attribute__((noinline)) static double of_either(double x, int which) {
  double (*f)(double) = which ? logarithm : square;
  return f(x);
}
static double (*const constant_functions[2])(double) = {logarithm, square};
__attribute__((noinline)) static double of_table(double x, int which) { return constant_functions[which](x); }

typedef void (*writer)(double *to, const double *from);
__attribute__((noinline)) static void write_square(double *to, const double *from) { *to = *from * *from; }
__attribute__((noinline)) static void write_cube(double *to, const double *from) { *to = *from * *from * *from; }
static writer writers[2] = {write_square, write_cube};
__attribute__((noinline)) static double written(double *to, const double *from, int which) {
  writers[which](to, from);
  return *to * *from;
}

static void wishes(void) {
  expect(isnan(__enzyme_fwddiff((void *)of_either, 0.0, 0.0, 1)), 1);
  expect(__enzyme_fwddiff((void *)of_either, enzyme_strong_zero, 0.0, 0.0, 1), 0);
  expect(isnan(__enzyme_fwddiff((void *)of_table, 0.0, 0.0, 0)), 1);
  expect(__enzyme_fwddiff((void *)of_table, enzyme_strong_zero, 0.0, 0.0, 0), 0);
  double to = 0, from = 3, tangent = 2;
  expect(__enzyme_fwddiff((void *)written, enzyme_runtime_activity, enzyme_dup, &to, &to, enzyme_dup, &from, &tangent, 0),
         18);
  expect(to, 9);
  expect(__enzyme_fwddiff((void *)written, enzyme_runtime_activity, enzyme_dup, &to, &to, enzyme_dup, &from, &from, 1),
         0);
  expect(to, 27);
}

int main(void) {
  wishes();
  double x = 0.7;
  expect(__enzyme_fwddiff((void *)chosen, x, 1.0, 1), 3 * x * x);
  expect(__enzyme_fwddiff((void *)chosen, x, 1.0, 0), 4 * x * x * x);
  expect(__enzyme_fwddiff((void *)from_constant_table, x, 1.0, 0), 2 * x);
  expect(__enzyme_fwddiff((void *)from_constant_table, x, 2.0, 1), 6 * x * x);
  expect(__enzyme_fwddiff((void *)from_constant_table, x, 1.0, 2), exp(x));
  expect(__enzyme_fwddiff((void *)from_table, x, 1.0, 1), 24 * x * x);
  table[1] = square;
  expect(__enzyme_fwddiff((void *)from_table, x, 1.0, 1), 8 * x);
  expect(__enzyme_fwddiff((void *)with_struct, x, 1.0, 1), 3 * x * x * (1 + 8 + 27));
  expect(__enzyme_fwddiff((void *)with_struct, x, 1.0, 0), 2 * x * 30);
  expect(__enzyme_fwddiff((void *)apply, enzyme_const, square, enzyme_dup, x, 1.0), 20 * x);
  expect(__enzyme_fwddiff((void *)apply, enzyme_dup, cube, cube, enzyme_dup, x, 1.0), 84 * x * x);
  expect(__enzyme_fwddiff((void *)with_structs, x, 1.0, 1), 2 * x + 20 * x + 1000 + 1);
  expect(__enzyme_fwddiff((void *)with_structs, x, 1.0, 0), 2000 * x + 1);
  expect(__enzyme_fwddiff((void *)library, x, 1.0, 1), cos(x));
  expect(__enzyme_fwddiff((void *)library, x, 1.0, 0), -sin(x));
  expect(__enzyme_fwddiff((void *)said_inactive, x, 1.0, 1), 1);
  expect(__enzyme_fwddiff((void *)said_inactive, x, 1.0, 0), 2 * x + 1);
  expect(__enzyme_fwddiff((void *)through_itself, x, 1.0, 4), 5 * x * x * x * x);
  expect(__enzyme_fwddiff((void *)through_result, x, 1.0, 0), 3 * x * x);
  expect(__enzyme_fwddiff((void *)through_result, x, 1.0, 1), 14 * x);

  pair both = __enzyme_fwddiff_two((void *)from_constant_table, enzyme_width, 2, enzyme_dup, x, 1.0, 3.0, 1);
  expect(both.x, 3 * x * x);
  expect(both.y, 9 * x * x);
  both = __enzyme_fwddiff_two((void *)with_struct, enzyme_width, 2, enzyme_dup, x, 1.0, 3.0, 1);
  expect(both.x, 3 * x * x * 36);
  expect(both.y, 9 * x * x * 36);
  both = __enzyme_fwddiff_two((void *)with_structs, enzyme_width, 2, enzyme_dup, x, 1.0, -1.0, 1);
  expect(both.x, 22 * x + 1001);
  expect(both.y, -22 * x - 1001);
  return result_of_test();
}
