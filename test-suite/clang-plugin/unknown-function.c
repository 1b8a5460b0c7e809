// A function that is said to be like one that nobody knows is an error where it stands, also when it is only declared.

// RUN: %not %clang %clangPlugin -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang %clangPlugin -O2 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang %clangPlugin -O2 -DDEFINED -c %s -o %t.o 2>&1 | %FileCheck %s

// CHECK: error: {{.*}}no_such_function
double __enzyme_fwddiff(void *, ...);

__attribute__((enzyme_function_like("no_such_function"))) double like(double x);
#ifdef DEFINED
double like(double x) { return x; }
#endif

double f(double x) { return like(x); }
double g(double x) { return __enzyme_fwddiff((void *)f, x, 1.0); }
