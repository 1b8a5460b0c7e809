// Wrong attributes are errors at their place.

// RUN: %not %clang %clangPlugin -fsyntax-only %s 2>&1 | %FileCheck %s --implicit-check-not error:

// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_function_like' takes the name of a function as a string literal, as in 'enzyme_function_like("log1p")'
__attribute__((enzyme_function_like)) double without_name(double);
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_function_like' takes the name of a function as a string literal
__attribute__((enzyme_function_like(3))) double with_number(double);
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_function_like' takes the name of a function as a string literal
__attribute__((enzyme_function_like(""))) double with_nothing(double);
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_function_like' attribute takes no more than 1 argument
__attribute__((enzyme_function_like("sin", "cos"))) double with_two(double);
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_inactive' attribute takes no arguments
__attribute__((enzyme_inactive(1))) double with_argument(double);
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_function_like' only applies to functions
__attribute__((enzyme_function_like("sin"))) double variable;
// CHECK: misuse.c:[[#@LINE+1]]:27: error: 'enzyme_inactive' only applies to functions and variables that live as long as the program
struct S { __attribute__((enzyme_inactive)) double member; };
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_inactive' only applies to functions and variables that live as long as the program
__attribute__((enzyme_inactive)) typedef double number;
// CHECK: misuse.c:[[#@LINE+1]]:16: error: 'enzyme_sparse_accumulate' cannot be used: EnzymeRS makes no sparse derivatives
__attribute__((enzyme_sparse_accumulate)) void accumulate(double);

double local(double x) {
  // CHECK: misuse.c:[[#@LINE+1]]:18: error: 'enzyme_inactive' only applies to functions and variables that live as long as the program
  __attribute__((enzyme_inactive)) double y = x;
  // A variable that is one for all calls.
  __attribute__((enzyme_inactive)) static double z;
  return z += y;
}
