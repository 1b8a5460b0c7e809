// Calls of `__enzyme_batch` that cannot be understood.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not=error:

typedef struct {
  double x, y;
} two;
two __enzyme_batch(void *, ...);
double __enzyme_batch_one(void *, ...);
extern int enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer, enzyme_dup;

static double square(double x) { return x * x; }

void calls(double x, int n) {
  // CHECK: wrong.c:[[#@LINE+2]]:3: error: the call of `__enzyme_batch` does not say how many lanes there are
  // CHECK: help: give it `enzyme_width, n` after the function
  __enzyme_batch((void *)square, enzyme_vector, x, x);
  // CHECK: wrong.c:[[#@LINE+1]]:3: error: in the call of `__enzyme_batch`: the width must be a constant between 1 and 4096
  __enzyme_batch((void *)square, enzyme_width, n, enzyme_vector, x, x);
  // CHECK: wrong.c:[[#@LINE+3]]:3: error: in the call of `__enzyme_batch`: too few arguments: a value of argument 1 (`double`) is missing
  // CHECK: note: `square` has the type `double (double)`
  // CHECK: help: after the function give, for each of its arguments in order, 2 values
  __enzyme_batch((void *)square, enzyme_width, 2, enzyme_vector, x);
  // CHECK: wrong.c:[[#@LINE+1]]:3: error: in the call of `__enzyme_batch`: too many arguments
  __enzyme_batch((void *)square, enzyme_width, 2, enzyme_scalar, x, x);
  // CHECK: wrong.c:[[#@LINE+1]]:3: error: in the call of `__enzyme_batch`: the marker `enzyme_dup` means nothing here
  __enzyme_batch((void *)square, enzyme_width, 2, enzyme_dup, x, x);
  // CHECK: wrong.c:[[#@LINE+1]]:3: error: in the call of `__enzyme_batch`: argument 1 is marked enzyme_buffer, which is for pointers
  __enzyme_batch((void *)square, enzyme_width, 2, enzyme_buffer, 8, x);
}

double result(double x) {
  // CHECK: wrong.c:[[#@LINE+2]]:10: error: the call of `__enzyme_batch` returns `double`, but 2 calls of `square` return `double` each
  // CHECK: help: declare it to return a struct that holds the results one after another
  return __enzyme_batch_one((void *)square, enzyme_width, 2, enzyme_vector, x, x);
}
