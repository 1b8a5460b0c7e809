// The gradient through memcpy, memmove and memset.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O0 -mllvm -enzyme-preopt=0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

static double there_and_back(double *x, int n) {
  double copy[SIZE], sum = 0;
  memcpy(copy, x, n * sizeof(double));
  for (int i = 0; i < n; i++) {
    copy[i] *= copy[(i + 1) % n];
    sum += copy[i];
  }
  memcpy(x, copy, n * sizeof(double));
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

static double moved_up(double *x, int n) {
  memmove(x + 1, x, (n - 1) * sizeof(double));
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * x[i] * x[i];
  return sum;
}

static double moved_down(double *x, int n) {
  for (int i = n - 1; i > 0; i--) {
    memmove(x, x + 1, i * sizeof(double));
    x[i] = x[0] * x[1];
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (i + 1) * x[i];
  return sum;
}

static double cleared(double *x, int n) {
  double sums[SIZE];
  memset(sums, 0, sizeof sums);
  for (int i = 0; i < n; i++) sums[i % 3] += x[i] * x[i];
  double r = sums[0] * sums[1];
  memset(x, 0, 2 * sizeof(double));
  return r * (x[0] + x[1] + x[2]);
}

static double in_a_loop(double *x, int n) {
  double current[SIZE], next[SIZE];
  memcpy(current, x, sizeof current);
  for (int round = 1; round < n; round++) {
    for (int i = 0; i < n; i++) next[i] = current[i] + 0.1 * current[(i + round) % n] * current[i];
    memcpy(current, next, round * sizeof(double));
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += current[i] * current[i];
  return sum;
}

// A copy of which only elements at places that are computed are read.
static double gathered(double *x, int n) {
  static int places[SIZE];
  for (int i = 0; i < n; i++) places[i] = (3 * i + 1) % n;
  double *copy = malloc(n * sizeof *copy), sum = 0;
  memcpy(copy, x, n * sizeof *copy);
  for (int i = 0; i < n; i++) sum += copy[places[i]] * x[i] * copy[places[places[i]]];
  free(copy);
  return sum;
}

// A copy behind a member of a structure, which a function that calls itself reads.
typedef struct {
  double *kernel, *input;
  int sizes[2];
} Convolution;

separate static void convolve(Convolution *c, int at, int in_kernel, int depth, double *sum) {
  for (int j = 0; j < c->sizes[depth]; j++) {
    int next = at + j * (depth + 1), k = in_kernel + j;
    if (depth > 0) convolve(c, next, k, depth - 1, sum);
    else *sum += c->kernel[k] * c->input[next];
  }
}

static double convolved(double *x, int n) {
  Convolution c = {n ? malloc(n * sizeof(double)) : NULL, x, {n / 2, n / 4}};
  if (n) memcpy(c.kernel, x, n * sizeof(double));
  double sum = 0;
  convolve(&c, 0, 0, 1, &sum);
  free(c.kernel);
  return sum;
}

separate static void d_there_and_back(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)there_and_back, x, dx, n);
}
separate static void d_moved_up(double *x, double *dx, int n) { __enzyme_autodiff((void *)moved_up, x, dx, n); }
separate static void d_moved_down(double *x, double *dx, int n) { __enzyme_autodiff((void *)moved_down, x, dx, n); }
separate static void d_cleared(double *x, double *dx, int n) { __enzyme_autodiff((void *)cleared, x, dx, n); }
separate static void d_in_a_loop(double *x, double *dx, int n) { __enzyme_autodiff((void *)in_a_loop, x, dx, n); }
separate static void d_gathered(double *x, double *dx, int n) { __enzyme_autodiff((void *)gathered, x, dx, n); }
separate static void d_convolved(double *x, double *dx, int n) { __enzyme_autodiff((void *)convolved, x, dx, n); }

int main(void) {
  expect_gradient(d_there_and_back, there_and_back);
  expect_gradient(d_moved_up, moved_up);
  expect_gradient(d_moved_down, moved_down);
  expect_gradient(d_cleared, cleared);
  expect_gradient(d_in_a_loop, in_a_loop);
  expect_gradient(d_gathered, gathered);
  expect_gradient(d_convolved, convolved);

  double x[3] = {2, 3, 5}, dx[3] = {0};
  d_moved_up(x, dx, 3); // x[0]^2 + 2 x[0]^2 + 3 x[1]^2
  expect(dx[0], 12);
  expect(dx[1], 18);
  expect(dx[2], 0);
  return result_of_test();
}
