// Checkpointed loops over a state that a function allocates and frees; several directions; both sweeps in two calls; a link-time
// optimiser; a scheme that copies the state itself.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme -I%include -Wall -Wextra -Werror %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang++ -O2 -I%include %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <cmath>
#include <enzyme/checkpoint.h>
#include <vector>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width;
struct Two {
  double a[2];
};
template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);
template <typename... Arguments> void *__enzyme_augmentfwd(void *, Arguments...);
template <typename... Arguments> double __enzyme_reverse(void *, Arguments...);

// `signs` carries no derivative, and is part of the state all the same.
static void step(int64_t i, double *u, int n, double dt, int *signs) {
  std::vector<double> next(u, u + n);
  for (int k = 0; k < n; k++) next[k] = u[k] + signs[0] * dt * std::sin(u[(k + 1) % n] + (double)i);
  for (int k = 0; k < n; k++) u[k] = next[k];
  signs[0] = i % 3 ? -signs[0] : signs[0];
}

static double energy(const double *u, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += u[k] * u[k];
  return sum;
}

static double plain(double *start, int n, double dt, int64_t steps) {
  std::vector<double> u(start, start + n);
  int *signs = (int *)calloc(1, sizeof(int));
  signs[0] = 1;
  for (int64_t i = 0; i < steps; i++) step(i, u.data(), n, dt, signs);
  free(signs);
  return energy(u.data(), n);
}

static double checkpointed(double *start, int n, double dt, int64_t steps) {
  std::vector<double> u(start, start + n);
  int *signs = (int *)calloc(1, sizeof(int));
  signs[0] = 1;
  __enzyme_checkpoint_for((void *)step, 0, steps, enzyme_scheme, "revolve", 3, enzyme_checkpoint_region, u.data(),
                          (int64_t)(n * sizeof(double)), enzyme_checkpoint_region, signs, (int64_t)sizeof(int), u.data(), n,
                          dt, signs);
  free(signs);
  return energy(u.data(), n);
}

// A scheme of our own, which stores all states and copies them by itself.
struct Environment {
  double *u, *du;
};

struct Copies {
  EnzymeCkptSchedule schedule;
  std::vector<double> states, last;
};

static void *begin(void *, int64_t steps, uint64_t bytes) {
  expect((double)bytes, 0);
  Copies *copies = new Copies;
  enzyme_ckpt_schedule_begin(&copies->schedule, ENZYME_CKPT_STORE_ALL, steps, 0);
  copies->states.resize((size_t)steps);
  copies->last.resize(1);
  return copies;
}
static double *slot_of(void *state, int64_t slot) {
  Copies *copies = (Copies *)state;
  return slot < 0 ? copies->last.data() : &copies->states[(size_t)slot];
}
static void next(void *state, EnzymeCkptAction *action) {
  enzyme_ckpt_schedule_next(&((Copies *)state)->schedule, action);
}
static void save(void *state, int64_t slot, int64_t, void *environment) {
  *slot_of(state, slot) = *((Environment *)environment)->u;
}
static void load(void *state, int64_t slot, int64_t, void *environment) {
  *((Environment *)environment)->u = *slot_of(state, slot);
}
static void end(void *state) {
  Copies *copies = (Copies *)state;
  enzyme_ckpt_schedule_end(&copies->schedule);
  delete copies;
}
static const EnzymeCheckpointScheme own = {ENZYME_CKPT_ABI_VERSION, begin, next, nullptr, nullptr, nullptr, end,
                                           save, load, nullptr};

static void square(int64_t, double *u) { *u = std::sin(*u * *u); }

static double squares(double *u, int64_t steps) {
  // No region: the scheme knows what the state is.
  __enzyme_checkpoint_for((void *)square, 0, steps, enzyme_scheme, &own, nullptr, enzyme_checkpoint_region, u, (int64_t)0, u);
  return *u;
}

int main() {
  const int n = 4;
  for (int64_t steps : {0, 1, 5, 50}) {
    double u[n] = {1, 2, 3, 4}, wanted[n] = {}, got[n] = {}, first[n] = {}, second[n] = {}, split[n] = {};
    double by_dt = __enzyme_autodiff<double>((void *)plain, enzyme_dup, u, wanted, enzyme_const, n, enzyme_out, 0.01,
                                             enzyme_const, steps);
    expect(__enzyme_autodiff<double>((void *)checkpointed, enzyme_dup, u, got, enzyme_const, n, enzyme_out, 0.01,
                                     enzyme_const, steps),
           by_dt);
    Two two = __enzyme_autodiff<Two>((void *)checkpointed, enzyme_width, 2, enzyme_dup, u, first, second, enzyme_const, n,
                                     enzyme_out, 0.01, enzyme_const, steps);
    expect(two.a[0], by_dt);
    expect(two.a[1], by_dt);
    void *tape = __enzyme_augmentfwd((void *)checkpointed, enzyme_dup, u, split, enzyme_const, n, enzyme_out, 0.01,
                                     enzyme_const, steps);
    expect(__enzyme_reverse((void *)checkpointed, enzyme_dup, u, split, enzyme_const, n, enzyme_out, 0.01, enzyme_const,
                            steps, 1.0, tape),
           by_dt);
    for (int k = 0; k < n; k++) {
      expect(got[k], wanted[k]);
      expect(first[k], wanted[k]);
      expect(second[k], wanted[k]);
      expect(split[k], wanted[k]);
    }
  }

  double u = 0.75, du = 0, x = u, product = 1;
  for (int i = 0; i < 6; i++) {
    product *= 2 * x * std::cos(x * x);
    x = std::sin(x * x);
  }
  __enzyme_autodiff<double>((void *)squares, enzyme_dup, &u, &du, enzyme_const, (int64_t)6);
  expect(du, product);
  expect(u, x);
  return result_of_test();
}
