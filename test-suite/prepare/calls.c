// Small callees become part of the derivative; recursive ones, and those that the user wants apart, get derivatives of
// their own.

// REQUIRES: clang
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadEnzyme %enzyme -S %t.ll | %FileCheck %s

double __enzyme_fwddiff(void *, ...);

static double small(double x) { return x * x + 1; }
__attribute__((noinline)) static double apart(double x) { return x * x + 2; }
static double recursive(double x, int n) { return n ? x * recursive(x, n - 1) : 1; }

static double f(double x, int n) { return small(x) + apart(x) + recursive(x, n); }

double forward(double x, int n) { return __enzyme_fwddiff((void *)f, x, 1.0, n); }

// CHECK-LABEL: define internal double @fwddiffef(
// CHECK-NOT: small
// CHECK-DAG: @fwddiffeapart(
// CHECK-DAG: @fwddifferecursive(
// CHECK-NOT: small
// CHECK: ret double
// CHECK-DAG: define internal { double, double } @fwddiffeapart(
// CHECK-DAG: define internal { double, double } @fwddifferecursive(
