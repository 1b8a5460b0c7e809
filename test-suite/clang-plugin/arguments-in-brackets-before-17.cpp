// Before version 17, clang passes on no arguments of a plugin's attributes in brackets: the error says how to write them.

// REQUIRES: llvm-lt-19
// RUN: %not %clang++ %clangPlugin -fsyntax-only %s 2>&1 | %FileCheck %s

// CHECK: error: before version 17, clang passes on no arguments of attributes in brackets that a plugin brings; write '__attribute__((enzyme_function_like("log1p")))'
[[enzyme::function_like("log1p")]] double logarithm(double x);
