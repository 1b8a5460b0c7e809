// The gradient through branches, selects and switches: only the side that was taken counts.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { double x, y; } Two;

double __enzyme_autodiff(void *, ...);
Two __enzyme_autodiff_two(void *, ...);

static double ladder(double x) {
  double r;
  if (x < -1)
    r = x * x;
  else if (x < 1)
    r = 3 * x;
  else if (x < 2)
    r = 5;
  else
    r = exp(x);
  return r * 2;
}

static double ternary(double x, double y) { return x > y ? x * x : y * y * y; }

static double guarded(double x, double y) {
  double r = x;
  if (x > 0 && log(x) > y) r *= y;
  if (x < -3 || y > 10) r += 7 * y;
  return r;
}

static double early(double x) {
  if (x < 0) return -x;
  double y = x * x;
  if (y > 4) return y * x;
  return y;
}

static double shared(double x, double y) {
  double a = x * y, b = a;
  if (x > 1) {
    b = a * a;
    if (y > 1) b = sin(b);
  }
  return a * b;
}

static double switched(double x, int kind) {
  double r = 1;
  switch (kind) {
  case 0: return x;
  case 1: return x * x;
  case 300: r *= x; /* fall through */
  case 20: r *= x;  /* fall through */
  case 10: r *= x; break;
  case -4: r = 1 / x; break;
  default: return -x;
  }
  return r * 2;
}

static double larger(double x, double y) { return fmax(x, y) * fmin(x, 2 * y); }

int main(void) {
  expect(__enzyme_autodiff((void *)ladder, -2.0), -8.0);
  expect(__enzyme_autodiff((void *)ladder, 0.5), 6.0);
  expect(__enzyme_autodiff((void *)ladder, 1.5), 0.0);
  expect(__enzyme_autodiff((void *)ladder, 2.5), 2 * exp(2.5));

  Two two = __enzyme_autodiff_two((void *)ternary, 3.0, 2.0);
  expect(two.x, 6);
  expect(two.y, 0);
  two = __enzyme_autodiff_two((void *)ternary, 1.0, 2.0);
  expect(two.x, 0);
  expect(two.y, 12);

  two = __enzyme_autodiff_two((void *)guarded, 5.0, 1.0);
  expect(two.x, 1);
  expect(two.y, 5);
  two = __enzyme_autodiff_two((void *)guarded, -4.0, 1.0);
  expect(two.x, 1);
  expect(two.y, 7);
  two = __enzyme_autodiff_two((void *)guarded, 2.0, 1.0);
  expect(two.x, 1);
  expect(two.y, 0);

  expect(__enzyme_autodiff((void *)early, -1.0), -1.0);
  expect(__enzyme_autodiff((void *)early, 1.5), 3.0);
  expect(__enzyme_autodiff((void *)early, 3.0), 27.0);

  double x = 0.5, y = 0.75;
  two = __enzyme_autodiff_two((void *)shared, x, y); // (x y)^2
  expect(two.x, 2 * x * y * y);
  expect(two.y, 2 * x * x * y);
  x = 1.5;
  two = __enzyme_autodiff_two((void *)shared, x, y); // (x y)^3
  expect(two.x, 3 * x * x * y * y * y);
  expect(two.y, 3 * x * x * x * y * y);
  y = 1.25;
  two = __enzyme_autodiff_two((void *)shared, x, y); // x y sin((x y)^2)
  double a = x * y, slope = sin(a * a) + 2 * a * a * cos(a * a);
  expect(two.x, slope * y);
  expect(two.y, slope * x);

  expect(__enzyme_autodiff((void *)switched, x, 0), 1);
  expect(__enzyme_autodiff((void *)switched, x, 1), 2 * x);
  expect(__enzyme_autodiff((void *)switched, x, 300), 6 * x * x);
  expect(__enzyme_autodiff((void *)switched, x, 20), 4 * x);
  expect(__enzyme_autodiff((void *)switched, x, 10), 2);
  expect(__enzyme_autodiff((void *)switched, x, -4), -2 / (x * x));
  expect(__enzyme_autodiff((void *)switched, x, 5), -1);

  two = __enzyme_autodiff_two((void *)larger, 3.0, 2.0); // x * x
  expect(two.x, 6);
  expect(two.y, 0);
  two = __enzyme_autodiff_two((void *)larger, 5.0, 2.0); // x * 2 y
  expect(two.x, 4);
  expect(two.y, 10);
  return result_of_test();
}
