// A rule for one direction that works in place cannot be called once for each of several directions.

// REQUIRES: clang
// RUN: %not %clang %clangEnzyme -g -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %clang %clangEnzyme -g -O2 -c %s -o %t.o 2>&1 | %FileCheck %s

void __enzyme_fwddiff(void *, ...);
int enzyme_width;

void twice(double *p);
// CHECK: rule-directions.c:[[#@LINE+3]]:{{.*}} error: `twice_rule` is for one direction, and cannot be called once for each of 2: it may change the memory of argument 1 of `twice`, which it reads
// CHECK-NEXT: note: it is reached from the call at {{.*}}rule-directions.c:
// CHECK-NEXT: help: ask for one direction at a time, or let it take all at once: each shadow as an array `[2 x {{.*}}]`
void twice_rule(double *p, double *dp) {
  *p = 2 * *p;
  *dp = 2 * *dp;
}
void *__enzyme_register_derivative_twice[] = {(void *)twice, (void *)twice_rule};

// This one reads here and writes there.
void copy(const double *from, double *to);
void copy_rule(const double *from, const double *dfrom, double *to, double *dto) {
  *to = *from;
  *dto = *dfrom;
}
void *__enzyme_register_derivative_copy[] = {(void *)copy, (void *)copy_rule};

static void both(const double *from, double *to) {
  copy(from, to);
  twice(to);
}

void two(double *a, double *a0, double *a1, double *b, double *b0, double *b1) {
  __enzyme_fwddiff((void *)both, enzyme_width, 2, a, a0, a1, b, b0, b1);
}
// CHECK: 1 error generated.
