// Integers in memory that has a shadow: counters, hashes and indices are numbers, wherever they are carried.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <string.h>

double __enzyme_fwddiff(void *, ...);

typedef struct { double value; int count; unsigned hash; } State;

static double hashed(State *state, int n) {
  unsigned hash = state->hash;
  double r = 0;
  for (int i = 0; i < n; i++) {
    hash = hash * 31 + i;
    if (hash & 1) r += state->value * i;
  }
  state->hash = hash;
  state->count += n;
  return r * state->count;
}

static double indexed(const State *state, const double *at) {
  int i = state->count;
  double r = at[i];
  while (i > 0) {
    i /= 2;
    r = r * state->value + at[i];
  }
  return r;
}

static double copied(const State *from, State *to) {
  memcpy(to, from, sizeof *to);
  to->count++;
  return to->value * to->count;
}

int main(void) {
  State state = {1.5, 2, 7}, tangent = {1, 2, 7};
  unsigned hash = 7;
  double slope = 0;
  for (int i = 0; i < 9; i++) {
    hash = hash * 31 + i;
    if (hash & 1) slope += i;
  }
  expect(__enzyme_fwddiff((void *)hashed, &state, &tangent, 9), slope * 11);
  expect(state.hash, hash);
  expect(state.count, 11);

  // at[4], at[2], at[1], at[0] as a polynomial.
  double at[5] = {1, 2, 3, 4, 5}, no[5] = {0}, x = 1.5;
  state.count = 4;
  expect(__enzyme_fwddiff((void *)indexed, &state, &tangent, at, no), 15 * x * x + 6 * x + 2);

  State copy, copy_tangent;
  expect(__enzyme_fwddiff((void *)copied, &state, &tangent, &copy, &copy_tangent), 5);
  expect(copy.count, 5);
  expect(copy_tangent.value, 1);
  return result_of_test();
}
