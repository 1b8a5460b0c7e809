// The function is found where clang marks the lives of variables at -O0, as it does for the sanitizers.

// REQUIRES: clang
// RUN: %clang++ %clangEnzyme -I%include -std=c++17 -O0 -fsanitize=address -S -emit-llvm %s -o - | %FileCheck %s

#include <enzyme/enzyme>

static double square(double x) { return x * x; }

double derivative(double x) {
  auto lambda = [](double x) { return 3 * square(x); };
  return enzyme::get<0>(enzyme::autodiff<enzyme::Forward>(+lambda, enzyme::Duplicated{x, 1.0}));
}

// CHECK-NOT: declare {{.*}}__enzyme_fwddiff
