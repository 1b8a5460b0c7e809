#include <stdio.h>

double through(double x);
double __enzyme_fwddiff(void *, ...);

int main(void) {
  printf("%g %g\n", __enzyme_fwddiff((void *)through, 4.0, 1.0), __enzyme_fwddiff((void *)through, 0.25, 1.0));
  return 0;
}
