// Memory that a function frees where it ends is still there when its reverse sweep reads it again, and is freed once. What
// a loop frees is freed in the loop.

// REQUIRES: clang && linux
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -Wl,--wrap=free -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <malloc.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

static int freed;

// What is freed is no longer what it was.
void __real_free(void *memory);
void __wrap_free(void *memory) {
  double *numbers = memory;
  for (size_t i = 0; i < malloc_usable_size(memory) / sizeof(double); i++) numbers[i] = 1e300;
  freed += memory != NULL;
  __real_free(memory);
}

// The powers of x, and the sum of the squares of their sines.
static double powers(double x, int n) {
  double *power = malloc(n * sizeof(double));
  power[0] = x;
  for (int i = 1; i < n; i++) power[i] = x * power[i - 1];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += sin(power[i]) * sin(power[i]);
  free(power);
  return sum;
}

static double derivative_of_powers(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += sin(2 * pow(x, i + 1)) * (i + 1) * pow(x, i);
  return sum;
}

// Numbers without derivative say which elements count, and are freed before all is done.
static double chosen(const double *x, int n) {
  int *order = malloc(n * sizeof(int));
  for (int i = 0; i < n; i++) order[i] = (i * 7 + 3) % n;
  double product = 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) product += x[order[i]] * x[order[j]] * 1e-2;
  free(order);
  return product * product;
}

// A piece for each round.
static double rounds(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double *piece = malloc(4 * sizeof(double));
    for (int j = 0; j < 4; j++) piece[j] = sin(x + i + j);
    for (int j = 0; j < 4; j++) sum += piece[j] * piece[j];
    free(piece);
  }
  return sum;
}

// Only one of two ways frees, the other hands the memory on.
static double *left_behind;
static double either(double x, int keep) {
  double *memory = malloc(3 * sizeof(double));
  for (int i = 0; i < 3; i++) memory[i] = x * (i + 1);
  double product = memory[0] * memory[1] * memory[2];
  if (keep) left_behind = memory;
  else free(memory);
  return product;
}

#define N 10

int main(void) {
  // The memory, and its shadow.
  expect(__enzyme_autodiff((void *)powers, 0.9, 100), derivative_of_powers(0.9, 100));
  expect(freed, 2);

  double x[N], dx[N] = {0}, sum = 0;
  for (int i = 0; i < N; i++) x[i] = 0.1 * (i + 1);
  __enzyme_autodiff((void *)chosen, x, dx, N);
  int order[N];
  for (int i = 0; i < N; i++) order[i] = (i * 7 + 3) % N;
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) sum += x[order[i]] * x[order[j]] * 1e-2;
  for (int k = 0; k < N; k++) {
    double wanted = 0;
    for (int i = 0; i < N; i++)
      for (int j = 0; j <= i; j++)
        wanted += ((order[i] == k) * x[order[j]] + (order[j] == k) * x[order[i]]) * 1e-2;
    expect(dx[k], 2 * (1 + sum) * wanted);
  }

  double wanted = 0;
  for (int i = 0; i < 50; i++)
    for (int j = 0; j < 4; j++) wanted += sin(2 * (0.3 + i + j));
  expect(__enzyme_autodiff((void *)rounds, 0.3, 50), wanted);

  expect(__enzyme_autodiff((void *)either, 0.5, 0), 18 * 0.25);
  return result_of_test();
}
