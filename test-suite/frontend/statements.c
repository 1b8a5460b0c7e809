// Calls that say something: that a call carries no derivative, and what is in memory. They are gone afterwards.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
double __enzyme_call_inactive(void *, ...);
void __enzyme_double(void *, int);

static double squared(double x) { return x * x; }
static float halved(float x) { return x / 2; }
double (*volatile chosen)(double) = squared;

static double weighted(double x) { return __enzyme_call_inactive((void *)squared, x) * x; }
static double unprototyped(double x) { return __enzyme_call_inactive((void *)squared, (float)x) * x; }
static double through_pointer(double x) { return __enzyme_call_inactive((void *)chosen, x) * x; }
static void copied(char *to, const char *from) {
  __enzyme_double(to, 8);
  __builtin_memcpy(to, from, 8);
}

int main(void) {
  expect(__enzyme_fwddiff((void *)weighted, 3.0, 1.0), 9.0);
  expect(__enzyme_fwddiff((void *)unprototyped, 3.0, 1.0), 9.0);
  expect(__enzyme_fwddiff((void *)through_pointer, 3.0, 1.0), 9.0);
  expect(__enzyme_call_inactive((void *)squared, 3.0), 9.0);
  double a = 0, da = 0, b = 2, db = 5;
  __enzyme_fwddiff((void *)copied, (char *)&a, (char *)&da, (char *)&b, (char *)&db);
  expect(a, 2.0);
  expect(da, 5.0);
  return result_of_test() + (halved(2.0f) != 1.0f);
}
