// What reverse mode does not reach yet: each names its place, and the way by forward mode.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);

static double loop(double x, int n) {
  double r = 1;
  // CHECK: reverse-limits.c:[[#@LINE+4]]:3: error: reverse mode through a loop is not supported yet
  // CHECK-NEXT: note: in `loop`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-limits.c:[[#@LINE+29]]:42
  // CHECK-NEXT: help: use forward mode (`__enzyme_fwddiff`), one call for each direction
  for (int i = 0; i < n; i++) r *= x;
  return r;
}

static double memory(double x, const double *p) {
  // CHECK: reverse-limits.c:[[#@LINE+3]]:14: error: reverse mode through memory that holds active values is not supported yet
  // CHECK-NEXT: note: in `memory`
  // CHECK: help: use forward mode (`__enzyme_fwddiff`), one call for each direction
  return x * *p;
}

double sin(double);
static int calls;
static double counted(double x, int n) {
  calls++;
  return n ? sin(counted(x, n - 1)) : x;
}

static double effects(double x, int n) {
  // CHECK: reverse-limits.c:[[#@LINE+3]]:14: error: reverse mode through a call of `counted`, which also reads or writes memory, is not supported yet
  // CHECK-NEXT: note: in `effects`
  // CHECK: help: use forward mode (`__enzyme_fwddiff`), one call for each direction
  return 2 * counted(x, n);
}

int count(void) { return calls; }

double of_loop(double x, int n) { return __enzyme_autodiff((void *)loop, x, n); }
double of_memory(double x, double *p) { return __enzyme_autodiff((void *)memory, x, p, p); }
double of_effects(double x, int n) { return __enzyme_autodiff((void *)effects, x, n); }
// CHECK: 3 errors generated.
