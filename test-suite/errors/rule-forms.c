// Variables that register something have to look as they should.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -O1 -c %s -o %t.o 2>&1 | %FileCheck %s

double __enzyme_fwddiff(void *, ...);

double a(double x), b(double x);
int number;

// CHECK: error: the variable `__enzyme_register_derivative_short` is not as it should be: it has only 1 entries
// CHECK-NEXT: help: define it as an array or struct of constants: `{ function, forward derivative }`
void *__enzyme_register_derivative_short[] = {(void *)a};
// CHECK: `__enzyme_register_splitderivative_number` is not as it should be: its third entry is not a function
void *__enzyme_register_splitderivative_number[] = {(void *)a, (void *)b, &number};
// CHECK: `__enzyme_register_gradient_extra` is not as it should be: "other" is not understood
void *__enzyme_register_gradient_extra[] = {(void *)a, (void *)b, (void *)b, "other"};
// CHECK: error: `a` is said to be like `no_such_function`, but no such function is known
void *__enzyme_function_like_unknown[] = {(void *)a, "no_such_function"};
// CHECK: `__enzyme_inactivefn_number` is not as it should be: its first entry is not a function
void *__enzyme_inactivefn_number[] = {&number};
// CHECK: `__enzyme_allocation_like_a` is not as it should be: its second entry is not an integer
void *__enzyme_allocation_like_a[] = {(void *)a, "size", "-1", (void *)b};

static double f(double x) { return x; }
double df(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
