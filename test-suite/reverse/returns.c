// The primal's result before the gradient; inactive arguments, by marker and by type; an inactive result.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

int enzyme_const, enzyme_out, enzyme_primal_return, enzyme_const_return;

typedef struct { double primal, x; } PrimalAndOne;
typedef struct { double primal, x, y; } PrimalAndTwo;
typedef struct { double x, y; } Two;

double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);
PrimalAndOne __enzyme_autodiff_primal_and_one(void *, ...);
PrimalAndTwo __enzyme_autodiff_primal_and_two(void *, ...);

static double cube(double x) { return x * x * x; }
static double mixed(double x, int n, double y, const double *scale) { return n * x * y * y * (scale ? 2 : 1); }

int main(void) {
  double x = 1.5, y = 0.25;
  PrimalAndOne one = __enzyme_autodiff_primal_and_one((void *)cube, enzyme_primal_return, enzyme_out, x);
  expect(one.primal, x * x * x);
  expect(one.x, 3 * x * x);

  PrimalAndTwo two = __enzyme_autodiff_primal_and_two((void *)mixed, enzyme_primal_return, x, 3, y, enzyme_const, &x);
  expect(two.primal, 6 * x * y * y);
  expect(two.x, 6 * y * y);
  expect(two.y, 12 * x * y);

  expect(__enzyme_autodiff((void *)mixed, enzyme_const, x, enzyme_const, 3, enzyme_out, y, enzyme_const, (double *)0),
         6 * x * y);
  expect(__enzyme_autodiff((void *)mixed, enzyme_out, x, 3, enzyme_const, y, enzyme_const, (double *)0), 3 * y * y);

  Two none = __enzyme_autodiff_two((void *)mixed, enzyme_const_return, x, 3, y, enzyme_const, (double *)0);
  expect(none.x, 0);
  expect(none.y, 0);
  return result_of_test();
}
