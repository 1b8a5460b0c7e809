// Allocations are different memory also where their addresses come through joins: a loop that fills one of them reads what
// does not change in another one once, and once it is kept. So what is kept grows like n, although n^2 products are added.

// REQUIRES: clang && linux
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -Wl,--wrap=malloc -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

static size_t asked_for;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  asked_for += bytes;
  return __real_malloc(bytes);
}

// Memory for n numbers, as containers have it: none for none.
static inline double *room(int n) { return n ? malloc(n * sizeof(double)) : NULL; }

// The sum of the squares of L x, for a triangular matrix whose element (i, j) is l[i - j]. Each round begins with new x.
static double triangular(const double *l, double scale, int n, int rounds) {
  double *x = room(n), *y = room(n), sum = 0;
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < n; i++) x[i] = scale * (i + round + 1);
    for (int i = 0; i < n; i++) y[i] = 0;
    for (int j = 0; j < n; j++)
      for (int i = j; i < n; i++) y[i] += l[i - j] * x[j];
    for (int i = 0; i < n; i++) sum += y[i] * y[i];
  }
  free(x);
  free(y);
  return sum;
}

#define N 200

int main(void) {
  static double l[N], dl[N];
  for (int i = 0; i < N; i++) l[i] = 1.0 / (i + 1);
  double sum = triangular(l, 0.01, N, 3);
  asked_for = 0;
  // All of it grows with the square of the scale.
  double derivative = __enzyme_autodiff((void *)triangular, l, dl, 0.01, N, 3);
  expect(derivative, 2 * sum / 0.01);
  double along = 0;
  for (int i = 0; i < N; i++) along += l[i] * dl[i];
  expect(along, 2 * sum);
  if (asked_for > 3 * N * N * sizeof(double) / 4) {
    printf("%zu bytes for what is kept\n", asked_for);
    return 1;
  }
  return result_of_test();
}
