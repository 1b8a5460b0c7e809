// x86's minimum and maximum as inline assembler, as Eigen 3.3 writes them: the second operand also beside a NaN.

// REQUIRES: clang, x86_64
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"

typedef double Pair __attribute__((vector_size(16)));
typedef float Four __attribute__((vector_size(16)));

int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff_scalar(void *, ...);

static Pair maximum(Pair a, Pair b) {
  Pair result = b;
  __asm__("maxpd %[a], %[b]" : [b] "+x"(result) : [a] "x"(a));
  return result;
}

static Four minimum(Four a, Four b) {
  Four result = b;
  __asm__("minps %[a], %[b]" : [b] "+x"(result) : [a] "x"(a));
  return result;
}

static void squares_of_maxima(const Pair *a, const Pair *b, Pair *result) {
  Pair larger = maximum(*a, *b);
  *result = larger * larger;
}

static void minima(const Four *a, const Four *b, Four *result) { *result = minimum(*a, *b) * 3; }

static double smaller(double x, double y) {
  double result = y;
  __asm__("minsd %1, %0" : "+x"(result) : "x"(x));
  return result * result;
}

int main(void) {
  Pair a = {1, 5}, b = {2, 4}, result, da = {0, 0}, db = {0, 0}, adjoint = {1, 10};
  __enzyme_autodiff((void *)squares_of_maxima, &a, &da, &b, &db, &result, &adjoint);
  expect(result[0], 4);
  expect(result[1], 25);
  expect(da[0], 0);
  expect(da[1], 100);
  expect(db[0], 4);
  expect(db[1], 0);

  // Where one is no number, the result is the operand that comes first in the text.
  Four c = {1, NAN, 3, 7}, d = {2, 5, NAN, 7}, least, dc = {0}, dd = {0}, ones = {1, 1, 1, 1};
  __enzyme_autodiff((void *)minima, &c, &dc, &d, &dd, &least, &ones);
  expect_float(least[0], 3);
  expect(isnan(least[1]), 1);
  expect_float(least[2], 9);
  for (int i = 0; i < 4; i++) {
    expect_float(dc[i], 3);
    expect_float(dd[i], 0);
  }

  expect(__enzyme_fwddiff((void *)smaller, enzyme_dup, 3.0, 1.0, enzyme_dup, 5.0, 10.0), 6);
  expect(__enzyme_fwddiff((void *)smaller, enzyme_dup, 5.0, 1.0, enzyme_dup, 3.0, 10.0), 60);
  return result_of_test();
}
