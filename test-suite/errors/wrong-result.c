// Calls that are declared to return something else than the derivative.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

typedef struct { double x, y; } Two;
typedef struct { double x, y, z; } Three;
typedef struct { float x, y; } TwoFloats;

float __enzyme_autodiff_float(void *, ...);
int __enzyme_autodiff_int(void *, ...);
Three __enzyme_autodiff_three(void *, ...);
TwoFloats __enzyme_autodiff_floats(void *, ...);
double __enzyme_fwddiff(void *, ...);
Two __enzyme_fwddiff_two(void *, ...);
extern int enzyme_primal_return;

static double one(double x) { return x * x; }
static double two(double x, double y) { return x * y; }

float no_primal(double x) {
  // CHECK: wrong-result.c:[[#@LINE+2]]:10: error: the call of `__enzyme_autodiff` returns `float`, but the gradient of `one` is `{ double, double }`
  // CHECK-NEXT: help: declare it to return the derivative of each `enzyme_out` argument, in order: one value, or a struct that holds them one after another, the primal's result first
  return __enzyme_autodiff_float((void *)one, enzyme_primal_return, x);
}

int integer(double x) {
  // CHECK: wrong-result.c:[[#@LINE+2]]:10: error: the call of `__enzyme_autodiff` returns `i32`, but the gradient of `one` is `double`
  // CHECK-NEXT: help: declare it to return the derivative of each `enzyme_out` argument, in order: one value, or a struct that holds them one after another
  return __enzyme_autodiff_int((void *)one, x);
}

double three_of_two(double x) {
  // CHECK: wrong-result.c:[[#@LINE+1]]:13: error: the call of `__enzyme_autodiff` returns `%struct.Three = type { double, double, double }`, but the gradient of `two` is `{ double, double }`
  Three r = __enzyme_autodiff_three((void *)two, x, x);
  return r.x + r.y + r.z;
}

double floats_of_doubles(double x) {
  // CHECK: wrong-result.c:[[#@LINE+1]]:17: error: the call of `__enzyme_autodiff` returns `<2 x float>`, but the gradient of `two` is `{ double, double }`
  TwoFloats r = __enzyme_autodiff_floats((void *)two, x, x);
  return r.x + r.y;
}

double two_of_one(double x) {
  // CHECK: wrong-result.c:[[#@LINE+1]]:11: error: the call of `__enzyme_fwddiff` returns `{ double, double }`, but the tangent of `one` is `double`
  Two r = __enzyme_fwddiff_two((void *)one, x, 1.0);
  return r.x + r.y;
}
// CHECK: 5 errors generated.
