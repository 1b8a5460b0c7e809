// like EnzymeAD/Enzyme#3165
// A sum of powers with an exponential as base, in double and in float.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "Inputs/modes.h"

double __enzyme_fwddiff(void *, ...);

static double f(const double *x) {
  double s = exp(x[0]), out = 0;
  for (int i = 0; i < 4; i++) out += pow(s, x[i]);
  return out;
}

static float in_float(const float *x) {
  float s = expf(x[0]), out = 0;
  for (int i = 0; i < 4; i++) out += powf(s, x[i]);
  return out;
}

float __enzyme_fwddiff_float(void *, const float *, float *);
typedef struct {
  float at[4];
} Floats;
Floats __enzyme_fwddiff_floats(void *, ...);

#define ARGUMENTS(OF) enzyme_dup, x, OF(dx)

int main(void) {
  double x[4] = {0.3, -0.5, 1.1, 0.7}, all[4];
  float y[4] = {0.3f, -0.5f, 1.1f, 0.7f};
  for (int k = 0; k < 4; k++) {
    double dx[4] = {0}, wanted = 0;
    float dy[4] = {0};
    dx[k] = 1;
    dy[k] = 1;
    // The sum of exp(x0 xi).
    if (k == 0)
      for (int i = 0; i < 4; i++) wanted += (i == 0 ? 2 : 1) * x[i] * exp(x[0] * x[i]);
    else
      wanted = x[0] * exp(x[0] * x[k]);
    expect(__enzyme_fwddiff((void *)f, x, dx), wanted);
    expect_near(__enzyme_fwddiff_float((void *)in_float, y, dy), wanted, 1e-5);
    all[k] = wanted;
  }
  for (int k = 0; k < 4; k++) {
    UNITS(directions, 4, k);
    expect_units(__enzyme_fwddiff_four((void *)f, enzyme_width, 4, enzyme_dup, x, ALL(directions)), all, 4, k);
    float in_floats[4][4];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) in_floats[i][j] = (float)directions[i][j];
    Floats floats = __enzyme_fwddiff_floats((void *)in_float, enzyme_width, 4, enzyme_dup, y, ALL(in_floats));
    for (int i = 0; i < 4; i++) expect_near(floats.at[i], all[(k + i) % 4], 1e-5);
  }
  double dx[4][4] = {{0}};
  expect_gradients(f, ARGUMENTS, dx, all);
  return result_of_test();
}
