// A variable of which something is said need not be defined anywhere: a derivative for which it makes no difference does
// not read it.

// RUN: %clang %clangPlugin -O0 -c %s -o %t.o && %clang %t.o -o %t -Wl,--defsym,never_defined=0 && %t
// RUN: %clang %clangPlugin -O0 -S -emit-llvm %s -o - | %FileCheck %s --check-prefixes=DECLARED,CHECK
// RUN: %clang %clangPlugin -O2 -S -emit-llvm %s -o - | %FileCheck %s

// DECLARED: @never_defined = external global i32
// CHECK-LABEL: define {{.*}} @diffesquare(
// CHECK-NOT: never_defined
// CHECK-NOT: @malloc
// CHECK: {{^}}}

#include "../Inputs/check.h"

#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

__attribute__((enzyme_inactive)) extern int never_defined;

__attribute__((noinline)) static void *allocate(int size, int kind) {
  (void)kind;
  return malloc(size);
}

__attribute__((noinline)) double square(double x) {
  double *p = allocate(sizeof *p, never_defined);
  *p = x;
  return *p * *p;
}

int main(void) {
  expect(__enzyme_autodiff((void *)square, 3.0), 6);
  return result_of_test();
}
