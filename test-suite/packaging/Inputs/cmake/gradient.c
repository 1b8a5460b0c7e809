#include <math.h>
#include <stdio.h>

double __enzyme_autodiff(void *, double);

static double f(double x) {
  return x * sin(x);
}

int main(void) {
  printf("%.6f\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
