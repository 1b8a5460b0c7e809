// The short names are ours in the scope `enzyme` alone: without it they are unknown, as they are to clang itself.

// RUN: %clang++ %clangPlugin -std=c++17 -O0 %s -o %t 2>&1 | %FileCheck %s && %t
// RUN: %clang++ %clangPlugin -std=c++17 -O2 %s -o %t 2>&1 | %FileCheck %s && %t

#include "../Inputs/check.h"

template <typename... T> double __enzyme_fwddiff(void *, T...);

// CHECK: without-scope.cpp:[[#@LINE+1]]:3: warning: unknown attribute 'inactive' ignored
[[inactive]] static double weight(double x) { return x * x; }
// CHECK: without-scope.cpp:[[#@LINE+1]]:14: warning: unknown attribute 'nofree' ignored
struct S { [[nofree]] double member; };
// CHECK-NOT: warning:

int main() {
  expect(__enzyme_fwddiff((void *)weight, 3.0, 1.0), 6.0);
  return result_of_test();
}
