// What checkpointed loops refuse: steps that could not run again as they did, and calls that are not understood.

// REQUIRES: clang
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error:
// DEFINE: %{refuse} = %not %clang %clangEnzyme -I%include -O1 -g %s -o %t -lm 2>&1
// RUN: %{refuse} -DCASE=1 | %{check} --check-prefix=NO-REGION
// RUN: %{refuse} -DCASE=2 | %{check} --check-prefix=THROUGH-MEMORY
// RUN: %{refuse} -DCASE=3 | %{check} --check-prefix=HIDDEN
// RUN: %{refuse} -DCASE=4 | %{check} --check-prefix=STORES-POINTER
// RUN: %{refuse} -DCASE=5 | %{check} --check-prefix=OVERWRITTEN
// RUN: %{refuse} -DCASE=6 | %{check} --check-prefix=NAME
// RUN: %{refuse} -DCASE=7 | %{check} --check-prefix=ARGUMENTS
// RUN: %{refuse} -DCASE=8 | %{check} --check-prefix=UNKNOWN
// RUN: %{refuse} -DCASE=9 | %{check} --check-prefix=FREES
// RUN: %{refuse} -DCASE=10 | %{check} --check-prefix=SILENT
// RUN: %{refuse} -DCASE=11 | %{check} --check-prefix=MARKER
// RUN: %{refuse} -DCASE=12 | %{check} --check-prefix=FREED-LATER
// What only shows when the program runs ends it before the first step.
// DEFINE: %{compile} = %clang %clangEnzyme -I%include -O1 %s -o %t -lm
// RUN: %{compile} -DCASE=20 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=WRONG-REGION
// RUN: %{compile} -DCASE=21 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=SHORT-REGION
// RUN: %{compile} -DCASE=22 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=WRONG-ACTION
// RUN: %{compile} -DCASE=23 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=VERSION

#include <enzyme/checkpoint.h>
#include <math.h>

extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);

#define RUN(...) __enzyme_checkpoint_for((void *)step, 0, n, __VA_ARGS__)
#define REGION(POINTER) enzyme_checkpoint_region, POINTER, (int64_t)16

struct State {
  double *u, *v;
};

#if CASE == 1
// NO-REGION: checkpointed-loops.c:[[#@LINE+1]]:{{.*}}error: a step of the checkpointed loop writes what argument 2 points to, and there is no region
static void step(int64_t i, double *u) { u[0] *= sin(u[1] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  RUN(u);
  return u[0] + v[0];
}
// NO-REGION: help: declare it with `enzyme_checkpoint_region, pointer, bytes`
#elif CASE == 2
// THROUGH-MEMORY: error: a step of the checkpointed loop writes what a pointer in memory leads to
// THROUGH-MEMORY: help: give the pointer to the step as an argument of its own
static void step(int64_t i, struct State *s) { s->u[0] *= sin(s->v[0] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  struct State s = {u, v};
  RUN(REGION(u), REGION(v), &s);
  return u[0];
}
#elif CASE == 3
// HIDDEN: error: a step of the checkpointed loop uses what `rand` gives, which may be something else the next time
static void step(int64_t i, double *u) { u[0] *= sin(u[1] + (double)i) * rand(); }
static double f(double *u, double *v, int64_t n) {
  RUN(REGION(u), u);
  return u[0] + v[0];
}
#elif CASE == 4
// STORES-POINTER: error: a step of the checkpointed loop stores a pointer for later steps
static void step(int64_t i, struct State *s) {
  double *u = s->u;
  (void)i;
  s->u = s->v;
  s->v = u;
}
static double f(double *u, double *v, int64_t n) {
  struct State s = {u, v};
  RUN(REGION(&s), &s);
  return s.u[0];
}
#elif CASE == 5
static void step(int64_t i, double *u, const double *v) { u[0] *= sin(v[0] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  // OVERWRITTEN: checkpointed-loops.c:[[#@LINE+1]]:{{.*}}error: a step of the checkpointed loop reads what argument 3 points to, which may be overwritten before the reverse sweep
  RUN(REGION(u), u, v);
  v[0] = u[0] * u[0];
  return v[0];
}
#elif CASE == 6
static void step(int64_t i, double *u) { u[0] *= sin(u[1] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  // NAME: checkpointed-loops.c:[[#@LINE+1]]:{{.*}}error: no checkpoint scheme is called "binominal"
  RUN(enzyme_scheme, "binominal", 3, REGION(u), u);
  return u[0] + v[0];
}
// NAME: help: the schemes are binomial, revolve, periodic, store_all, none
#elif CASE == 7
static void step(int64_t i, double *u, double dt) { u[0] *= sin(u[1] + dt * (double)i); }
static double f(double *u, double *v, int64_t n) {
  // ARGUMENTS: checkpointed-loops.c:[[#@LINE+1]]:{{.*}}error: in the call of `__enzyme_checkpoint_for`: after the number of the step, `step` does not take
  RUN(REGION(u), u);
  return u[0] + v[0];
}
// ARGUMENTS: note: `step` has the type
// ARGUMENTS: help: write `__enzyme_checkpoint_for(step, start, n,
#elif CASE == 8
// UNKNOWN: error: a step of the checkpointed loop may write to memory that is not known
void elsewhere(void);
static void step(int64_t i, double *u) {
  u[0] *= sin(u[1] + (double)i);
  elsewhere();
}
static double f(double *u, double *v, int64_t n) {
  RUN(REGION(u), u);
  return u[0] + v[0];
}
#elif CASE == 9
// FREES: error: a step of the checkpointed loop frees memory that it did not allocate itself
static void step(int64_t i, double *u, double *v) {
  u[0] *= sin(u[1] + (double)i);
  if (i == 3) free(v);
}
static double f(double *u, double *v, int64_t n) {
  RUN(REGION(u), REGION(v), u, v);
  return u[0];
}
#elif CASE == 10
// SILENT: error: a step of the checkpointed loop uses the variable `count`, which an inactive function writes
static int count;
__attribute__((annotate("enzyme_inactive"), noinline)) static void tick(void) { count++; }
static void step(int64_t i, double *u) {
  tick();
  u[0] *= sin(u[1] + (double)i * count);
}
static double f(double *u, double *v, int64_t n) {
  RUN(REGION(u), u);
  return u[0] + v[0];
}
#elif CASE == 11
static void step(int64_t i, double *u) { u[0] *= sin(u[1] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  // MARKER: checkpointed-loops.c:[[#@LINE+1]]:{{.*}}error: in the call of `__enzyme_checkpoint_for`: the marker `enzyme_out` means nothing here
  RUN(REGION(u), enzyme_out, u);
  return u[0] + v[0];
}
#elif CASE == 12
static void step(int64_t i, double *u, double *signs) {
  u[0] *= sin(u[1] + (double)i) * signs[0];
  signs[0] = -signs[0];
}
static __attribute__((noinline)) void finish(double *signs, int64_t n) {
  for (int64_t i = 0; i < n; i++) signs[0] = sin(signs[0]);
  free(signs);
}
static double f(double *u, double *v, int64_t n) {
  double *signs = (double *)calloc(2, 8);
  signs[0] = v[0];
  // FREED-LATER: checkpointed-loops.c:[[#@LINE+1]]:{{.*}}error: a step of the checkpointed loop runs over memory that a function called later may free before the reverse sweep
  RUN(REGION(u), REGION(signs), u, signs);
  finish(signs, 1000);
  return u[0];
}
#elif CASE == 20
// WRONG-REGION: EnzymeRS: the steps of a checkpointed loop write what argument 3 points to, which is in no region
static void step(int64_t i, double *u, double *v) { v[0] = u[0] *= sin(u[1] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  RUN(REGION(u), u, v);
  return u[0] + v[0];
}
#elif CASE == 21
// SHORT-REGION: EnzymeRS: the steps of a checkpointed loop write more behind argument 2 than its region has bytes
static void step(int64_t i, double *u) { u[1] *= sin(u[0] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  RUN(enzyme_checkpoint_region, u, (int64_t)8, u);
  return u[0] + v[0];
}
#else
// WRONG-ACTION: EnzymeRS: a checkpoint scheme asks for an action (5) that does not fit the state at hand
// VERSION: EnzymeRS: the table of a checkpoint scheme has another version (7) than this compiler knows
static void next(void *state, EnzymeCkptAction *action) {
  (void)state;
  action->flag = ENZYME_CKPT_UTURN;
  action->iteration = 1;
}
static void *begin(void *data, int64_t steps, uint64_t bytes) { return (void)steps, (void)bytes, data; }
static const EnzymeCheckpointScheme scheme = {CASE == 23 ? 7 : ENZYME_CKPT_ABI_VERSION, begin, next, 0, 0, 0, 0, 0, 0, 0};
static void step(int64_t i, double *u) { u[0] *= sin(u[1] + (double)i); }
static double f(double *u, double *v, int64_t n) {
  RUN(enzyme_scheme, &scheme, 0, REGION(u), u);
  return u[0] + v[0];
}
#endif

int main(void) {
  double u[2] = {1, 2}, du[2] = {0, 0}, v[2] = {3, 4}, dv[2] = {0, 0};
  __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, (int64_t)5);
  return 0;
}
