// A first argument that is no known function.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

typedef double Function(double);

double __enzyme_autodiff(void *, ...);

double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }

double only_declared(double x);
double variadic(double x, ...) { return x; }
Function *variable = square;
Function *table[2] = {square, cube};

double a_parameter(Function *chosen, double x) {
  // CHECK: unknown-function.c:[[#@LINE+2]]:10: error: the function to differentiate is {{a parameter|read from memory}}
  // CHECK-NEXT: help: name the function in the call: `__enzyme_autodiff(f, ...)`; a function that is chosen at run time needs one call for each choice
  return __enzyme_autodiff((void *)chosen, x);
}

double no_function(double x) {
  // CHECK: unknown-function.c:[[#@LINE+2]]:10: error: the function to differentiate is the constant `ptr null`
  // CHECK-NEXT: help: name the function in the call
  return __enzyme_autodiff((void *)0, x);
}

double from_variable(double x) {
  // CHECK: unknown-function.c:[[#@LINE+2]]:10: error: the function to differentiate is read from the variable `variable`, which is not constant
  // CHECK-NEXT: help: name the function in the call
  return __enzyme_autodiff((void *)variable, x);
}

double from_memory(Function **where, double x) {
  // CHECK: unknown-function.c:[[#@LINE+2]]:10: error: the function to differentiate is read from memory
  // CHECK-NEXT: help: name the function in the call
  return __enzyme_autodiff((void *)where[1], x);
}

double declared(double x) {
  // CHECK: unknown-function.c:[[#@LINE+2]]:10: error: `only_declared` is only declared here, so it cannot be differentiated
  // CHECK-NEXT: help: define it in this file, or differentiate when linking: `-flto -fuse-ld=lld` with the plugin given to lld
  return __enzyme_autodiff((void *)only_declared, x);
}

double any_number(double x) {
  // CHECK: unknown-function.c:[[#@LINE+2]]:10: error: `variadic` takes a variable number of arguments, which cannot be differentiated
  // CHECK-NEXT: help: wrap it in a function with a fixed number of arguments
  return __enzyme_autodiff((void *)variadic, x);
}
// CHECK: 6 errors generated.
