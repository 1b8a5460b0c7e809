// LLVM's time profiler shows what each stage of a derivative took.

// REQUIRES: clang
// RUN: %clang -O2 %clangEnzyme -ftime-trace -ftime-trace-granularity=0 -c %s -o %t.o
// RUN: %FileCheck %s --input-file=%t.json

// CHECK-DAG: "name":"EnzymeRS prepare","args":{"detail":"{{[^"]*}}square
// CHECK-DAG: "name":"EnzymeRS plan","args":{"detail":"{{[^"]*}}square
// CHECK-DAG: "name":"EnzymeRS write","args":{"detail":"{{[^"]*}}square
double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double derivative(double x) { return __enzyme_autodiff((void *)square, x); }
