// With -g the derivative's instructions keep the places of the instructions that they come from, and the module's debug
// information stays valid.

// REQUIRES: clang
// DEFINE: %{compile} = %clang -g -S -emit-llvm %s
// RUN: %{compile} -O1 -Xclang -disable-llvm-passes -o %t.ll
// RUN: %opt %loadEnzyme -passes="enzyme,verify" -S %t.ll -o %t.enzyme.ll 2> %t.err
// RUN: test ! -s %t.err
// RUN: %FileCheck %s < %t.enzyme.ll
// RUN: %{compile} %clangEnzyme -O0 -o %t.0.ll
// RUN: %{compile} %clangEnzyme -O2 -o %t.2.ll
// RUN: %opt -passes=verify -disable-output %t.0.ll 2> %t.err
// RUN: %opt -passes=verify -disable-output %t.2.ll 2>> %t.err
// RUN: test ! -s %t.err

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
double sin(double);
double exp(double);

static double f(double x, int n) {
  double r = x;
  if (n) {
    r = r * sin(x);
  }
  return exp(r);
}

double forward(double x, int n) { return __enzyme_fwddiff((void *)f, x, 1.0, n); }
double reverse(double x, int n) { return __enzyme_autodiff((void *)f, x, n); }

// CHECK-LABEL: define internal double @fwddiffef(
// CHECK: call double @llvm.cos.f64({{.*}} !dbg ![[SIN:[0-9]+]]
// CHECK-NEXT: fmul {{.*}} !dbg ![[SIN]]
// CHECK: fmul {{.*}} !dbg ![[PRODUCT:[0-9]+]]
// CHECK: fadd {{.*}} !dbg ![[PRODUCT]]
// CHECK: fmul {{.*}} !dbg ![[EXP:[0-9]+]]
// CHECK-NEXT: ret
// CHECK-LABEL: define internal double @diffef(
// CHECK-DAG: ![[SIN]] = !DILocation(line: 24, column: 13
// CHECK-DAG: ![[PRODUCT]] = !DILocation(line: 24, column: 11
// CHECK-DAG: ![[EXP]] = !DILocation(line: 26, column: 10
