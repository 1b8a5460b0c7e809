// Reverse mode does not reach calls that may throw yet. At -O0 the small function is inlined, and named by its own place.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang++ %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check} --check-prefixes=CHECK,INLINED
// RUN: %{compile} -O2 2>&1 | %{check} --check-prefixes=CHECK,CALLED

double __enzyme_autodiff(double (*)(double), double);

int alive;

struct Guard {
  Guard() { alive++; }
  ~Guard() { alive--; }
};

__attribute__((noinline)) static double checked(double x) {
  // INLINED: reverse-exceptions.cpp:[[#@LINE+1]]:14: error: reverse mode through exceptions is not supported yet
  if (x < 0) throw 7;
  return x * x;
}

static double guarded(double x) {
  Guard guard;
  // CALLED: reverse-exceptions.cpp:[[#@LINE+4]]:14: error: reverse mode through exceptions is not supported yet
  // CHECK-NEXT: note: in `guarded(double)`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-exceptions.cpp:[[#@LINE+5]]:35
  // CHECK-NEXT: help: use forward mode (`__enzyme_fwddiff`), one call for each direction
  return x * checked(x);
}

double reverse(double x) { return __enzyme_autodiff(guarded, x); }
