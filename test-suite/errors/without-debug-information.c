// Without -g a message still tells the function that the call is in.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -O2 -c %s -o %t.o 2>&1 | %FileCheck %s --check-prefix=CLANG
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %not %opt %loadEnzyme %enzyme -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=OPT
// RUN: test ! -e %t.o

double __enzyme_autodiff(void *, ...);

static double f(double x, double y) { return x * y; }

// CLANG: without-debug-information.c:[[#@LINE+6]]:8: error: in the call of `__enzyme_autodiff`: too few arguments: the value of argument 2 (`double`) of `f` is missing
// CLANG-NEXT: note: `f` has the type `double (double, double)`
// CLANG-NEXT: help: after the function give
// CLANG: 1 error generated.
// OPT: error: {{.*}}in function caller double (double): in the call of `__enzyme_autodiff`: too few arguments: the value of argument 2 (`double`) of `f` is missing
// OPT-NEXT: note: `f` has the type `double (double, double)`
double caller(double x) { return __enzyme_autodiff((void *)f, x); }
