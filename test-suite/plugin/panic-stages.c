// A panic in any stage of a derivative comes out of clang as one error with the stage and the function, and
// nothing half made stays behind to trouble the passes after.

// REQUIRES: clang
// DEFINE: %{stage} = prepare
// DEFINE: %{compile} = %clang -O2 %clangEnzyme -mllvm -enzyme-debug-panic=%{stage} -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s -DSTAGE=%{stage} --implicit-check-not=error: --input-file=%t.err
// RUN: %{compile} 2> %t.err; test $? -eq 1
// RUN: %{check}
// REDEFINE: %{stage} = read
// RUN: %{compile} 2> %t.err; test $? -eq 1
// RUN: %{check}
// REDEFINE: %{stage} = plan
// RUN: %{compile} 2> %t.err; test $? -eq 1
// RUN: %{check}
// REDEFINE: %{stage} = write
// RUN: %{compile} 2> %t.err; test $? -eq 1
// RUN: %{check}
// REDEFINE: %{stage} = verify
// RUN: %{compile} 2> %t.err; test $? -eq 1
// RUN: %{check}
// REDEFINE: %{stage} = tidy
// RUN: %{compile} 2> %t.err; test $? -eq 1
// RUN: %{check}

// CHECK: error: internal error in EnzymeRS, please report: this panic was asked for by -enzyme-debug-panic
// CHECK-NEXT: note: in stage `[[STAGE]]` of function `{{.*}}square`
// CHECK: 1 error generated.
double __enzyme_autodiff(void *, ...);
double square(double x) { return x * x; }
double derivative(double x) { return __enzyme_autodiff((void *)square, x); }
