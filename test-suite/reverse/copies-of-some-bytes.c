// The gradient through copies of structures of which only the running program says how many bytes are copied.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

#include <stddef.h>

void __enzyme_autodiff(void *, ...);

typedef struct {
  char name[16];
  double value;
} Labelled;

typedef struct {
  double scale;
  int power;
  float offset;
  double values[2];
} Model;

volatile size_t name_length = 7, up_to_power = offsetof(Model, offset), up_to_first = offsetof(Model, values[1]);

separate static double labelled(double *x, int n) {
  Labelled from, to = {"another name", 0};
  memcpy(from.name, "a name", 7);
  from.value = x[0] * x[1];
  to.value = x[2];
  memcpy(to.name, from.name, name_length);
  int letters = 0;
  for (int i = 0; i < 16; i++) letters += to.name[i] == 'n' || to.name[i] == 'a';
  return from.value * to.value * letters + x[n - 1];
}

separate static double partial(double *x, int n) {
  Model from = {x[0], 3, (float)0.5, {x[1], x[2]}}, to = {x[3], 2, (float)0.25, {x[4], x[5 % n]}};
  memcpy(&to, &from, n > 3 ? up_to_power : 0);
  double first = to.scale * to.power + to.offset * to.values[0] * to.values[1];
  memcpy(&to, &from, n > 3 ? up_to_first : 0);
  return first * (to.scale * to.power + to.offset * to.values[0] * to.values[1]);
}

separate static void d_labelled(double *x, double *dx, int n) { __enzyme_autodiff((void *)labelled, x, dx, n); }
separate static void d_partial(double *x, double *dx, int n) { __enzyme_autodiff((void *)partial, x, dx, n); }

int main(void) {
  expect_gradient(d_labelled, labelled);
  expect_gradient(d_partial, partial);
  return result_of_test();
}
