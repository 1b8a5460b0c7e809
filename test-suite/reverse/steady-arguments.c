// A function that calls itself reads memory of its arguments again in its reverse sweep if its caller writes nothing there
// meanwhile, and keeps what it reads if the caller does.

// REQUIRES: clang && linux
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -Wl,--wrap=malloc -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static size_t asked_for;
void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes) {
  asked_for += bytes;
  return __real_malloc(bytes);
}

// The sum of x[i] x[j] over all pairs in blocks that become smaller and smaller.
static double blocks(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) sum += x[i] * x[j];
  return n < 4 ? sum : sum + blocks(x, n / 2) * blocks(x + n / 2, n - n / 2);
}

// x stays.
static double steady(const double *restrict x, double *restrict out, int n) {
  out[0] = blocks(x, n);
  return out[0] * out[0];
}

// x is overwritten when the blocks are done, once for each round.
static double overwritten(double *x, int n, int rounds) {
  double product = 1;
  for (int round = 0; round < rounds; round++) {
    product *= blocks(x, n);
    for (int i = 0; i < n; i++) x[i] = sin(x[i]) + 0.01 * i;
  }
  return product;
}

// x is local, and freed.
static double local(double scale, int n) {
  double *x = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) x[i] = scale * (i % 5 - 1.5);
  double result = blocks(x, n);
  free(x);
  return result;
}

#define N 60
static double x[N], dx[N], out[1], dout[1];

static void begin(double along) {
  for (int i = 0; i < N; i++) x[i] = 0.02 * (i % 7 - 2) + along * (i % 3 - 1), dx[i] = 0;
}

static double slope(const double *gradient) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += gradient[i] * (i % 3 - 1);
  return sum;
}

#define DIFFERENCE(call, along) \
  (begin(along), difference = call, begin(-along), (difference - call) / (2 * along))

int main(void) {
  double difference, step = 1e-5;
  begin(0);
  asked_for = 0;
  __enzyme_autodiff((void *)steady, x, dx, out, dout, N);
  size_t bytes = asked_for;
  double got = slope(dx), wanted = DIFFERENCE(steady(x, out, N), step);
  expect_near(got, wanted, 1e-7);
  // All pairs would be more.
  if (bytes > N * N * sizeof(double)) {
    printf("%zu bytes for what is kept\n", bytes);
    return 1;
  }

  begin(0);
  __enzyme_autodiff((void *)overwritten, x, dx, N, 3);
  got = slope(dx), wanted = DIFFERENCE(overwritten(x, N, 3), step);
  expect_near(got, wanted, 1e-7);

  got = __enzyme_autodiff((void *)local, 0.3, N);
  wanted = (local(0.3 + step, N) - local(0.3 - step, N)) / (2 * step);
  expect_near(got, wanted, 1e-7);
  return result_of_test();
}
