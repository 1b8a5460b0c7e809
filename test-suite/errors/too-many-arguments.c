// Values that are left over.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;

static double one(double x) { return x * x; }
static double two(double x, double y) { return x * y; }

double reverse(double x) {
  // CHECK: too-many-arguments.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_autodiff`: too many arguments: a value of type `double` is left over after the 1 argument of `one`
  // CHECK-NEXT: note: `one` has the type `double (double)`
  // CHECK-NEXT: help: after the function give
  return __enzyme_autodiff((void *)one, x, 1.0);
}

double marked(double x) {
  // CHECK: too-many-arguments.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: too many arguments: the marker `enzyme_const` is left over after the 1 argument of `one`
  return __enzyme_autodiff((void *)one, x, enzyme_const, 1.0);
}

double forward(double x) {
  // CHECK: too-many-arguments.c:[[#@LINE+3]]:10: error: in the call of `__enzyme_fwddiff`: too many arguments: a value of type `i32` is left over after the 2 arguments of `two`
  // CHECK-NEXT: note: `two` has the type `double (double, double)`
  // CHECK-NEXT: help: after the function give
  return __enzyme_fwddiff((void *)two, x, 1.0, enzyme_const, x, 7);
}
// CHECK: 3 errors generated.
