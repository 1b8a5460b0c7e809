// Neither markers nor entry points are asked of the linker, at any level; markers of the program's own stay.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -c %s -o %t.o
// DEFINE: %{names} = llvm-nm %t.o | %FileCheck %s --implicit-check-not=enzyme
// RUN: %{compile} -O0 && %{names}
// RUN: %{compile} -O1 && %{names}
// RUN: %{compile} -O2 && %{names}
// RUN: %{compile} -O3 && %{names}
// RUN: %{compile} -O0 -g -fPIC && %{names}
// RUN: %clang -shared -Wl,-z,defs %t.o -o %t.so

extern int enzyme_dup;
extern int enzyme_dupnoneed;
extern int enzyme_out;
extern int enzyme_primal_return;
int enzyme_const;

typedef struct { double primal, tangent; } Both;

Both __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double product(double x, double y) { return x * y; }

// CHECK-DAG: {{[BCDS]}} enzyme_const
// CHECK-DAG: T forward
Both forward(double x, double y) {
  return __enzyme_fwddiff((void *)product, enzyme_primal_return, enzyme_dup, x, 1.0, enzyme_dupnoneed, y, 2.0);
}

// CHECK-DAG: T reverse
double reverse(double x, double y) {
  return __enzyme_autodiff((void *)product, enzyme_out, x, enzyme_const, y) +
         __enzyme_autodiff((void *)product, enzyme_const, x, enzyme_out, y);
}
