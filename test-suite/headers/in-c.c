// The header is for C++; in C it says so, and does no harm.

// REQUIRES: clang
// RUN: %clang -I%include -fsyntax-only %s 2>&1 | %FileCheck %s

#include <enzyme/enzyme>

// CHECK: warning: "<enzyme/enzyme> is for C++; in C declare the functions and markers that you need"
