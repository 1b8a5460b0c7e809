// A function that is chosen at run time: in a variable that is set twice, or by a conditional.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// RUN: %{compile} -O0 2>&1 | %FileCheck %s --check-prefixes=CHECK,SET --implicit-check-not=error:
// RUN: %{compile} -O2 2>&1 | %FileCheck %s --check-prefixes=CHECK,COMPUTED --implicit-check-not=error:

double __enzyme_autodiff(void *, ...);

double square(double x) { return x * x; }
double cube(double x) { return x * x * x; }

double set_twice(int which, double x) {
  double (*chosen)(double) = square;
  if (which) chosen = cube;
  // SET: chosen-function.c:[[#@LINE+3]]:10: error: the function to differentiate is held in a variable that is set more than once
  // COMPUTED: chosen-function.c:[[#@LINE+2]]:10: error: the function to differentiate is computed at run time
  // CHECK-NEXT: help: name the function in the call: `__enzyme_autodiff(f, ...)`; a function that is chosen at run time needs one call for each choice
  return __enzyme_autodiff((void *)chosen, x);
}

double conditional(int which, double x) {
  // CHECK: chosen-function.c:[[#@LINE+1]]:10: error: the function to differentiate is computed at run time
  return __enzyme_autodiff(which ? (void *)square : (void *)cube, x);
}
