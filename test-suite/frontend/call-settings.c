// Markers that say how arguments are handed over, and how the derivative is made.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
struct two {
  double d[2];
};
struct two __enzyme_fwddiff_two(void *, ...);
int enzyme_dup, enzyme_const, enzyme_width, enzyme_interleave, enzyme_byref, enzyme_not_overwritten, enzyme_nofree,
    enzyme_strong_zero, enzyme_dup_return, enzyme_active_return;

static double f(double x, double y, const double *z) { return x * y * *z; }
static double ratio(double x, double y) { return x / y; }

int main(void) {
  double z = 4, dz = 1;
  // All values first, then all shadows; a marker holds until the next.
  expect(__enzyme_fwddiff((void *)f, enzyme_dup, 2.0, 3.0, &z, enzyme_interleave, 1.0, 10.0, &dz), 12 + 80 + 6.0);
  expect(__enzyme_fwddiff((void *)f, 2.0, enzyme_const, 3.0, enzyme_dup, &z, enzyme_interleave, 1.0, &dz), 12 + 6.0);
  struct two t = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, enzyme_dup, 2.0, 3.0, enzyme_const, &z,
                                      enzyme_interleave, 1.0, 2.0, 0.0, 10.0);
  expect(t.d[0], 12.0);
  expect(t.d[1], 24 + 80.0);

  // A value behind a pointer.
  double x = 2, y = 3;
  expect(__enzyme_fwddiff((void *)f, enzyme_byref, 8, enzyme_dup, &x, 1.0, enzyme_const, enzyme_byref, 8, &y,
                          enzyme_const, &z),
         12.0);

  // They concern reverse mode, and do no harm here.
  expect(__enzyme_fwddiff((void *)f, enzyme_nofree, 2.0, 1.0, 3.0, 0.0, enzyme_not_overwritten, enzyme_dup, &z, &dz),
         12 + 6.0);
  expect(__enzyme_fwddiff((void *)f, enzyme_dup_return, 2.0, 1.0, 3.0, 0.0, enzyme_const, &z), 12.0);
  expect(__enzyme_fwddiff((void *)f, enzyme_active_return, 2.0, 1.0, 3.0, 0.0, enzyme_const, &z), 12.0);

  // The derivative by y is infinite; zero times it is zero if one asks for that, and no number otherwise.
  expect(__enzyme_fwddiff((void *)ratio, enzyme_strong_zero, 1.0, 0.0, 0.0, 0.0), 0.0);
  expect(isnan(__enzyme_fwddiff((void *)ratio, 1.0, 0.0, 0.0, 0.0)) != 0, 1);
  return result_of_test();
}
