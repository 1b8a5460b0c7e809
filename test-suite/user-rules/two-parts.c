// Split forward derivatives that the user wrote.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t

#include "../Inputs/check.h"

extern int enzyme_const, enzyme_dup;

typedef struct { void *tape; double value; } TapeAndValue;
typedef struct { double value, tangent; } Dual;

TapeAndValue __enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);
double __enzyme_fwddiff(void *, ...);

static int augmented, derived;

// Its derivative is wrong, to be told apart from what EnzymeRS would find.
static double product(double x, double y) { return x * y; }
typedef struct { double tape, value; } NumberAndValue;
static NumberAndValue product_augmented(double x, double y) {
  augmented++;
  return (NumberAndValue){100 * x, x * y};
}
static Dual product_derivative(double x, double dx, double y, double dy, double tape) {
  derived++;
  return (Dual){x * y, 3 * y * dx + tape * dy};
}
void *__enzyme_register_splitderivative_product[] = {(void *)product, (void *)product_augmented,
                                                     (void *)product_derivative};

static double sum(double *x) {
  double before = x[0];
  x[0] = 0;
  return product(before, x[1]) + product(before, 2);
}

int main(void) {
  double x[2] = {0.7, 1.3}, tangent[2] = {1, 0.5};
  TapeAndValue there = __enzyme_augmentfwd((void *)sum, enzyme_dup, x, tangent);
  expect(there.value, 0.7 * 1.3 + 1.4);
  expect(augmented, 2);
  expect(derived, 0);
  expect(__enzyme_fwdsplit((void *)sum, enzyme_dup, x, tangent, there.tape), 3 * 1.3 + 70 * 0.5 + 6);
  expect(augmented, 2);
  expect(derived, 2);

  // In one part both are called, one after the other.
  double y[2] = {0.7, 1.3}, direction[2] = {1, 0.5};
  expect(__enzyme_fwddiff((void *)sum, enzyme_dup, y, direction), 3 * 1.3 + 70 * 0.5 + 6);
  expect(augmented, 4);
  expect(derived, 4);
  return result_of_test();
}
