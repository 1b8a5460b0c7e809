// Active values go into functions of which nothing is known, in reverse mode.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);
extern int enzyme_const;

double mystery(double x);

static double unknown(double x) {
  // CHECK: unknown-callee-reverse.c:[[#@LINE+4]]:14: error: no derivative is known for `mystery`
  // CHECK-NEXT: note: in `unknown`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}unknown-callee-reverse.c:[[#@LINE+6]]:10
  // CHECK-NEXT: help: define `mystery` in this file (or link with `-flto`), or mark it inactive
  return 2 * mystery(x);
}

double reverse(double x) {
  return __enzyme_autodiff((void *)unknown, x);
}
