// What annotated loops refuse: where the annotation stands and what it says, and loops whose steps could not run again as they
// did.

// REQUIRES: clang
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error:
// DEFINE: %{refuse} = %not %clang %clangEnzyme -I%include -g %s -o %t -lm 2>&1
// RUN: %{refuse} -O0 -DCASE=1 | %{check} --check-prefix=NO-LOOP
// RUN: %{refuse} -O2 -DCASE=1 | %{check} --check-prefix=NO-LOOP
// RUN: %{refuse} -O1 -DCASE=2 | %{check} --check-prefix=NAME
// RUN: %{refuse} -O1 -DCASE=3 | %{check} --check-prefix=TABLE
// RUN: %{refuse} -O1 -DCASE=4 | %{check} --check-prefix=MARKER
// RUN: %{refuse} -O1 -DCASE=5 | %{check} --check-prefix=NO-MARKER
// RUN: %{refuse} -O0 -DCASE=6 | %{check} --check-prefix=TWO
// RUN: %{refuse} -O2 -DCASE=6 | %{check} --check-prefix=TWO
// RUN: %{refuse} -O0 -DCASE=7 | %{check} --check-prefix=POINTER
// RUN: %{refuse} -O2 -DCASE=7 | %{check} --check-prefix=POINTER
// RUN: %{refuse} -O0 -DCASE=8 | %{check} --check-prefix=POINTER-BEHIND
// RUN: %{refuse} -O0 -DCASE=9 | %{check} --check-prefix=CHANGES
// RUN: %{refuse} -O0 -DCASE=10 | %{check} --check-prefix=NO-REGION
// RUN: %{refuse} -O2 -DCASE=10 | %{check} --check-prefix=NO-REGION
// RUN: %{refuse} -O1 -DCASE=11 | %{check} --check-prefix=OVERWRITTEN
// RUN: %{refuse} -O1 -DCASE=12 | %{check} --check-prefix=SECOND
// RUN: %{refuse} -O0 -DCASE=13 | %{check} --check-prefix=ENTERED
// RUN: %{refuse} -O0 -DCASE=14 | %{check} --check-prefix=THROUGH-MEMORY
// What only shows when the program runs ends it before the first step.
// DEFINE: %{compile} = %clang %clangEnzyme -I%include -g %s -o %t -lm
// RUN: %{compile} -O0 -DCASE=20 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=WRONG-REGION
// RUN: %{compile} -O2 -DCASE=20 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=WRONG-REGION
// RUN: %{compile} -O1 -DCASE=21 && %not --crash %t 2>&1 | %FileCheck %s --check-prefix=SHORT-REGION

#include <enzyme/checkpoint.h>
#include <math.h>

extern int enzyme_dup, enzyme_const, enzyme_out;
double __enzyme_autodiff(void *, ...);

#define LOOP for (int i = 0; i < n; i++)

#if CASE == 1
static double f(double *u, double *v, int n) {
  // NO-LOOP: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: `__enzyme_set_checkpointing` is called in no loop
  ENZYME_CHECKPOINT("binomial", 3);
  LOOP u[0] *= sin(u[1] + i);
  return u[0] + v[0];
}
// NO-LOOP: help: call it at the top of the body of the loop that it is about
#elif CASE == 2
static double f(double *u, double *v, int n) {
  LOOP {
    // NAME: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: no checkpoint scheme is called "binominal"
    ENZYME_CHECKPOINT("binominal", 3, ENZYME_REGION(u, 16));
    u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// NAME: help: the schemes are binomial, revolve, periodic, store_all, none
#elif CASE == 3
static double f(double *u, double *v, int n) {
  LOOP {
    // TABLE: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: in the call of `__enzyme_set_checkpointing`: the schedule is not named by a text in its place
    __enzyme_set_checkpointing((const char *)&EnzymeCkptRevolve, (int64_t)u, ENZYME_REGION(u, 16));
    u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
#elif CASE == 4
static double f(double *u, double *v, int n) {
  LOOP {
    // MARKER: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: in the call of `__enzyme_set_checkpointing`: the marker `enzyme_out` means nothing here
    ENZYME_CHECKPOINT("binomial", 3, enzyme_out, u);
    u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// MARKER: help: write `__enzyme_set_checkpointing("binomial", snapshots, enzyme_checkpoint_region, pointer, bytes, …)` at the top of the loop's body
#elif CASE == 5
static double f(double *u, double *v, int n) {
  LOOP {
    // NO-MARKER: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: in the call of `__enzyme_set_checkpointing`: {{.*}} comes after no marker
    ENZYME_CHECKPOINT("binomial", 3, u, (int64_t)16);
    u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// NO-MARKER: help: write `__enzyme_set_checkpointing(
#elif CASE == 6
static double f(double *u, double *v, int n) {
  // TWO: annotated-loops.c:[[#@LINE+2]]:{{.*}}error: a loop has two annotations
  LOOP {
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 16)); ENZYME_CHECKPOINT("periodic", 3);
    u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// TWO: help: leave one of them
#elif CASE == 7
static double f(double *u, double *v, int n) {
  double *from = u, *to = v;
  LOOP {
    // POINTER: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: the annotated loop hands a pointer from one iteration to the next
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 16), ENZYME_REGION(v, 16));
    double *other = from;
    to[0] = sin(from[0] + i);
    from = to;
    to = other;
  }
  return u[0] + v[0];
}
// POINTER: help: let each iteration compute it from the number of the iteration or from memory, and copy numbers instead of exchanging pointers
#elif CASE == 8
static double f(double *u, double *v, int n) {
  double *last = u;
  LOOP {
    // POINTER-BEHIND: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: the annotated loop hands a pointer to what comes after it
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 16), ENZYME_REGION(v, 16));
    u[0] *= sin(u[1] + i);
    last = u[0] > 0.5 ? u : v;
    if (u[0] < 0.01) break;
  }
  return last[0];
}
// POINTER-BEHIND: help: compute it again after the loop
#elif CASE == 9
static double f(double *u, double *v, int n) {
  LOOP {
    // CHANGES: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: what the annotation of a loop names changes while the loop runs
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u + i, 8));
    u[i] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// CHANGES: help: give it a pointer and a size that are computed before the loop
#elif CASE == 10
static double f(double *u, double *v, int n) {
  // Nothing that is carried, so no region at all.
  LOOP {
    // NO-REGION: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: a step of the checkpointed loop writes memory, and there is no region
    ENZYME_CHECKPOINT("binomial", 3);
    u[i % 2] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// NO-REGION: help: declare it with `enzyme_checkpoint_region, pointer, bytes`
#elif CASE == 11
static double f(double *u, double *v, int n) {
  double x = u[0];
  LOOP {
    // OVERWRITTEN: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: a step of the checkpointed loop reads memory in no region, which may be overwritten before the reverse sweep
    ENZYME_CHECKPOINT("binomial", 3);
    x *= sin(v[i % 2] + i);
  }
  v[0] = x * x;
  return v[0];
}
// OVERWRITTEN: help: declare it with `enzyme_checkpoint_region, pointer, bytes`
#elif CASE == 12
static double g(double *u, double *v, int n) {
  LOOP {
    // SECOND: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: the derivative of a checkpointed loop with active values is not supported
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 16));
    u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
// A derivative of a gradient.
static double f(double *u, double *v, int n) {
  double du[2] = {0, 0};
  __enzyme_autodiff((void *)g, enzyme_dup, u, du, enzyme_const, v, enzyme_const, n);
  return du[0];
}
#elif CASE == 13
static double f(double *u, double *v, int n) {
  int i = 0;
  if (n > 3) goto middle;
  while (i < n) {
    u[0] *= sin(u[1] + i);
  middle:
    // ENTERED: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: `__enzyme_set_checkpointing` is called in no loop
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 16));
    u[1] += u[0];
    i++;
  }
  return u[0] + v[0];
}
#elif CASE == 14
struct Both {
  double *u, *v;
};
static double g(struct Both *both, int n) {
  LOOP {
    // THROUGH-MEMORY: annotated-loops.c:[[#@LINE+1]]:{{.*}}error: a step of the checkpointed loop writes what a pointer in memory leads to
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(both->u, 16));
    both->u[0] *= sin(both->v[1] + i);
  }
  return both->u[0];
}
static double f(double *u, double *v, int n) {
  struct Both both = {u, v}, shadows = {u, v};
  __enzyme_autodiff((void *)g, enzyme_dup, &both, &shadows, enzyme_const, n);
  return 0;
}
// THROUGH-MEMORY: help: give the pointer to the step as an argument of its own (for a loop: read it into a variable before), and declare what it points to as a region
#elif CASE == 20
static double f(double *u, double *v, int n) {
  LOOP {
    // WRONG-REGION: EnzymeRS: the checkpointed loop at {{.*}}annotated-loops.c:[[#@LINE+1]]:{{[0-9]+}} writes memory that is in no region: declare it with enzyme_checkpoint_region, pointer, bytes
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 16));
    v[0] = u[0] *= sin(u[1] + i);
  }
  return u[0] + v[0];
}
#else
static double f(double *u, double *v, int n) {
  LOOP {
    // SHORT-REGION: EnzymeRS: the checkpointed loop at {{.*}}annotated-loops.c:[[#@LINE+1]]:{{[0-9]+}} writes more memory than its region has bytes
    ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u, 8));
    if (v[1] > i) u[1] *= sin(u[0] + i);
  }
  return u[0] + v[0];
}
#endif

int main(void) {
  double u[2] = {1, 2}, du[2] = {0, 0}, v[2] = {3, 4}, dv[2] = {0, 0};
#if CASE == 14
  (void)du, (void)dv;
  return (int)f(u, v, 5);
#else
  __enzyme_autodiff((void *)f, enzyme_dup, u, du, enzyme_dup, v, dv, enzyme_const, 5);
  return 0;
#endif
}
