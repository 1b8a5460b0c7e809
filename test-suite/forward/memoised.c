// Two requests for the same derivative share one function; another activity, width or mode gets its own.

// REQUIRES: clang
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt %loadEnzyme %enzyme -S %t.ll | %FileCheck %s

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup;

double product(double x, double y) { return x * y; }

// CHECK-LABEL: define {{.*}}double @first(
// CHECK: call double @[[BOTH:fwddiffeproduct]](
double first(double x, double y) { return __enzyme_fwddiff((void *)product, x, 1.0, y, 1.0); }

// CHECK-LABEL: define {{.*}}double @second(
// CHECK: call double @[[BOTH]](
double second(double x, double y) { return __enzyme_fwddiff((void *)product, enzyme_dup, y, 2.0, enzyme_dup, x, 3.0); }

// CHECK-LABEL: define {{.*}}double @other_activity(
// CHECK: call double @[[ONE:fwddiffeproduct.+]](
double other_activity(double x, double y) { return __enzyme_fwddiff((void *)product, x, 1.0, enzyme_const, y); }

// CHECK-LABEL: define {{.*}}double @same_activity(
// CHECK: call double @[[ONE]](
double same_activity(double x, double y) { return __enzyme_fwddiff((void *)product, y, 1.0, enzyme_const, x); }

// CHECK-LABEL: define {{.*}}double @other_mode(
// CHECK: call double @[[REVERSE:diffeproduct]](
double other_mode(double x, double y) { return __enzyme_autodiff((void *)product, x, enzyme_const, y); }

// CHECK-NOT: define
// CHECK: define internal double @[[BOTH]](
// CHECK-NOT: define
// CHECK: define internal double @[[ONE]](
// CHECK-NOT: define
// CHECK: define internal double @[[REVERSE]](
// CHECK-NOT: define
