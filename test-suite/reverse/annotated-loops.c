// Annotated loops (enzyme/checkpoint.h): the gradient is that of the loop without the annotation, and the binomial schedule
// runs as few steps as possible.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -I%include -Wall -Wextra -Werror %s -o %t -lm
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O0 -mllvm -enzyme-preopt=0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <enzyme/checkpoint.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// Counts the steps that run, and is no part of the state.
static int64_t steps_run;
__attribute__((annotate("enzyme_inactive"))) static void count_step(void) { steps_run++; }

static double energy;

// Memory of the caller has to be named.
static __attribute__((noinline)) double plain_advance(double *u, int n, int64_t bound) {
  double sum = 0;
  for (int i = 0; i < n && i < bound; i++) {
    u[i % 4] += 0.1 * sin(u[(i + 1) % 4]);
    sum += u[3] * u[0];
  }
  return sum;
}

static __attribute__((noinline)) double annotated_advance(double *u, int n, int64_t bound) {
  double sum = 0;
  for (int i = 0; i < n && i < bound; i++) {
    ENZYME_CHECKPOINT("binomial", n / 2 + 1, ENZYME_REGION(u, 4 * sizeof *u));
    u[i % 4] += 0.1 * sin(u[(i + 1) % 4]);
    sum += u[3] * u[0];
  }
  return sum;
}

#define NAME(WHAT) plain_##WHAT
#define CHECKPOINT(...) ((void)0)
#include "../Inputs/annotated-loops.h"
#undef NAME
#undef CHECKPOINT
#define NAME(WHAT) annotated_##WHAT
#define CHECKPOINT ENZYME_CHECKPOINT
#include "../Inputs/annotated-loops.h"

// r n - C(s + r, r - 1), with the smallest r for which n <= C(s + r, s): how many steps run before they are reversed.
static double optimum(double snapshots, double steps) {
  double runs = 1, reach = 1 + snapshots;
  if (steps <= 1) return 0;
  while (reach < steps) {
    runs++;
    reach = reach * (snapshots + runs) / runs;
  }
  return runs * steps - reach * runs / (snapshots + 1);
}

static const double start[3] = {1.25, 0.5, 0.75};
static const int lengths[] = {0, 1, 2, 3, 7, 40};

#define GRADIENT(FUNCTION, LENGTH, INTO)                                                                      \
  steps_run = 0;                                                                                              \
  __enzyme_autodiff((void *)FUNCTION, enzyme_dup, p, INTO, enzyme_const, LENGTH)

#define COMPARE(WHAT)                                                                                         \
  for (unsigned index = 0; index < sizeof lengths / sizeof *lengths; index++) {                               \
    double p[3] = {start[0], start[1], start[2]}, wanted[3] = {0, 0, 0}, got[3] = {0, 0, 0};                  \
    expect(annotated_##WHAT(p, lengths[index]), plain_##WHAT(p, lengths[index]));                             \
    GRADIENT(plain_##WHAT, lengths[index], wanted);                                                           \
    GRADIENT(annotated_##WHAT, lengths[index], got);                                                          \
    for (int k = 0; k < 3; k++) expect(got[k], wanted[k]);                                                    \
  }

// Ten thousand steps with twenty snapshots.
static void long_loop(void) {
  double p[3] = {start[0], start[1], start[2]}, wanted[3] = {0, 0, 0}, got[3] = {0, 0, 0};
  GRADIENT(plain_pendulum, 10000, wanted);
  expect((double)steps_run, 10000);
  GRADIENT(annotated_pendulum, 10000, got);
  // Each step runs once with its adjoint, and 4 n - C(24, 3) run before.
  expect((double)steps_run, 10000 + 4 * 10000 - 2024);
  expect(optimum(20, 10000), 4 * 10000 - 2024);
  for (int k = 0; k < 3; k++) expect_near(got[k], wanted[k], 1e-11);
}

// How often steps run. Those of loops that are counted first run once more.
static void numbers_of_steps(void) {
  for (unsigned index = 0; index < sizeof lengths / sizeof *lengths; index++) {
    int n = lengths[index];
    double p[3] = {start[0], start[1], start[2]}, dp[3] = {0, 0, 0};
    GRADIENT(annotated_pendulum, n, dp);
    expect((double)steps_run, n + optimum(20, n));
    plain_until_close(p, n);
    steps_run = 0;
    plain_until_close(p, n);
    double runs = (double)steps_run;
    GRADIENT(annotated_until_close, n, dp);
    expect((double)steps_run, 2 * runs + optimum(3, runs));
    GRADIENT(annotated_endless, n, dp);
    // All states are stored: what runs before the last step runs twice.
    double steps = 0;
    steps_run = 0;
    plain_endless(p, n);
    steps = (double)steps_run;
    GRADIENT(annotated_endless, n, dp);
    expect((double)steps_run, 3 * steps - 1);
  }
}

// In several directions; in forward mode, which sees a loop, and the derivative of the tangent.
static double tangent(const double *p, int n) {
  double dp[3] = {1, -0.5, 2};
  return __enzyme_fwddiff((void *)annotated_several_ways, enzyme_dup, p, dp, enzyme_const, n);
}
static double plain_tangent(const double *p, int n) {
  double dp[3] = {1, -0.5, 2};
  return __enzyme_fwddiff((void *)plain_several_ways, enzyme_dup, p, dp, enzyme_const, n);
}

static void other_modes(void) {
  double p[3] = {start[0], start[1], start[2]}, got[3] = {0, 0, 0}, wanted[3] = {0, 0, 0};
  expect(tangent(p, 20), plain_tangent(p, 20));
  GRADIENT(tangent, 20, got);
  GRADIENT(plain_tangent, 20, wanted);
  for (int k = 0; k < 3; k++) expect(got[k], wanted[k]);
}

int main(void) {
  long_loop();
  numbers_of_steps();
  COMPARE(until_close)
  COMPARE(at_least_once)
  COMPARE(stops)
  COMPARE(several_ways)
  COMPARE(endless)
  COMPARE(carried)
  COMPARE(arrays)
  COMPARE(memory)
  COMPARE(given)
  COMPARE(variables)
  COMPARE(nested)
  COMPARE(advancing)
  COMPARE(one_after_another)
  COMPARE(known_count)
  other_modes();
  return result_of_test();
}
