// Values that are missing: what was expected, for which argument, and what stands there instead.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff_without_prototype();
extern int enzyme_const, enzyme_dup, enzyme_out;

static double f(double x, const double *p, int n) { return x * p[n]; }

double no_value(double x) {
  // CHECK: too-few-arguments.c:[[#@LINE+4]]:10: error: in the call of `__enzyme_autodiff`: too few arguments: the value of argument 2 (`ptr`) of `f` is missing
  // CHECK-NEXT: note: `f` has the type `double (double, ptr, i32)`
  // CHECK-NEXT: help: after the function give, for each of its arguments in order, `enzyme_out, x` (its derivative is returned), `enzyme_dup, p, shadow_of_p`, or `enzyme_const, c`; without a marker floating-point values are out, pointers dup (two values) and integers const
  // CHECK-NEXT: return __enzyme_autodiff((void *)f, x);
  return __enzyme_autodiff((void *)f, x);
}

double no_shadow(double x, double *p) {
  // CHECK: too-few-arguments.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: the shadow of argument 2 (`ptr`) of `f` has the type `i32`
  return __enzyme_autodiff((void *)f, x, p, 3);
}

double marker_instead(double x, double *p) {
  // CHECK: too-few-arguments.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: too few arguments: the shadow of argument 2 (`ptr`) of `f` is missing; the marker `enzyme_const` stands there
  return __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_dup, p, enzyme_const, 3);
}

double marker_last(double x, double *p) {
  // CHECK: too-few-arguments.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: too few arguments: the value of argument 3 (`i32`) of `f` is missing
  return __enzyme_autodiff((void *)f, enzyme_out, x, enzyme_const, p, enzyme_const);
}

double no_tangent(double x, double *p) {
  // CHECK: too-few-arguments.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_fwddiff`: too few arguments: the shadow of argument 1 (`double`) of `f` is missing; the marker `enzyme_const` stands there
  // CHECK-NEXT: note: `f` has the type `double (double, ptr, i32)`
  // CHECK-NEXT: help: after the function give, for each of its arguments in order, `enzyme_dup, x, tangent_of_x` or `enzyme_const, c`; without a marker floating-point values and pointers are dup (two values) and integers const
  return __enzyme_fwddiff((void *)f, x, enzyme_const, p, 3);
}

double nothing_at_all(void) {
  // CHECK: too-few-arguments.c:[[#@LINE+2]]:10: error: `__enzyme_autodiff` is called without arguments
  // CHECK-NEXT: help: its first argument is the function to differentiate
  return __enzyme_autodiff_without_prototype();
}
// CHECK: 6 errors generated.
