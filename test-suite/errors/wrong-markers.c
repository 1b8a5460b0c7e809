// Markers that do not fit the argument or the mode.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed, enzyme_dupv, enzyme_out, enzyme_scheme, enzyme_trace, enzyme_width;

static double f(double x) { return x * x; }
static double g(const double *p, int n) { return p[n]; }

double dup_by_value(double x) {
  // CHECK: wrong-markers.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_autodiff`: argument 1 (`double`) of `f` is marked enzyme_dup, but it is handed over by value
  // CHECK-NEXT: note: `f` has the type `double (double)`
  // CHECK-NEXT: help: mark it `enzyme_out` to have its derivative returned; only memory (a pointer) has a shadow in reverse mode
  return __enzyme_autodiff((void *)f, enzyme_dup, x, x);
}

double out_pointer(const double *p) {
  // CHECK: wrong-markers.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_autodiff`: argument 1 (`ptr`) of `g` is marked enzyme_out, but it is a pointer
  // CHECK-NEXT: note: `g` has the type `double (ptr, i32)`
  // CHECK-NEXT: help: mark it `enzyme_dup` and give a pointer to its shadow after it
  return __enzyme_autodiff((void *)g, enzyme_out, p, 3);
}

double out_integer(const double *p) {
  // CHECK: wrong-markers.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_autodiff`: argument 2 (`i32`) of `g` is marked enzyme_out, but its type has no derivative
  // CHECK-NEXT: note:
  // CHECK-NEXT: help: mark it `enzyme_const`
  return __enzyme_autodiff((void *)g, enzyme_dup, p, p, enzyme_out, 3);
}

double foreign(double x) {
  // CHECK: wrong-markers.c:[[#@LINE+2]]:10: error: the marker `enzyme_trace` is not supported in a call of `__enzyme_autodiff`
  // CHECK-NEXT: help: leave it out
  return __enzyme_autodiff((void *)f, enzyme_trace, &x, x);
}

double of_loops(double x) {
  // CHECK: wrong-markers.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_autodiff`: the marker `enzyme_scheme` is for `__enzyme_checkpoint_for`
  // CHECK-NEXT: note:
  // CHECK-NEXT: help: after the function give
  return __enzyme_autodiff((void *)f, enzyme_scheme, &x, x);
}

double out_forward(double x) {
  // CHECK: wrong-markers.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_fwddiff`: argument 1 (`double`) of `f` is marked enzyme_out, which is for reverse mode
  // CHECK-NEXT: note:
  // CHECK-NEXT: help: in forward mode mark it `enzyme_dup` and give its tangent after it
  return __enzyme_fwddiff((void *)f, enzyme_out, x);
}

double stride_of_float(double x) {
  // CHECK: wrong-markers.c:[[#@LINE+2]]:10: error: in the call of `__enzyme_fwddiff`: argument 1 (`double`) of `f` is marked enzyme_dupv, which is for pointers
  // CHECK-NEXT: note:
  return __enzyme_fwddiff((void *)f, enzyme_dupv, 8, x, x);
}

double stride_no_integer(const double *p) {
  // CHECK: wrong-markers.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the stride of argument 1 is a value of type `double`, not an integer
  return __enzyme_fwddiff((void *)g, enzyme_dupv, 8.0, p, p, 3);
}

double stride_missing(const double *p) {
  // CHECK: wrong-markers.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_fwddiff`: the stride of argument 1 is missing
  return __enzyme_fwddiff((void *)g, enzyme_dupv);
}
// CHECK: 9 errors generated.
