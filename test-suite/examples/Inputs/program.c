#include <stdio.h>

double f(double x);
double __enzyme_autodiff(void *function, double x);

int main(void) {
  printf("f(2) = %f\n", f(2.0));
  printf("f'(2) = %f\n", __enzyme_autodiff((void *)f, 2.0));
  return 0;
}
