// The header of attributes steps aside where the plugin knows them: what is only declared has them then, too.

// DEFINE: %{build} = %clang -c %S/Inputs/elsewhere.c -o %t.elsewhere.o && %clang -I%include -Wall -Wextra -Werror %s %t.elsewhere.o -lm -o %t
// RUN: %{build} %clangPlugin -DWITH_PLUGIN -O0 && %t
// RUN: %{build} %clangPlugin -DWITH_PLUGIN -O2 && %t
// RUN: %{build} %clangEnzyme -O0 && %t
// RUN: %{build} %clangEnzyme -O2 && %t

#include "../Inputs/check.h"

#include <enzyme/attributes.h>

#if defined WITH_PLUGIN ? defined enzyme_inactive : !defined enzyme_inactive
#error "either the plugin knows the attribute, or the header defines it"
#endif

double __enzyme_fwddiff(void *, ...);

__attribute__((enzyme_inactive)) static double here(double x) { return x * x; }
#ifdef WITH_PLUGIN
__attribute__((enzyme_inactive)) double weight_elsewhere(double x);
#else
double weight_elsewhere(double x);
void *__enzyme_inactivefn_elsewhere[] = {(void *)weight_elsewhere};
#endif
__attribute__((enzyme_function_like("log1p"))) static double logarithm(double x) { return 2 * x; }
__attribute__((enzyme_shouldrecompute)) static double twice(double x) { return 2 * x; }
__attribute__((enzyme_nofree)) static double element(const double *x) { return *x; }
__attribute__((enzyme_notypeanalysis)) static double plain(double x) { return x; }
__attribute__((enzyme_elementwise_read)) static double read(const double *x) { return *x; }

static double f(double x) {
  return here(x) * x + weight_elsewhere(x) * x + logarithm(x) + twice(x) + element(&x) + plain(x) + read(&x);
}

int main(void) {
  double x = 0.5;
  expect(__enzyme_fwddiff((void *)f, x, 1.0), 2 * x * x + 1 / (1 + x) + 5);
  return result_of_test();
}
