// Gradients with respect to an array, against central differences; the memory they leave, against a plain call's.
#ifndef GRADIENT_H
#define GRADIENT_H

#include "check.h"

#include <string.h>

#define separate __attribute__((noinline))

enum { SIZE = 7 };

static const double the_point[SIZE] = {0.7, -1.2, 1.5, 0.3, 2.1, -0.4, 1.1};

typedef double Function(double *x, int n);
typedef void Gradient(double *x, double *dx, int n);

static double at_distance(Function *function, int i, double distance) {
  double x[SIZE];
  memcpy(x, the_point, sizeof x);
  x[i] += distance;
  return function(x, SIZE);
}

// The gradient at `the_point`, and that the derivative leaves in `x` what the function leaves there.
static void compare_gradient(const char *file, int line, const char *what, Function *function, Gradient *gradient) {
  double x[SIZE], plain[SIZE], dx[SIZE] = {0}, step = 1e-5;
  memcpy(x, the_point, sizeof x);
  memcpy(plain, the_point, sizeof plain);
  gradient(x, dx, SIZE);
  function(plain, SIZE);
  for (int i = 0; i < SIZE; i++) {
    char name[80];
    double slope = (at_distance(function, i, step) - at_distance(function, i, -step)) / (2 * step);
    snprintf(name, sizeof name, "%s for x[%d]", what, i);
    compare(file, line, name, dx[i], slope, 1e-7);
    snprintf(name, sizeof name, "x[%d] after %s", i, what);
    compare(file, line, name, x[i], plain[i], 1e-13);
  }
}

#define expect_gradient(gradient, function) compare_gradient(__FILE__, __LINE__, #gradient, function, gradient)

#endif
