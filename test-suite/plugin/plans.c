// What a gradient keeps, and why: as remarks, as lines, and as a whole.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme -O1 -g -c %s -o %t.o
// RUN: %{compile} -Rpass-analysis=enzyme 2>&1 | %FileCheck %s --check-prefix=REMARK
// RUN: %{compile} -mllvm -enzyme-print-perf 2>&1 | %FileCheck %s --check-prefix=LINE
// RUN: %{compile} -mllvm -enzyme-print-plan 2>&1 | %FileCheck %s --check-prefix=PLAN
// RUN: %{compile} 2>&1 | %FileCheck %s --allow-empty --check-prefix=NOTHING

// NOTHING-NOT: {{.}}

#include <math.h>

void __enzyme_autodiff(void *, ...);

static void smooth(double *u, double *w, long n) {
  for (long i = 0; i < n; i++) {
    // REMARK: plans.c:[[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}} is kept (8 bytes for each iteration): it is read from memory that is written later ({{.*}}plans.c:[[#@LINE+5]]:{{[0-9]+}}); what would avoid it: write to other memory, or let the loop keep few states and run again (`__enzyme_checkpoint_for`) [-Rpass-analysis=enzyme]
    // REMARK: remark: {{.*}} is kept (8 bytes for each iteration): it is read from memory that may be written later, by what may be another name of it ({{.*}}plans.c:[[#@LINE+4]]:{{[0-9]+}}); what would avoid it: `restrict` on the pointers, if they never lead to the same memory
    // LINE: plans.c:[[#@LINE+2]]:{{[0-9]+}}: in `smooth`: {{.*}} is kept (8 bytes for each iteration): it is read from memory that is written later
    // LINE: plans.c:[[#@LINE+1]]:{{[0-9]+}}: in `smooth`: {{.*}} is kept
    double x = sin(u[i]) * w[i];
    u[i] = x * x;
  }
}
// PLAN: plan of @smooth
// PLAN: given: one function runs both sweeps
// PLAN: load double{{.*}} kept
// PLAN-NEXT: 8 bytes for each iteration: it is read from memory
// PLAN-NEXT: <- store double {{.*}}: writes to

void gradient(double *u, double *du, double *w, double *dw, long n) {
  __enzyme_autodiff((void *)smooth, u, du, w, dw, n);
}
