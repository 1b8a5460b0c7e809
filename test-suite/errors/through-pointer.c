// What a function pointer leads to is known when the program runs. Where that has no derivative, the program ends there
// with a message; as long as it is not called, there is nothing to say.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -g %s -o %t
// RUN: %{compile} -O0
// RUN: %t 0
// RUN: %not --crash %t 1 2>&1 | %FileCheck %s --check-prefix=UNMADE
// RUN: %not --crash %t 2 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// RUN: %{compile} -O2
// RUN: %t 0
// RUN: %not --crash %t 1 2>&1 | %FileCheck %s --check-prefix=UNMADE
// RUN: %not --crash %t 2 2>&1 | %FileCheck %s --check-prefix=UNKNOWN

#include "../Inputs/check.h"
#include <stdint.h>
#include <stdlib.h>

double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

__attribute__((noinline)) static double square(double x) { return x * x; }
// What it does to the bits of its argument has no derivative that is known.
__attribute__((noinline)) static double unmade(double x) {
  union {
    double number;
    uint64_t bits;
  } both = {x};
  both.bits = both.bits * 3 + 1;
  return both.number;
}
static double (*functions[2])(double) = {square, unmade};

__attribute__((noinline)) static double apply(double x, double (*f)(double)) {
  // UNMADE: EnzymeRS: the derivative of `unmade`, which is called through a pointer, cannot be made: integer arithmetic on the bits of an active floating-point number
  // UNKNOWN: EnzymeRS: no derivative is known for the function called through a pointer at {{.*}}through-pointer.c:[[#@LINE+1]]:10
  return f(x);
}

// Its type is another than that of the calls, and C does not allow to call it.
static double other(void) { return 0; }

int main(int count, char **arguments) {
  int which = count > 1 ? atoi(arguments[1]) : 0;
  double (*f)(double) = which == 2 ? (double (*)(double))other : functions[which];
  expect(__enzyme_fwddiff((void *)apply, enzyme_dup, 3.0, 1.0, enzyme_const, f), 6.0);
  return result_of_test();
}
