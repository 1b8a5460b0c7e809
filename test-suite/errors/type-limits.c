// Where a type is missing and types were not followed to their end, the error says so; unless nobody wants to hear it.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang -fplugin=%loader -fpass-plugin=%loader -g -O1 -c %s -o %t.o
// RUN: %{compile} 2>&1 | %FileCheck %s
// RUN: %{compile} -mllvm -enzyme-type-warning=0 2>&1 | %FileCheck %s --check-prefix=QUIET --implicit-check-not="farther"

#include <string.h>

double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;

static double last(double *to, const void *from) {
  // CHECK: type-limits.c:[[#@LINE+4]]:{{[0-9]+}}: error: the type of `%{{.*}}` is not known, and a copy of memory into memory with a shadow needs it
  // CHECK: note: types are looked at up to 500 bytes from where a pointer leads, and through 5 pointers; what lies farther
  // CHECK-SAME: `-enzyme-max-type-offset`
  // QUIET: error: the type of `%{{.*}}` is not known
  memcpy(to, from, 1024);
  return to[127];
}

double ask(double *to, double *shadow, const void *from) {
  return __enzyme_fwddiff((void *)last, to, shadow, enzyme_const, from);
}
