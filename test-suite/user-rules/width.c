// A rule for one direction serves several: it is called once for each.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t

#include "../Inputs/check.h"

struct four {
  double d[4];
};
struct four __enzyme_fwddiff(void *, ...);
int enzyme_dup, enzyme_const, enzyme_width;

struct both {
  double primal, tangent;
};
static double product(double x, double y) { return x * y; }
static struct both product_rule(double x, double dx, double y, double dy) {
  return (struct both){x * y, 100 * dx + 1000 * dy};
}
void *__enzyme_register_derivative_product[] = {(void *)product, (void *)product_rule};

static double squared(double x, double y) {
  double p = product(x, y);
  return p * p;
}

int main(void) {
  struct four t = __enzyme_fwddiff((void *)squared, enzyme_width, 4, enzyme_dup, 2.0, 1.0, 0.0, 1.0, -3.0, enzyme_dup,
                                   3.0, 0.0, 1.0, 1.0, 0.5);
  expect(t.d[0], 12.0 * 100);
  expect(t.d[1], 12.0 * 1000);
  expect(t.d[2], 12.0 * 1100);
  expect(t.d[3], 12.0 * (-300 + 500));
  t = __enzyme_fwddiff((void *)squared, enzyme_width, 4, enzyme_dup, 2.0, 1.0, 2.0, 3.0, 4.0, enzyme_const, 3.0);
  for (int i = 0; i < 4; i++)
    expect(t.d[i], 12.0 * 100 * (i + 1));
  return result_of_test();
}
