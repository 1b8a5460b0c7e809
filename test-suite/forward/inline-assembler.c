// Assembler that takes no part in a derivative: barriers for the optimiser, and what reads other things; output of C.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width;
__attribute__((noinline)) static double barrier(double x) { double y = x * x; __asm__ volatile("" ::: "memory"); return y * x; }
__attribute__((noinline)) static double keep(double x) { double y = x * x; __asm__ volatile("" : : "g"(y) : "memory"); return y * x; }
__attribute__((noinline)) static double keep2(double x) { double y = x * x; __asm__ volatile("" : "+x"(y) : : ); return y * x; }
__attribute__((noinline)) static double ticks(double x) { unsigned lo, hi; __asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi)); return lo + hi > 0 ? x * x : x; }
__attribute__((noinline)) static double prints(double x) { fprintf(stdout, "%s%.0f", "", 0 * x); putchar('\n'); return x * x; }
int main() {
  double x = 4;
  expect(__enzyme_fwddiff((void *)barrier, x, 1.0), 48);
  expect(__enzyme_fwddiff((void *)keep, x, 1.0), 48);
  expect(__enzyme_fwddiff((void *)keep2, x, 1.0), 48);
  expect(__enzyme_fwddiff((void *)ticks, x, 1.0), 8);
  expect(__enzyme_fwddiff((void *)prints, x, 1.0), 8);
  return result_of_test();
}
