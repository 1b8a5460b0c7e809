// A number of terms that grows with each derivative is an integer, and grows by one of its own type.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

double __enzyme_autodiff(void *, double);
int __enzyme_iter(int terms, long step);

static double power(double x) {
  double product = 1;
  // CHECK: wrong-terms.c:[[#@LINE+2]]:{{[0-9]+}}: error: `__enzyme_iter` takes and gives integers of one type
  // CHECK: help: declare it as `int __enzyme_iter(int number, int step);`, with your integers
  for (int i = 0; i < __enzyme_iter(3, 1); i++) product *= x;
  return product;
}

double slope(double x) { return __enzyme_autodiff((void *)power, x); }
