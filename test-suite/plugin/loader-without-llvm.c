// A program without LLVM that opens the loader is told so, and ends with status 1.

// REQUIRES: loader, clang
// RUN: %clang %s -o %t -ldl
// RUN: %t %loader 2> %t.err; test $? -eq 1
// RUN: %FileCheck %s < %t.err
// CHECK: EnzymeRS: this loader-without-llvm{{.*}} carries no LLVM that a plugin can bind to (it may be linked statically)

#include <dlfcn.h>

int main(int argc, char **argv) {
  dlopen(argv[argc - 1], RTLD_NOW);
  return 0;
}
