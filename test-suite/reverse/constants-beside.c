// Pointers without a derivative beside others: null, and constant data whose address a function that is not inlined has
// put in a structure.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include <stdlib.h>

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);
extern int enzyme_const;
double __enzyme_fwddiff(void *, ...);

separate static void weigh(double *out, const double *in, const double *weights, int n) {
  const double *factors = weights ? weights : in;
  for (int i = 0; i < n; i++) out[i] = in[i] * factors[i];
}

// Without weights, the factors are the numbers themselves.
static double with_and_without(double *x, int n) {
  double squares[SIZE], cubes[SIZE], sum = 0;
  weigh(squares, x, NULL, n);
  weigh(cubes, squares, x, n);
  for (int i = 0; i < n; i++) sum += (i + 1) * cubes[i];
  return sum;
}

typedef struct {
  const double **rows;
  int count;
} Table;

separate static void point_into(Table *table, const double *data, int n) {
  table->rows = malloc((n + 1) * sizeof *table->rows);
  table->count = n + 1;
  for (int i = 0; i <= n; i++) table->rows[i] = &data[i];
}

separate static void add_products(double *to, const double *x, const double *row, int n) {
  for (int i = 0; i < n; i++) *to += x[i] * row[i] * x[i];
}

static const double constants[2 * SIZE] = {0.5, -1, 2, 3, -0.25, 1.5, 0.75, -2, 1, 0.125, 4, -3, 2.5, 0.25};

// The data have no shadow, nor have the rows of the table.
static double with_table(double *x, const double *data, int n) {
  Table table;
  point_into(&table, data, n);
  double sum = 0;
  for (int i = 0; i < table.count; i++) add_products(&sum, x, table.rows[i], n);
  free(table.rows);
  return sum;
}

static double with_constants(double *x, int n) { return with_table(x, constants, n); }

separate static void d_with_and_without(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)with_and_without, x, dx, n);
}
separate static void d_with_constants(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)with_constants, x, dx, n);
}
separate static void d_with_data(double *x, double *dx, int n) {
  double data[2 * SIZE];
  memcpy(data, constants, sizeof data);
  __enzyme_autodiff((void *)with_table, x, dx, enzyme_const, data, n);
}

int main(void) {
  expect_gradient(d_with_and_without, with_and_without);
  expect_gradient(d_with_constants, with_constants);
  expect_gradient(d_with_data, with_constants);

  double x[SIZE], dx[SIZE] = {0, 0, 1}, data[2 * SIZE], expected = 0;
  memcpy(x, the_point, sizeof x);
  memcpy(data, constants, sizeof data);
  for (int row = 0; row <= SIZE; row++) expected += 2 * x[2] * data[row + 2];
  expect(__enzyme_fwddiff((void *)with_table, x, dx, enzyme_const, data, SIZE), expected);
  double squared = __enzyme_fwddiff((void *)with_and_without, x, dx, SIZE);
  expect(squared, 3 * 3 * x[2] * x[2]);
  return result_of_test();
}
