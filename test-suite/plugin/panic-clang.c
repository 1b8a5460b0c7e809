// A panic comes out of clang as one error with status 1, at every -O level: the pass runs at each of them.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -mllvm -enzyme-debug-panic=frontend -c %s -o %t.o
// RUN: %{compile} -O0 2> %t.err; test $? -eq 1
// RUN: %FileCheck %s < %t.err --implicit-check-not=error:
// RUN: %{compile} -O1 2> %t.err; test $? -eq 1
// RUN: %FileCheck %s < %t.err --implicit-check-not=error:
// RUN: %{compile} -O2 2> %t.err; test $? -eq 1
// RUN: %FileCheck %s < %t.err --implicit-check-not=error:
// RUN: %{compile} -O3 2> %t.err; test $? -eq 1
// RUN: %FileCheck %s < %t.err --implicit-check-not=error:
// RUN: %{compile} -Os 2> %t.err; test $? -eq 1
// RUN: %FileCheck %s < %t.err --implicit-check-not=error:

// CHECK: error: internal error in EnzymeRS, please report: this panic was asked for by -enzyme-debug-panic
// CHECK: 1 error generated.
double square(double x) { return x * x; }
