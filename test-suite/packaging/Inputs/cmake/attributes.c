#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, double);

__attribute__((enzyme_inactive)) double weight(double x) { return x; }
static double f(double x) { return weight(x) * sin(x); }

int main(void) {
  printf("%.6f\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
