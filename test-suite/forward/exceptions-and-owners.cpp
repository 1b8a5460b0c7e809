// C++: exceptions of the standard library through derivatives, caught inside and outside; owners of memory that are
// destroyed on the way; `std::vector` and smart pointers.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdexcept>
#include <vector>
#include <memory>
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width;
struct Owner { double *p; Owner(double x) : p(new double(x)) {} ~Owner() { delete p; } };
static int destroyed;
struct Counted { ~Counted() { destroyed++; } };
__attribute__((noinline)) static double checked_sqrt(double x) { if (x < 0) throw std::domain_error("negative"); return sqrt(x); }
__attribute__((noinline)) static double with_cleanup(double x) { Counted c; Owner o(x * x); return checked_sqrt(x) * *o.p; }
__attribute__((noinline)) static double caught(double x) {
  try { return with_cleanup(x); } catch (const std::domain_error &) { return with_cleanup(-x) * 2; }
}
__attribute__((noinline)) static double rethrown(double x) {
  try { return with_cleanup(x); } catch (...) { destroyed += 100; throw; }
}
__attribute__((noinline)) static double vec(double x) { std::vector<double> v(3, x); v.push_back(x * x); double s = 0; for (double d : v) s += d; return s; }
static double uniq(double x) { auto p = std::make_unique<double>(x); auto q = std::make_shared<double>(x * x); return *p * *q; }
int main() {
  double x = 4;
  expect(__enzyme_fwddiff((void *)caught, x, 1.0), 2.5 * pow(x, 1.5));
  expect(destroyed, 1);
  expect(__enzyme_fwddiff((void *)caught, -x, 1.0), -5 * pow(x, 1.5));
  expect(destroyed, 3);
  try { __enzyme_fwddiff((void *)rethrown, -x, 1.0); expect(0, 1); } catch (const std::exception &e) { destroyed += 1000; }
  expect(destroyed, 1104);
  expect(__enzyme_fwddiff((void *)vec, x, 1.0), 3 + 2 * x);
  expect(__enzyme_fwddiff((void *)uniq, x, 1.0), 3 * x * x);
  return result_of_test();
}
