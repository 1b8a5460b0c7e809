// The loader, too, brings the attributes to clang; both it and the plugin may be named, in any order.

// REQUIRES: loader
// RUN: %clang -fplugin=%loader -O0 %s -o %t && %t
// RUN: %clang -fplugin=%loader -fpass-plugin=%loader -O2 %s -o %t && %t
// RUN: %clang %clangPlugin -fpass-plugin=%loader -O2 %s -o %t && %t
// RUN: %clang %clangPlugin -fpass-plugin=%plugin -O2 %s -o %t && %t
// RUN: %clang -fpass-plugin=%plugin %clangPlugin -O2 %s -o %t && %t

#include "../Inputs/check.h"

double __enzyme_autodiff(void *, ...);
__attribute__((enzyme_inactive)) double weight(double x) { return x * x; }
static double f(double x) { return weight(x) * x; }

int main(void) {
  expect(__enzyme_autodiff((void *)f, 3.0), 9.0);
  return result_of_test();
}
