// Every kind of loop, brought into one form, computes what it computed; nothing of the form is left where nobody needs it.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang %clangEnzyme -O1 -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not=enzyme_trip_count

// CHECK: define {{.*}}@main(

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double counted(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) r *= x;
  return r;
}

static double triangular(double x, int n) {
  double r = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) r += x * x;
  return r;
}

static double until_large(double x, int n) {
  double r = x;
  while (r < n) r *= x;
  return r;
}

static double several_exits(double x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) {
    if (r > 20) break;
    r *= x;
    if (i == 7) return r * x;
  }
  return r;
}

static double into_the_loop(double x, int n) {
  double r = 1;
  int i = 0;
  if (n & 1) goto middle;
again:
  r += x;
middle:
  r *= x;
  if (++i < n) goto again;
  return r;
}

static double switched(double x, int n) {
  double r = 1;
  int i = 0;
  switch (n % 3) {
  case 0:
    do {
      r *= x;
  case 1:
      r += x;
  case 2:
      r *= 2;
    } while (++i < n);
  }
  return r;
}

static double differences(double (*f)(double, int), double x, int n) {
  return (f(x + 1e-6, n) - f(x - 1e-6, n)) / 2e-6;
}

int main(void) {
  for (int n = 0; n < 6; n++) {
    expect(__enzyme_fwddiff((void *)counted, 1.5, 1.0, n), n ? n * pow(1.5, n - 1) : 0);
    expect(__enzyme_fwddiff((void *)triangular, 1.5, 1.0, n), n * (n + 1) / 2 * 3.0);
    expect_near(__enzyme_fwddiff((void *)until_large, 1.5, 1.0, n), differences(until_large, 1.5, n), 1e-6);
    expect_near(__enzyme_fwddiff((void *)several_exits, 2.5, 1.0, n), differences(several_exits, 2.5, n), 1e-6);
    expect_near(__enzyme_fwddiff((void *)into_the_loop, 1.5, 1.0, n), differences(into_the_loop, 1.5, n), 1e-6);
    expect_near(__enzyme_fwddiff((void *)switched, 1.5, 1.0, n), differences(switched, 1.5, n), 1e-6);
  }
  return result_of_test();
}
