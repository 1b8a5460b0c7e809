// What the call returns: the derivative, the primal's result before it, or nothing.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

int enzyme_dup, enzyme_const, enzyme_width, enzyme_primal_return, enzyme_noret, enzyme_const_return, enzyme_dup_return;

typedef struct { double primal, tangent; } Both;
typedef struct { float primal, tangent; } SmallBoth;
typedef struct { double primal, tangent[3]; } Wide;
typedef struct { double first, second; } Pair;
typedef struct { Pair primal, tangent; } PairBoth;

double __enzyme_fwddiff(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);
SmallBoth __enzyme_fwddiff_small(void *, float, float, int *);
Wide __enzyme_fwddiff_wide(void *, ...);
PairBoth __enzyme_fwddiff_pairs(void *, ...);
void __enzyme_fwddiff_nothing(void *, ...);
int __enzyme_fwddiff_int(void *, ...);

static double cube(double x) { return x * x * x; }

static float small(float x, int *calls) {
  ++*calls;
  return 2 * x;
}

static Pair pair(double x) { return (Pair){x * x, 1 / x}; }

static double writes(double x, double *side) {
  *side = x * x;
  return x;
}

static int count(double x, double *side) {
  *side = 3 * x;
  return (int)x;
}

int main(void) {
  double x = 1.5;
  Both both = __enzyme_fwddiff_both((void *)cube, enzyme_primal_return, enzyme_dup, x, 1.0);
  expect(both.primal, x * x * x);
  expect(both.tangent, 3 * x * x);
  // The place of the marker does not matter.
  both = __enzyme_fwddiff_both((void *)cube, enzyme_dup, x, 2.0, enzyme_primal_return);
  expect(both.primal, x * x * x);
  expect(both.tangent, 6 * x * x);

  Wide wide = __enzyme_fwddiff_wide((void *)cube, enzyme_primal_return, enzyme_width, 3, enzyme_dup, x, 1.0, 2.0, 3.0);
  expect(wide.primal, x * x * x);
  for (int i = 0; i < 3; i++) expect(wide.tangent[i], (i + 1) * 3 * x * x);

  PairBoth pairs = __enzyme_fwddiff_pairs((void *)pair, enzyme_primal_return, enzyme_dup, x, 1.0);
  expect(pairs.primal.first, x * x);
  expect(pairs.primal.second, 1 / x);
  expect(pairs.tangent.first, 2 * x);
  expect(pairs.tangent.second, -1 / (x * x));

  double side = 0, dside = 0;
  __enzyme_fwddiff_nothing((void *)writes, enzyme_noret, enzyme_dup, x, 1.0, enzyme_dup, &side, &dside);
  expect(side, x * x);
  expect(dside, 2 * x);

  dside = 0;
  __enzyme_fwddiff_nothing((void *)writes, enzyme_const_return, enzyme_dup, x, 1.0, enzyme_dup, &side, &dside);
  expect(dside, 2 * x);

  expect(__enzyme_fwddiff((void *)writes, enzyme_dup_return, enzyme_dup, x, 4.0, enzyme_dup, &side, &dside), 4.0);
  expect(dside, 8 * x);

  // An integer has no derivative; it can still be asked for as the primal's result.
  expect(__enzyme_fwddiff_int((void *)count, enzyme_primal_return, enzyme_dup, x, 1.0, enzyme_dup, &side, &dside), 1.0);
  expect(dside, 3.0);
  return result_of_test();
}
