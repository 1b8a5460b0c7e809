// Without the plugin clang does not know the attributes, and says so.

// RUN: %clang -fsyntax-only %s 2>&1 | %FileCheck %s
// RUN: %clang %clangEnzyme -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang %clangPlugin -Werror -c %s -o %t.o

// CHECK: warning: unknown attribute 'enzyme_inactive' ignored
__attribute__((enzyme_inactive)) double weight(double x);
