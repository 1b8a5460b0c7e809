// A program that computes gradients over and over does not ask for the memory of the tape over and over: a derivative
// leaves its largest piece to the next one, whichever thread that runs in.

// REQUIRES: clang && linux
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -pthread -Wl,--wrap=malloc -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t

#include "../Inputs/check.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

static _Atomic int allocations;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  allocations++;
  return __real_malloc(bytes);
}

// Every iterate is kept.
static double iterate(double x, int n) {
  for (int i = 0; i < n; i++) x = x * (2 - x);
  return x;
}

// How many iterates there are is known when all are computed.
static double iterate_until(double x, double end) {
  while (x > end) x = x * (1 - x);
  return x;
}

static double gradient(double x, int n) { return __enzyme_autodiff((void *)iterate, x, n); }
static double gradient_until(double x, double end) { return __enzyme_autodiff((void *)iterate_until, x, end); }

static double wanted(double x, int n) {
  double derivative = 1;
  for (int i = 0; i < n; i++) {
    derivative *= 2 - 2 * x;
    x = x * (2 - x);
  }
  return derivative;
}

static double wanted_until(double x, double end) {
  double derivative = 1;
  while (x > end) {
    derivative *= 1 - 2 * x;
    x = x * (1 - x);
  }
  return derivative;
}

static int allocations_of(int n) {
  int before = allocations;
  expect(gradient(1e-3, n), wanted(1e-3, n));
  return allocations - before;
}

static int allocations_until(double end) {
  int before = allocations;
  expect(gradient_until(0.5, end), wanted_until(0.5, end));
  return allocations - before;
}

static void *many(void *start) {
  double x = *(double *)start;
  for (int i = 1; i < 40; i++) expect(gradient(x, 500 * i), wanted(x, 500 * i));
  return NULL;
}

#define THREADS 6

int main(void) {
  // The frame is enough.
  expect(allocations_of(10), 0);
  expect(allocations_of(100000), 1);
  expect(allocations_of(100000), 0);
  // A spare piece that is too small is freed, one that is large enough serves smaller tapes, too.
  expect(allocations_of(300000), 1);
  expect(allocations_of(1000), 0);
  expect(allocations_of(300000), 0);
  // A tape that grows needs less and less.
  allocations_until(1e-5);
  allocations_until(1e-5);
  allocations_until(1e-5);
  expect(allocations_until(1e-5), 0);
  expect(allocations_until(1e-4), 0);

  pthread_t threads[THREADS];
  double starts[THREADS];
  for (int i = 0; i < THREADS; i++) {
    starts[i] = 1e-3 * (i + 1);
    pthread_create(&threads[i], NULL, many, &starts[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return result_of_test();
}
