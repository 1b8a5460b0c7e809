// Forward derivatives that the user gives: they are used at every optimisation level, and for LTO, whatever LLVM could
// find out about the function itself.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O1 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O3 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O0 -g %s -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_width;

struct both {
  double primal, tangent;
};

// Each rule gives a derivative that is not the true one, so that it shows whether the rule was used.

// LLVM would find that the function returns its argument.
static double clipped(double x) { return x; }
static struct both clipped_rule(double x, double dx) { return (struct both){x, dx > 1 ? 1 : dx}; }
void *__enzyme_register_derivative_clipped[] = {(void *)clipped, (void *)clipped_rule};

// LLVM would find that the function returns a constant.
static double placeholder(double x) { return 7; }
static struct both placeholder_rule(double x, double dx) { return (struct both){7, 11 * dx}; }
void *__enzyme_register_derivative_placeholder[] = {(void *)placeholder, (void *)placeholder_rule};

// LLVM would inline the function, even at -O0.
__attribute__((always_inline)) static inline double small(double x, double y) { return x * y; }
static struct both small_rule(double x, double dx, double y, double dy) {
  return (struct both){x * y, 100 * dx + 1000 * dy};
}
void *__enzyme_register_derivative_small[] = {(void *)small, (void *)small_rule};

// Nothing is returned, and the rule writes to memory.
static int square_rule_calls;
static void square(const double *from, double *to) { *to = *from * *from; }
static void square_rule(const double *from, const double *dfrom, double *to, double *dto) {
  square_rule_calls++;
  *to = *from * *from;
  *dto = 5 * *dfrom;
}
void *__enzyme_register_derivative_square[] = {(void *)square, (void *)square_rule};

// The function is somewhere else: only the rule is known. (It is defined at the end, out of sight of `uses_everything`.)
__attribute__((weak)) double elsewhere(double x) { return sin(x); }
static struct both elsewhere_rule(double x, double dx) { return (struct both){sin(x), 3 * dx}; }
void *__enzyme_register_derivative_elsewhere[] = {(void *)elsewhere, (void *)elsewhere_rule};

static double through_clipped(double x) { return 2 * clipped(x); }
static double through_placeholder(double x) { return placeholder(x) * x; }
static double through_small(double x) { return small(x, x); }
static double through_constant(double x) { return small(x, 3.0); }
static double through_square(double x) {
  double y;
  square(&x, &y);
  return 2 * y;
}
static double through_elsewhere(double x) { return elsewhere(x) + x; }
static double nothing_active(double x) { return small(2.0, 3.0) * x; }
static double twice(double x) { return clipped(clipped(x) * 3); }

int main(void) {
  expect(__enzyme_fwddiff((void *)through_clipped, 3.0, 5.0), 2.0);
  expect(__enzyme_fwddiff((void *)through_clipped, 3.0, 0.5), 1.0);
  expect(__enzyme_fwddiff((void *)through_placeholder, 3.0, 1.0), 7.0 + 11.0 * 3.0);
  expect(__enzyme_fwddiff((void *)through_small, 3.0, 1.0), 1100.0);
  expect(__enzyme_fwddiff((void *)through_constant, 3.0, 1.0), 100.0);
  expect(__enzyme_fwddiff((void *)through_square, 3.0, 1.0), 10.0);
  expect(square_rule_calls, 1);
  expect(__enzyme_fwddiff((void *)through_elsewhere, 3.0, 1.0), 4.0);
  expect(__enzyme_fwddiff((void *)nothing_active, 3.0, 1.0), 6.0);
  expect(__enzyme_fwddiff((void *)twice, 3.0, 0.25), 0.75);
  expect(__enzyme_fwddiff((void *)twice, 3.0, 0.5), 1.0);
  // The function itself may be what is differentiated.
  expect(__enzyme_fwddiff((void *)small, 3.0, 1.0, enzyme_const, 2.0), 100.0);
  expect(__enzyme_fwddiff((void *)elsewhere, 3.0, 1.0), 3.0);
  // The primal is what it was.
  expect(through_clipped(3.0), 6.0);
  expect(through_placeholder(3.0), 21.0);
  expect(through_small(3.0), 9.0);
  expect(through_square(3.0), 18.0);
  return result_of_test();
}
