// Functions that return structs: in registers, in memory, with small floats in one register, with integers between.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { double first, second; } Pair;
typedef struct { double at[5]; } Five;
typedef struct { float first, second; } SmallPair;
typedef struct { float first, second, third; } SmallTriple;
typedef struct { int count; double value; } CountedFirst;
typedef struct { Pair inner; double last; } Nested;

static Pair pair(double x) { return (Pair){x * x, sin(x)}; }

static Five five(double x, int n) {
  Five r;
  for (int i = 0; i < 5; i++) r.at[i] = n * x * x + i * x;
  return r;
}

static SmallPair small_pair(float x) { return (SmallPair){x * x, 3 * x}; }

static SmallTriple small_triple(float x) { return (SmallTriple){x, x * x, 1 / x}; }

static CountedFirst counted_first(double x, int n) { return (CountedFirst){n, exp(x) * n}; }

static Nested nested(double x) { return (Nested){pair(x), x}; }

Pair __enzyme_fwddiff_pair(void *, double, double);
Five __enzyme_fwddiff_five(void *, double, double, int);
SmallPair __enzyme_fwddiff_small_pair(void *, float, float);
SmallTriple __enzyme_fwddiff_small_triple(void *, float, float);
CountedFirst __enzyme_fwddiff_counted_first(void *, double, double, int);
Nested __enzyme_fwddiff_nested(void *, double, double);

int main(void) {
  double x = 1.25;
  Pair p = __enzyme_fwddiff_pair((void *)pair, x, 2.0);
  expect(p.first, 4 * x);
  expect(p.second, 2 * cos(x));

  Five f = __enzyme_fwddiff_five((void *)five, x, 1.0, 3);
  for (int i = 0; i < 5; i++) expect(f.at[i], 6 * x + i);

  SmallPair s = __enzyme_fwddiff_small_pair((void *)small_pair, 1.25f, 1.0f);
  expect_float(s.first, 2.5);
  expect_float(s.second, 3.0);

  SmallTriple t = __enzyme_fwddiff_small_triple((void *)small_triple, 1.25f, 1.0f);
  expect_float(t.first, 1.0);
  expect_float(t.second, 2.5);
  expect_float(t.third, -1 / (1.25 * 1.25));

  CountedFirst d = __enzyme_fwddiff_counted_first((void *)counted_first, x, 1.0, 7);
  expect(d.value, 7 * exp(x));

  Nested n = __enzyme_fwddiff_nested((void *)nested, x, 1.0);
  expect(n.inner.first, 2 * x);
  expect(n.inner.second, cos(x));
  expect(n.last, 1.0);
  return result_of_test();
}
