// Functions and variables that carry no derivative, said by a variable and by annotations.

// REQUIRES: clang
// RUN: %clang %clangEnzyme -O0 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O1 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O2 %s -lm -o %t && %t
// RUN: %clang %clangEnzyme -O3 %s -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

static double weight(double x) { return x * x; }
void *__enzyme_inactivefn_weight[] = {(void *)weight};

__attribute__((annotate("enzyme_inactive"))) static double scale(double x) { return 5 * x; }

__attribute__((annotate("enzyme_inactive"), always_inline)) static inline double inlined(double x) { return 6 * x; }

static double state = 1;
void *__enzyme_inactive_global_state[] = {(void *)&state};

__attribute__((annotate("enzyme_inactive"))) static double marked = 1;

static int freed;
static void releases(void *p) { freed++; }
void *__enzyme_nofree_releases[] = {(void *)releases};

static double weighted(double x) { return weight(x) * scale(x) * inlined(x) * x; }
// Recursive, so that nobody sees what is read back.
__attribute__((noinline)) static void remember(double x, int depth) {
  if (depth > 0) {
    remember(x, depth - 1);
    return;
  }
  state = x;
  marked = x;
}
static double stateful(double x) {
  remember(x, 2);
  return state * marked * x;
}
static double frees_nothing(double x) {
  releases(&x);
  return 2 * x;
}

int main(void) {
  expect(__enzyme_fwddiff((void *)weighted, 2.0, 1.0), 4.0 * 10.0 * 12.0);
  expect(__enzyme_fwddiff((void *)stateful, 3.0, 1.0), 9.0);
  expect(state, 3.0);
  expect(__enzyme_fwddiff((void *)frees_nothing, 3.0, 1.0), 2.0);
  expect(freed, 1);
  return result_of_test();
}
