// opt prints the same messages, with the place that -g gives.

// REQUIRES: clang
// RUN: %clang -g -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %not %opt %loadEnzyme %enzyme -disable-output %t.ll 2> %t.err
// RUN: %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE < %t.err

double __enzyme_autodiff(void *, ...);
double mystery(double);

static double f(double x, double y) { return x * y; }

double too_few(double x) {
  // CHECK: error: {{.*}}debug-places-in-opt.c:[[#@LINE+2]]:10: in function too_few double (double): in the call of `__enzyme_autodiff`: too few arguments
  // CHECK-NEXT: note: `f` has the type `double (double, double)`
  return __enzyme_autodiff((void *)f, x);
}
