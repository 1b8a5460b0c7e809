// Activity that is decided when the gradient runs: a pointer that is its own shadow leads to inactive memory, which the
// reverse sweep leaves as the program left it.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// DEFINE: %{option} = -DOPTION -mllvm -enzyme-runtime-activity
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O0 %{option} && %t
// RUN: %{compile} -O2 %{option} && %t

#include "../Inputs/check.h"
#include <stdlib.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
int enzyme_runtime_activity, enzyme_dup, enzyme_const;

#ifdef OPTION
#define WANTED
#else
#define WANTED enzyme_runtime_activity,
#endif

typedef struct {
  double *values;
  double *weights;
  double *scratch;
  int count;
} Data;

// The sum of weights[i] * values[i] squared, by way of `scratch`.
__attribute__((noinline)) static double weighted(Data *data) {
  double sum = 0;
  for (int i = 0; i < data->count; i++) data->scratch[i] = data->weights[i] * data->values[i];
  for (int i = 0; i < data->count; i++) sum += data->scratch[i] * data->values[i];
  return sum;
}

// The same with a call between.
static double called(Data *data) { return 2 * weighted(data); }

static void fields_that_are_their_own_shadows(void) {
  double values[3] = {1, 2, 3}, adjoints[3] = {0}, weights[3] = {2, 3, 4}, scratch[3], scratched[3] = {0};
  Data data = {values, weights, scratch, 3};
  Data shadow = {adjoints, weights, scratched, 3};
  __enzyme_autodiff((void *)weighted, WANTED enzyme_dup, &data, &shadow);
  __enzyme_autodiff((void *)called, WANTED enzyme_dup, &data, &shadow);
  for (int i = 0; i < 3; i++) {
    expect(adjoints[i], 3 * 2 * weights[i] * values[i]);
    expect(weights[i], i + 2.0);
    expect(scratch[i], weights[i] * values[i]);
    expect(scratched[i], 0.0);
  }

  // Now nothing that goes through `scratch` has an adjoint, and what the program wrote there stays.
  shadow.scratch = scratch;
  memset(adjoints, 0, sizeof adjoints);
  __enzyme_autodiff((void *)weighted, WANTED enzyme_dup, &data, &shadow);
  for (int i = 0; i < 3; i++) {
    expect(adjoints[i], weights[i] * values[i]);
    expect(scratch[i], weights[i] * values[i]);
  }
}

// One of two arrays, only one of which has a shadow.
static double chosen(double *active, double *constant, int which) {
  double *from = which ? active : constant;
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += from[i] * from[i];
  return sum;
}

static void pointers_with_and_without_a_shadow(void) {
  double active[3] = {1, 2, 3}, adjoints[3] = {0}, constant[3] = {4, 5, 6};
  __enzyme_autodiff((void *)chosen, WANTED enzyme_dup, active, adjoints, enzyme_const, constant, 1);
  for (int i = 0; i < 3; i++) expect(adjoints[i], 2 * active[i]);
  __enzyme_autodiff((void *)chosen, WANTED enzyme_dup, active, adjoints, enzyme_const, constant, 0);
  for (int i = 0; i < 3; i++) {
    expect(adjoints[i], 2 * active[i]);
    expect(constant[i], i + 4.0);
  }
}

// Copies a row, uses the copy, clears the row, and frees the copy.
static double moved(double **rows, int count) {
  memcpy(rows[1], rows[0], count * sizeof(double));
  memset(rows[0], 0, count * sizeof(double));
  double sum = 0;
  for (int i = 0; i < count; i++) sum += rows[1][i] * 2;
  free(rows[1]);
  return sum;
}

static void copies_fills_and_frees(void) {
  // What is copied from has no adjoints, what is copied to has.
  double first[2] = {1, 2}, adjoints[2] = {3, 4};
  double *rows[2] = {first, malloc(2 * sizeof(double))};
  double *shadows[2] = {first, calloc(2, sizeof(double))};
  __enzyme_autodiff((void *)moved, WANTED enzyme_dup, rows, shadows, enzyme_const, 2);
  expect(first[0] + first[1], 0.0);

  // The other way round: what is copied to has none, and is freed once; the row's adjoints end where it is cleared.
  first[0] = 1;
  first[1] = 2;
  rows[1] = malloc(2 * sizeof(double));
  shadows[0] = adjoints;
  shadows[1] = rows[1];
  __enzyme_autodiff((void *)moved, WANTED enzyme_dup, rows, shadows, enzyme_const, 2);
  expect(adjoints[0], 0.0);
  expect(adjoints[1], 0.0);

  // Both have them.
  first[0] = 1;
  first[1] = 2;
  rows[1] = malloc(2 * sizeof(double));
  shadows[1] = calloc(2, sizeof(double));
  __enzyme_autodiff((void *)moved, WANTED enzyme_dup, rows, shadows, enzyme_const, 2);
  expect(adjoints[0], 2.0);
  expect(adjoints[1], 2.0);
}

int main(void) {
  fields_that_are_their_own_shadows();
  pointers_with_and_without_a_shadow();
  copies_fills_and_frees();
  return result_of_test();
}
