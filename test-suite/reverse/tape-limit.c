// The program may say how much memory a derivative may keep: one that needs more ends with a message.

// REQUIRES: clang && linux
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t 0 && %t 100000 && %not --crash %t 1000 2>&1 | %FileCheck %s
// RUN: %{compile} -O2 && %t 0 && %t 100000 && %not --crash %t 1000 2>&1 | %FileCheck %s
// RUN: %clang %clangEnzyme -DDEFINED %s -O2 -lm -o %t && %t 0 && %not --crash %t 1000 2>&1 | %FileCheck %s
// RUN: %{compile} -O2 && %not --crash %t 79000 2>&1 | %FileCheck %s

// CHECK: EnzymeRS: a derivative has to keep more than the {{1000|79000}} bytes that `__enzyme_tape_limit` allows
// CHECK-SAME: <enzyme/checkpoint.h>

#include "../Inputs/check.h"
#include <stdint.h>
#include <stdlib.h>

#ifdef DEFINED
uint64_t __enzyme_tape_limit = 1000000;
#else
extern uint64_t __enzyme_tape_limit; // Derivatives with a tape define it.
#endif

double __enzyme_autodiff(void *, ...);

// Keeps a sine for each iteration: 8 bytes of 10,000.
static double iterated(double x, int n) {
  for (int i = 0; i < n; i++)
    x = sin(x) * 1.01;
  return x;
}

int main(int count, char **arguments) {
  (void)count;
  __enzyme_tape_limit = strtoull(arguments[1], NULL, 10);
  double x = 0.5, slope = 1;
  int n = 10000;
  for (int i = 0; i < n; i++) {
    slope *= cos(x) * 1.01;
    x = sin(x) * 1.01;
  }
  // Twice: the second one finds what the first one has left.
  for (int again = 0; again < 2; again++)
    expect(__enzyme_autodiff((void *)iterated, 0.5, n), slope);
  // What fits into the frame needs none of it.
  __enzyme_tape_limit = 1;
  expect(__enzyme_autodiff((void *)iterated, 0.5, 2), cos(0.5) * 1.01 * cos(sin(0.5) * 1.01) * 1.01);
  return result_of_test();
}
