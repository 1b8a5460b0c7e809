// Values and shadows of another type than the argument has.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double f(double x, const double *p, int n) { return x * p[n]; }

double integer_for_float(const double *p) {
  // CHECK: wrong-types.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_autodiff`: the value of argument 1 (`double`) of `f` has the type `i32`
  // CHECK-NEXT: note: `f` has the type `double (double, ptr, i32)`
  // CHECK-NEXT: help: after the function give
  return __enzyme_autodiff((void *)f, 2, p, p, 3);
}

double float_for_pointer(double x) {
  // CHECK: wrong-types.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: the value of argument 2 (`ptr`) of `f` has the type `double`
  return __enzyme_autodiff((void *)f, x, x, x, 3);
}

double float_for_shadow(double x, const double *p) {
  // CHECK: wrong-types.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: the shadow of argument 2 (`ptr`) of `f` has the type `double`
  return __enzyme_autodiff((void *)f, x, enzyme_dup, p, x, 3);
}

double pointer_for_integer(double x, const double *p) {
  // CHECK: wrong-types.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the value of argument 3 (`i32`) of `f` has the type `ptr`
  return __enzyme_fwddiff((void *)f, x, 1.0, enzyme_const, p, p);
}

double pointer_for_tangent(double x, const double *p) {
  // CHECK: wrong-types.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the shadow of argument 1 (`double`) of `f` has the type `ptr`
  return __enzyme_fwddiff((void *)f, x, p, p, p, 3);
}
// CHECK: 5 errors generated.
