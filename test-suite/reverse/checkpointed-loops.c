// Loops whose steps run again rather than being kept (enzyme/checkpoint.h): the gradient is that of the plain loop, whatever
// states are kept; and the binomial scheme runs as few steps as possible.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -I%include -Wall -Wextra -Werror %s -o %t -lm
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O0 -mllvm -enzyme-preopt=0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <enzyme/checkpoint.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 6 };

// Counts the steps that run, and is no part of the state.
static int64_t steps_run;
__attribute__((annotate("enzyme_inactive"))) static void count_step(void) { steps_run++; }

// Read by the steps; written by them; never written.
static double strength = 0.25;
static double memory[N];
static const double weights[N] = {1, -0.5, 0.25, -0.125, 0.5, -1};

static void step(int64_t i, double *u, const double *source, double dt) {
  double next[N];
  count_step();
  for (int k = 0; k < N; k++)
    next[k] = u[k] + dt * (strength * (u[(k + 1) % N] - u[k]) + sin(u[k]) * source[k] + 0.01 * memory[k] * (double)(i % 3));
  for (int k = 0; k < N; k++) {
    memory[k] = 0.9 * memory[k] + weights[k] * next[k] * next[k];
    u[k] = next[k];
  }
}

static double loss(const double *u) {
  double sum = 0;
  for (int k = 0; k < N; k++) sum += u[k] * u[k] + 0.1 * memory[k];
  return sum;
}

static double plain(double *u, const double *source, double dt, int64_t n) {
  for (int k = 0; k < N; k++) memory[k] = 0;
  for (int64_t i = 5; i < 5 + n; i++) step(i, u, source, dt);
  return loss(u);
}

#define REGIONS enzyme_checkpoint_region, u, (int64_t)(N * sizeof(double))
#define LOOP(NAME, ...)                                                                                       \
  static double NAME(double *u, const double *source, double dt, int64_t n) {                                \
    for (int k = 0; k < N; k++) memory[k] = 0;                                                                \
    __enzyme_checkpoint_for((void *)step, 5, n, __VA_ARGS__ REGIONS, u, source, dt);                          \
    return loss(u);                                                                                           \
  }
static EnzymeCkptStats stats;
static EnzymeCkptConfig revolve_config = {4, 0, 0, 0, &stats};
static EnzymeCkptConfig spill_config = {4, 0, "/tmp", 150, &stats};
LOOP(by_default, )
LOOP(binomial, enzyme_scheme, "binomial", 4, )
LOOP(revolve_one, enzyme_scheme, "revolve", 1, )
LOOP(periodic, enzyme_scheme, "periodic", 3, )
LOOP(all_stored, enzyme_scheme, "store_all", 0, )
LOOP(none, enzyme_scheme, "none", 0, )
LOOP(table, enzyme_scheme, &EnzymeCkptRevolve, &revolve_config, )
LOOP(spilled, enzyme_scheme, &EnzymeCkptPeriodic, &spill_config, )

typedef double Run(double *, const double *, double, int64_t);

typedef struct {
  double du[N], dsource[N], ddt, u[N], memory[N], strength;
  int64_t steps;
} Result;

static void start(double *u, double *source) {
  for (int k = 0; k < N; k++) {
    u[k] = 1 + 0.3 * k;
    source[k] = 0.5 - 0.1 * k;
  }
  steps_run = 0;
}

// The shadows of variables are variables that a program cannot name: what two calls add there does not matter, since the
// loop begins with memory that is set.
#define GRADIENT(NAME)                                                                                        \
  static Result gradient_of_##NAME(int64_t n) {                                                               \
    Result result = {0};                                                                                      \
    double u[N], source[N];                                                                                   \
    start(u, source);                                                                                         \
    result.ddt = __enzyme_autodiff((void *)NAME, enzyme_dup, u, result.du, enzyme_dup, source, result.dsource,\
                                   enzyme_out, 0.01, enzyme_const, n);                                        \
    for (int k = 0; k < N; k++) {                                                                             \
      result.u[k] = u[k];                                                                                     \
      result.memory[k] = memory[k];                                                                           \
    }                                                                                                         \
    result.steps = steps_run;                                                                                 \
    return result;                                                                                            \
  }
GRADIENT(plain)
GRADIENT(by_default)
GRADIENT(binomial)
GRADIENT(revolve_one)
GRADIENT(periodic)
GRADIENT(all_stored)
GRADIENT(none)
GRADIENT(table)
GRADIENT(spilled)

static void compare_results(Result got, Result wanted) {
  expect(got.ddt, wanted.ddt);
  for (int k = 0; k < N; k++) {
    expect(got.du[k], wanted.du[k]);
    expect(got.dsource[k], wanted.dsource[k]);
    // Memory is as the loop left it.
    expect(got.u[k], wanted.u[k]);
    expect(got.memory[k], wanted.memory[k]);
  }
}

// r n - C(s + r, r - 1), with the smallest r for which n <= C(s + r, s).
static double optimum(double snapshots, double steps) {
  double runs = 1, reach = 1 + snapshots;
  if (snapshots > steps) snapshots = steps;
  if (steps <= 1) return 0;
  reach = 1 + snapshots;
  while (reach < steps) {
    runs++;
    reach = reach * (snapshots + runs) / runs;
  }
  return runs * steps - reach * runs / (snapshots + 1);
}

// x_{i+1} = a x_i: the derivative of x_n is n a^(n-1) by a, and a^n by x.
static void grow(int64_t i, double *x, double a) {
  (void)i;
  count_step();
  *x *= a;
}

static double growth(double x, double a, int64_t n) {
  __enzyme_checkpoint_for((void *)grow, 0, n, enzyme_scheme, "revolve", 20, enzyme_checkpoint_region, &x,
                          (int64_t)sizeof x, &x, a);
  return x;
}

static EnzymeCkptStats long_stats;
static EnzymeCkptConfig long_config = {20, 0, 0, 0, &long_stats};
static double growth_by_table(double x, double a, int64_t n) {
  __enzyme_checkpoint_for((void *)grow, 0, n, enzyme_scheme, &EnzymeCkptRevolve, &long_config,
                          enzyme_checkpoint_region, &x, (int64_t)sizeof x, &x, a);
  return x;
}

typedef struct {
  double x, a;
} Gradient;
Gradient __enzyme_autodiff_both(void *, ...);

// Ten thousand steps with twenty snapshots.
static void long_loop(void) {
  const int64_t n = 10000;
  const double x = 1.5, a = 1.0002;
  steps_run = 0;
  Gradient gradient = __enzyme_autodiff_both((void *)growth, x, a, n);
  expect_near(gradient.x, pow(a, (double)n), 1e-11);
  expect_near(gradient.a, x * (double)n * pow(a, (double)n - 1), 1e-11);
  // Each step runs once with its adjoint, and 4 n - C(24, 3) run before.
  expect(steps_run, n + 4 * n - 2024);

  steps_run = 0;
  gradient = __enzyme_autodiff_both((void *)growth_by_table, x, a, n);
  expect_near(gradient.x, pow(a, (double)n), 1e-11);
  expect_near(gradient.a, x * (double)n * pow(a, (double)n - 1), 1e-11);
  expect(long_stats.forward_steps, 4 * n - 2024);
  expect(long_stats.max_slots <= 20, 1);
  expect(steps_run, n + 4 * n - 2024);
}

// Through a function that is called, twice, and in several directions.
static __attribute__((noinline)) void advance(double *u, double *source, int64_t n) {
  double dt = 0.02;
  __enzyme_checkpoint_for((void *)step, 0, n, enzyme_scheme, "binomial", 3, REGIONS, enzyme_checkpoint_region, source,
                          (int64_t)(N * sizeof(double)), u, source, dt);
}

static double twice(double *u, double *source, int64_t n) {
  for (int k = 0; k < N; k++) memory[k] = 0;
  advance(u, source, n);
  // A region that steps only read is copied, and may change afterwards.
  for (int k = 0; k < N; k++) source[k] = 0.5 * source[k] * u[k];
  advance(u, source, n);
  return loss(u);
}

static double twice_plain(double *u, double *source, int64_t n) {
  for (int k = 0; k < N; k++) memory[k] = 0;
  for (int64_t i = 0; i < n; i++) step(i, u, source, 0.02);
  for (int k = 0; k < N; k++) source[k] = 0.5 * source[k] * u[k];
  for (int64_t i = 0; i < n; i++) step(i, u, source, 0.02);
  return loss(u);
}

static void called_twice(void) {
  for (int64_t n = 0; n < 12; n++) {
    double u[N], source[N], du[N] = {0}, dsource[N] = {0}, v[N], vsource[N], dv[N] = {0}, dvsource[N] = {0};
    start(u, source);
    __enzyme_autodiff((void *)twice, enzyme_dup, u, du, enzyme_dup, source, dsource, enzyme_const, n);
    start(v, vsource);
    __enzyme_autodiff((void *)twice_plain, enzyme_dup, v, dv, enzyme_dup, vsource, dvsource, enzyme_const, n);
    for (int k = 0; k < N; k++) {
      expect(du[k], dv[k]);
      expect(dsource[k], dvsource[k]);
      expect(u[k], v[k]);
      expect(source[k], vsource[k]);
    }
  }
}

// Forward mode sees a loop, and so does a derivative of the tangent.
static double tangent(double x, double a, int64_t n) {
  return __enzyme_fwddiff((void *)growth, enzyme_dup, x, 0.25, enzyme_dup, a, 2.0, enzyme_const, n);
}

static void forward(void) {
  const int64_t n = 30;
  const double x = 1.5, a = 1.125;
  expect(tangent(x, a, n), 0.25 * pow(a, 30) + 2 * x * 30 * pow(a, 29));
  Gradient gradient = __enzyme_autodiff_both((void *)tangent, x, a, n);
  expect(gradient.x, 2 * 30 * pow(a, 29));
  expect(gradient.a, 0.25 * 30 * pow(a, 29) + 2 * x * 30 * 29 * pow(a, 28));
}

int main(void) {
  const int64_t lengths[] = {0, 1, 2, 7, 40, 133};
  for (unsigned index = 0; index < sizeof lengths / sizeof *lengths; index++) {
    int64_t n = lengths[index];
    Result wanted = gradient_of_plain(n);
    Result got = gradient_of_binomial(n);
    compare_results(got, wanted);
    expect(got.steps, (double)n + optimum(4, (double)n));
    got = gradient_of_revolve_one(n);
    compare_results(got, wanted);
    expect(got.steps, (double)n + optimum(1, (double)n));
    got = gradient_of_all_stored(n);
    compare_results(got, wanted);
    expect(got.steps, n > 0 ? 2 * n - 1 : 0);
    got = gradient_of_none(n);
    compare_results(got, wanted);
    expect(got.steps, n);
    got = gradient_of_by_default(n);
    compare_results(got, wanted);
    expect(got.steps <= 3 * n, 1);
    compare_results(gradient_of_periodic(n), wanted);
    compare_results(gradient_of_table(n), wanted);
    if (n > 0) expect(stats.taped_steps, n);
    compare_results(gradient_of_spilled(n), wanted);
  }
  long_loop();
  called_twice();
  forward();
  return result_of_test();
}
