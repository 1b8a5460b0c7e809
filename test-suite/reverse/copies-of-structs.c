// The gradient through copies of structures with floats, pointers and integers side by side.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

#include <stdlib.h>

void __enzyme_autodiff(void *, ...);

typedef struct {
  double *values;
  double scale;
  int count;
  float offset;
  double weights[3];
} Model;

separate static void begin(Model *model, double *x, int n) {
  model->values = x;
  model->scale = x[0];
  model->count = n;
  model->offset = (float)(x[1] * 0.5);
  for (int i = 0; i < 3; i++) model->weights[i] = x[i] * x[i + 1];
}

separate static double evaluate(const Model *model) {
  double sum = model->offset;
  for (int i = 0; i < model->count; i++) sum += model->scale * model->values[i] * model->weights[i % 3];
  return sum;
}

// To the heap and back, changed on the way.
static double there_and_back(double *x, int n) {
  Model local, *copy = malloc(sizeof *copy);
  begin(&local, x, n);
  *copy = local;
  copy->scale *= 3;
  copy->offset = 0;
  double result = evaluate(&local) + evaluate(copy);
  memcpy(&local, copy, sizeof local);
  result += local.scale * local.weights[1] * evaluate(&local);
  free(copy);
  return result;
}

typedef struct {
  double value;
  long key;
} Pair;

static double reversed(double *x, int n) {
  Pair pairs[SIZE];
  double sum = 0;
  for (int i = 0; i < n; i++) {
    pairs[i].value = sin(x[i]);
    pairs[i].key = 3 * i + 1;
  }
  for (int i = 0; i < n / 2; i++) {
    Pair old = pairs[i];
    pairs[i] = pairs[n - 1 - i];
    pairs[n - 1 - i] = old;
  }
  for (int i = 0; i < n; i++) sum += pairs[i].value * pairs[i].value * pairs[i].key * (i + 1);
  return sum;
}

separate static void d_there_and_back(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)there_and_back, x, dx, n);
}
separate static void d_reversed(double *x, double *dx, int n) { __enzyme_autodiff((void *)reversed, x, dx, n); }

int main(void) {
  // A float has fewer digits than the step of the difference needs: its part is linear, and taken out.
  double x[SIZE], dx[SIZE] = {0};
  memcpy(x, the_point, sizeof x);
  d_there_and_back(x, dx, SIZE);
  for (int i = 0; i < SIZE; i++) {
    double step = 1e-3;
    double far = at_distance(there_and_back, i, 2 * step) - at_distance(there_and_back, i, -2 * step);
    double near = at_distance(there_and_back, i, step) - at_distance(there_and_back, i, -step);
    expect_near(dx[i], (8 * near - far) / (12 * step), 2e-4);
  }
  expect_gradient(d_reversed, reversed);
  return result_of_test();
}
