// Activity that is decided when the derivative runs: a pointer that is its own shadow leads to inactive memory, which the
// derivative leaves as the program left it.

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

double __enzyme_fwddiff(void *, ...);
int enzyme_runtime_activity, enzyme_dup, enzyme_const, enzyme_width;

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
static double weighted(Data *data) {
  double sum = 0;
  for (int i = 0; i < data->count; i++) data->scratch[i] = data->weights[i] * data->values[i];
  for (int i = 0; i < data->count; i++) sum += data->scratch[i] * data->values[i];
  return sum;
}

static void fields_that_are_their_own_shadows(void) {
  double values[3] = {1, 2, 3}, tangents[3] = {0.5, -1, 2}, weights[3] = {2, 3, 4}, scratch[3], scratched[3] = {0};
  Data data = {values, weights, scratch, 3};
  Data shadow = {tangents, weights, scratched, 3};
  double expected = 0;
  for (int i = 0; i < 3; i++) expected += 2 * weights[i] * values[i] * tangents[i];
  expect(__enzyme_fwddiff((void *)weighted, WANTED enzyme_dup, &data, &shadow), expected);
  for (int i = 0; i < 3; i++) {
    expect(weights[i], i + 2.0);
    expect(scratch[i], weights[i] * values[i]);
    expect(scratched[i], weights[i] * tangents[i]);
  }

  // Now nothing that goes through `scratch` has a tangent, and what the program wrote there stays.
  shadow.scratch = scratch;
  expected = 0;
  for (int i = 0; i < 3; i++) expected += weights[i] * values[i] * tangents[i];
  expect(__enzyme_fwddiff((void *)weighted, WANTED enzyme_dup, &data, &shadow), expected);
  for (int i = 0; i < 3; i++) expect(scratch[i], weights[i] * values[i]);
}

// One of two arrays, only one of which has a shadow.
static double chosen(double *active, double *constant, int which) {
  double *from = which ? active : constant;
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += from[i] * from[i];
  return sum;
}

static void pointers_with_and_without_a_shadow(void) {
  double active[3] = {1, 2, 3}, tangents[3] = {1, 1, 1}, constant[3] = {4, 5, 6};
  expect(__enzyme_fwddiff((void *)chosen, WANTED enzyme_dup, active, tangents, enzyme_const, constant, 1), 12.0);
  expect(__enzyme_fwddiff((void *)chosen, WANTED enzyme_dup, active, tangents, enzyme_const, constant, 0), 0.0);
}

// Copies a row, doubles the copy and clears the row.
static double moved(double **rows, int count) {
  memcpy(rows[1], rows[0], count * sizeof(double));
  memset(rows[0], 0, count * sizeof(double));
  double sum = 0;
  for (int i = 0; i < count; i++) sum += rows[1][i] * 2;
  free(rows[1]);
  return sum;
}

static void copies_fills_and_frees(void) {
  // What is copied from has no tangents, what is copied to has.
  double first[2] = {1, 2}, tangents[2] = {3, 4};
  double *rows[2] = {first, malloc(2 * sizeof(double))};
  double *shadows[2] = {first, malloc(2 * sizeof(double))};
  shadows[1][0] = shadows[1][1] = 7;
  expect(__enzyme_fwddiff((void *)moved, WANTED enzyme_dup, rows, shadows, enzyme_const, 2), 0.0);
  expect(first[0] + first[1], 0.0);

  // The other way round: what is copied to has none, and is freed once.
  first[0] = 1;
  first[1] = 2;
  rows[1] = malloc(2 * sizeof(double));
  shadows[0] = tangents;
  shadows[1] = rows[1];
  expect(__enzyme_fwddiff((void *)moved, WANTED enzyme_dup, rows, shadows, enzyme_const, 2), 0.0);
  expect(tangents[0] + tangents[1], 0.0);
}

int main(void) {
  fields_that_are_their_own_shadows();
  pointers_with_and_without_a_shadow();
  copies_fills_and_frees();
  return result_of_test();
}
