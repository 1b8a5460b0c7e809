// Active values go into functions of which nothing is known.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double mystery(double x);
void consume(const double *p);

static double unknown(double x) {
  double twice = 2 * x;
  // CHECK: unknown-callee.c:[[#@LINE+6]]:10: error: no derivative is known for `mystery`
  // CHECK-NEXT: note: in `unknown`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}unknown-callee.c:[[#@LINE+21]]:10
  // CHECK-NEXT: help: define `mystery` in this file (or link with `-flto`), or mark it inactive with `__attribute__((annotate("enzyme_inactive")))` if its result carries no derivative
  // CHECK-NEXT: note: also known as `Enzyme: No forward mode derivative found for mystery`
  // CHECK-NEXT: return mystery(twice);
  return mystery(twice);
}

static double memory(const double *p) {
  // CHECK: unknown-callee.c:[[#@LINE+1]]:3: error: no derivative is known for `consume`
  consume(p);
  return *p;
}

static double pointer(double x, double (*chosen)(double, ...)) {
  // CHECK: unknown-callee.c:[[#@LINE+3]]:10: error: a call of a variadic function through a pointer with active values is not supported
  // CHECK-NEXT: note: in `pointer`
  // CHECK: help: mark what goes into it `enzyme_const`, or take it out of the function
  return chosen(x);
}

double forward(double x) {
  return __enzyme_fwddiff((void *)unknown, x, 1.0);
}

double through_memory(double *p) {
  return __enzyme_fwddiff((void *)memory, p, p);
}

double through_pointer(double x, double (*chosen)(double, ...)) {
  return __enzyme_fwddiff((void *)pointer, x, 1.0, chosen, chosen);
}
// CHECK: 3 errors generated.
