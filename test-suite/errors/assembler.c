// Inline assembler that gets an active value, that jumps, and a computed goto.

// REQUIRES: clang, x86_64
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double assembled(double x) {
  double r;
  // CHECK: assembler.c:[[#@LINE+4]]:3: error: inline assembler with active values is not supported
  // CHECK-NEXT: note: in `assembled`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}assembler.c:[[#@LINE+19]]:35
  // CHECK-NEXT: help: mark what goes into it `enzyme_const`, or take it out of the function
  __asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
  return r;
}

static double computed_goto(double x, int n) {
  static void *const place[] = {&&square, &&twice};
  // CHECK: assembler.c:[[#@LINE-2]]:1: error: reverse mode through a computed `goto` is not supported yet
  // CHECK-NEXT: note: in `computed_goto`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}assembler.c:[[#@LINE+11]]:42
  // CHECK-NEXT: help: use forward mode (`__enzyme_fwddiff`), one call for each direction
  goto *place[n];
square:
  return x * x;
twice:
  return 2 * x;
}

double forward(double x) { return __enzyme_fwddiff((void *)assembled, x, 1.0); }

double reverse(double x, int n) { return __enzyme_autodiff((void *)computed_goto, x, n); }
