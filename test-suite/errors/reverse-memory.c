// Memory that reverse mode does not follow: floats and integers side by side that are copied with more, of which nobody says
// what it is.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

#include <string.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double moved(char *pairs) {
  // CHECK: reverse-memory.c:[[#@LINE+4]]:3: error: floats and other things side by side are copied at once
  // CHECK-NEXT: note: in `moved`
  // CHECK-NEXT: note: it is reached from the call at {{.*}}reverse-memory.c:[[#@LINE+9]]:3
  // CHECK-NEXT: help: copy the elements one by one
  memcpy(pairs, pairs + 40, 40);
  const double *value = (double *)pairs;
  const long *key = (long *)(pairs + 8);
  return *value * *value * *key;
}

void of_moved(char *x, char *dx) {
  __enzyme_autodiff((void *)moved, x, dx);
}
// CHECK: 1 error generated.
