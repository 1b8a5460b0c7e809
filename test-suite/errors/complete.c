// A declared function is an error of the compiler, and no error of the linker that sees its body.

// REQUIRES: clang, lld
// RUN: %not %clang %clangEnzyme -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang -O2 -flto -DBODY -c %s -o %t.body.o
// RUN: %clang -O2 -flto -c %s -o %t.call.o
// RUN: %clang %lldEnzyme %t.body.o %t.call.o -o %t
// RUN: %t

#ifdef BODY
double square(double x) { return x * x; }
#else
double square(double x);
double __enzyme_autodiff(void *, ...);

int main(void) {
  // CHECK: complete.c:[[#@LINE+2]]:10: error: `square` is only declared here, so it cannot be differentiated
  // CHECK-NEXT: help: define it in this file, or differentiate when linking: `-flto -fuse-ld=lld` with the plugin given to lld
  return __enzyme_autodiff((void *)square, 3.0) != 6.0;
}
#endif
