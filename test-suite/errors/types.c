// Bytes whose type makes a difference and is not known; a guess on request; statements that contradict each other.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// RUN: %{compile} -O0 -DUNKNOWN 2>&1 | %FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=PLEASE
// RUN: %{compile} -O0 -DCOPY 2>&1 | %FileCheck %s --check-prefix=COPY --implicit-check-not=PLEASE
// RUN: %{compile} -O2 -DBOTH -fno-strict-aliasing 2>&1 | %FileCheck %s --check-prefix=BOTH --implicit-check-not=PLEASE
// RUN: %clang -fplugin=%loader -fpass-plugin=%loader -mllvm -enzyme-loose-types -O0 -DUNKNOWN -DCOPY -c %s -o %t.o

#include <stdint.h>
#include <string.h>

void __enzyme_fwddiff(void *, ...);
extern int enzyme_const;

#ifdef UNKNOWN
// A number, or about 3.14.
static void unknown(uint64_t *p) {
  // UNKNOWN: types.c:[[#@LINE+5]]:{{[0-9]+}}: error: the type of `4614253070214989087` is not known, and a store into memory with a shadow needs it
  // UNKNOWN-NEXT: note: in `unknown`
  // UNKNOWN-NEXT: note: it is reached from the call at
  // UNKNOWN-NEXT: help: say what it is, with a marker (`__enzyme_double(p, bytes)`
  // UNKNOWN-SAME: `-enzyme-loose-types`
  *p = 0x40091eb851eb851f;
}

void ask_unknown(uint64_t *p, uint64_t *dp) { __enzyme_fwddiff((void *)unknown, p, dp); }
#endif

#ifdef COPY
static void copy(void *to, const void *from) {
  // COPY: types.c:[[#@LINE+1]]:{{[0-9]+}}: error: the type of `%{{.*}}` is not known, and a copy of memory into memory with a shadow needs it
  memcpy(to, from, 24);
}

void ask_copy(void *to, void *dto, const void *from) {
  __enzyme_fwddiff((void *)copy, to, dto, enzyme_const, from);
}
#endif

#ifdef BOTH
static double both(double *p) {
  double first = p[0] * p[0];
  // BOTH: error: types contradict each other: in @{{.*}}both
  // BOTH: note: it is known:
  // BOTH: note: it is said:
  // BOTH: help: {{.*}}`-enzyme-strict-aliasing=0`
  double *q = *(double **)p;
  return first * *q;
}

double ask_both(double *p, double *dp) {
  __enzyme_fwddiff((void *)both, p, dp);
  return 0;
}
#endif
