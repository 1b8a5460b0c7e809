// A variable that another file defines has no shadow here: that is an error, unless the user wants local ones for the
// time of a call (-enzyme-lower-globals). Then derivatives go through it while the function runs, but not in or out.

// REQUIRES: clang
// RUN: %clang -O2 -DELSEWHERE -c %s -o %t.elsewhere.o
// RUN: %clang %clangEnzyme -mllvm -enzyme-lower-globals -O0 %s %t.elsewhere.o -lm -o %t && %t
// RUN: %clang %clangEnzyme -mllvm -enzyme-lower-globals -O2 %s %t.elsewhere.o -lm -o %t && %t
// RUN: %not %clang %clangEnzyme -O2 -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: error: active values go through `state`, which is defined elsewhere and has no shadow here
// CHECK: help: define `state` in this file

#ifdef ELSEWHERE
double state = 5;
#else
#include "../Inputs/check.h"

extern double state;
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double scaled(double x) {
  state = state * x;
  state = state + state * x;
  return state;
}

int main(void) {
  // 5x + 5x²: 5 + 10x
  expect(__enzyme_fwddiff((void *)scaled, 2.0, 1.0), 25);
  expect(state, 30);
  // 30x + 30x²: 30 + 60x
  expect(__enzyme_autodiff((void *)scaled, 2.0), 150);
  expect(state, 180);
  return result_of_test();
}
#endif
