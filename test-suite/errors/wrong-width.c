// Widths that are no number, no constant, or no sensible number.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_fwddiff(void *, ...);
extern int enzyme_width;

static double f(double x) { return x * x; }

double missing(double x) {
  // CHECK: wrong-width.c:[[#@LINE+2]]:10: error: in the call of `__enzyme_fwddiff`: `enzyme_width` is not followed by a number
  // CHECK-NEXT: note: `f` has the type `double (double)`
  return __enzyme_fwddiff((void *)f, x, x, enzyme_width);
}

double zero(double x) {
  // CHECK: wrong-width.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the width 0 is not between 1 and 4096
  return __enzyme_fwddiff((void *)f, enzyme_width, 0, x);
}

double huge(double x) {
  // CHECK: wrong-width.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the width 1000000 is not between 1 and 4096
  return __enzyme_fwddiff((void *)f, enzyme_width, 1000000, x);
}

double computed(double x, int width) {
  // CHECK: wrong-width.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the width must be a constant integer, not a value of type `i32`
  return __enzyme_fwddiff((void *)f, enzyme_width, width, x, 1.0, 2.0);
}

double no_integer(double x) {
  // CHECK: wrong-width.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the width must be a constant integer, not a value of type `double`
  return __enzyme_fwddiff((void *)f, enzyme_width, 2.0, x, 1.0, 2.0);
}

double too_few_tangents(double x) {
  // CHECK: wrong-width.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: too few arguments: the shadow of argument 1 (`double`) of `f` is missing
  return __enzyme_fwddiff((void *)f, enzyme_width, 3, x, 1.0, 2.0);
}
// CHECK: 6 errors generated.
