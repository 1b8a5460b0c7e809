// The gradient through a switch in a loop, a goto into a loop, loops made of goto.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

static double switched(double *x, int n) {
  double r = 1;
  for (int i = 0; i < n; i++) switch (i % 4) {
    case 0: r *= x[i]; break;
    case 1: r += x[i] * x[i]; /* fall through */
    case 2: r -= 0.5 * x[i]; break;
    default: r = sin(r) + x[i];
    }
  return r;
}

static double into_a_loop(double *x, int n) {
  int i = 0;
  double r = 0;
  if (n > 3) goto middle;
again:
  r += x[i] * x[i];
middle:
  r *= 1 + 0.1 * x[i];
  r += x[i];
  i++;
  if (i < n) goto again;
  return r;
}

static double machine(double *x, int n) {
  double r = 1;
  int i = 0;
add:
  if (i == n) return r;
  r += x[i++];
  if (r < 1) goto add;
multiply:
  if (i == n) return r * r;
  r *= 0.5 + x[i++];
  if (i % 2) goto multiply;
  goto add;
}

static double states(double *x, int n) {
  double r = 1, kept = 0;
  int state = 0;
  for (int i = 0; i < n && state != 3; i++) switch (state) {
    case 0:
      kept = r * x[i];
      state = x[i] > 0 ? 1 : 2;
      break;
    case 1:
      r += kept * x[i];
      state = i > 4 ? 3 : 2;
      continue;
    case 2:
      for (int j = 0; j < i; j++) {
        if (j == 3) break;
        r *= 1 + 0.1 * x[j] * x[i];
      }
      state = 0;
    }
  return r + kept;
}

separate static void d_switched(double *x, double *dx, int n) { __enzyme_autodiff((void *)switched, x, dx, n); }
separate static void d_into_a_loop(double *x, double *dx, int n) { __enzyme_autodiff((void *)into_a_loop, x, dx, n); }
separate static void d_machine(double *x, double *dx, int n) { __enzyme_autodiff((void *)machine, x, dx, n); }
separate static void d_states(double *x, double *dx, int n) { __enzyme_autodiff((void *)states, x, dx, n); }

int main(void) {
  expect_gradient(d_switched, switched);
  expect_gradient(d_into_a_loop, into_a_loop);
  expect_gradient(d_machine, machine);
  expect_gradient(d_states, states);
  return result_of_test();
}
