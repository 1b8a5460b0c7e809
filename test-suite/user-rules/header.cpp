// A rule in a header: every file that includes it registers the rule, and they link.

// REQUIRES: clang
// DEFINE: %{link} = %clang++ %t.other.o %t.main.o -lm -o %t && %t
// RUN: %clang++ %clangEnzyme -O0 -c %s -o %t.main.o && %clang++ %clangEnzyme -O0 -DOTHER -c %s -o %t.other.o && %{link}
// RUN: %clang++ %clangEnzyme -O2 -c %s -o %t.main.o && %clang++ %clangEnzyme -O2 -DOTHER -c %s -o %t.other.o && %{link}

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

template <typename T> struct Both {
  T primal, tangent;
};
template <typename T> T reversed(T x) { return x; }
template <typename T> Both<T> reversed_rule(T x, T dx) { return {x, -dx}; }
void *__enzyme_register_derivative_reversed[] = {(void *)reversed<double>, (void *)reversed_rule<double>};

#ifdef OTHER
double other() { return __enzyme_fwddiff((void *)reversed<double>, 1.0, 1.0); }
#else
double other();
static double through(double x) { return x * reversed(x); }
int main() {
  expect(other(), -1.0);
  expect(__enzyme_fwddiff((void *)through, 3.0, 1.0), 3.0 - 3.0);
  return result_of_test();
}
#endif
