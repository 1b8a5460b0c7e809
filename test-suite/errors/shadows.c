// A pointer without a shadow where one with a shadow is needed.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup;

static double either(const double *with, const double *without, int which) {
  const double *chosen = which ? with : without;
  return *chosen * 2;
}

static void keep(const double **where, const double *without) {
  // CHECK-DAG: shadows.c:[[#@LINE+1]]:10: error: the pointer `{{.*}}`, which has no shadow, is needed with one here
  *where = without;
}

struct Mixed { double x; int n; double *p; };

static double copied(struct Mixed *to, const struct Mixed *from) {
  // CHECK-DAG: shadows.c:[[#@LINE+1]]:9: error: {{the type of .* is not known, and a copy of memory|memory without a shadow is copied into memory with one, and holds|the pointer .* is needed with one here}}
  *to = *from;
  return to->x;
}

// CHECK-DAG: shadows.c:{{.*}}: error: a pointer with a shadow and one without (`{{.*}}`) meet here
// CHECK-DAG: help: mark the argument that it comes from `enzyme_dup` and give it a shadow
double meet(double *p, double *q, int which) {
  return __enzyme_fwddiff((void *)either, enzyme_dup, p, p, enzyme_const, q, which);
}

void needed(double **p, double *q) { __enzyme_fwddiff((void *)keep, enzyme_dup, p, p, enzyme_const, q); }

// CHECK-DAG: help: {{say what it is, with a marker|copy the elements one by one|mark the argument that it comes from}}
double copies(struct Mixed *p, struct Mixed *q) {
  return __enzyme_fwddiff((void *)copied, enzyme_dup, p, p, enzyme_const, q);
}
// CHECK: 3 errors generated.
