// The gradient through memory that realloc moves: arrays that grow and shrink, and tables of pointers.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#define _POSIX_C_SOURCE 200809L

#include "../Inputs/gradient.h"

#include <stdlib.h>

void __enzyme_autodiff(void *, ...);
extern int enzyme_width;

// One more element each time, the last ones changed before the next move.
static double growing(double *x, int n) {
  double *y = NULL, sum = 0;
  for (int i = 0; i < n; i++) {
    y = realloc(y, (i + 1) * sizeof(double));
    y[i] = x[i] * x[i];
    if (i) y[i - 1] *= y[i];
  }
  for (int i = 0; i < n; i++) sum += (i + 1) * y[i] * y[n - 1 - i];
  free(y);
  return sum;
}

static double shrinking(double *x, int n) {
  double *y = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++) y[i] = sin(x[i]);
  for (int i = 0; i < n; i++) sum += y[i] * y[(i + 1) % n];
  y = realloc(y, 2 * sizeof(double));
  sum *= y[0] + y[1];
  y = realloc(y, (n + 2) * sizeof(double));
  for (int i = 2; i < n + 2; i++) y[i] = y[i - 1] * x[i - 2] + y[i - 2];
  sum += y[n + 1];
  free(y);
  return sum;
}

typedef struct {
  double *items;
  int count, room;
} List;

separate static void append(List *list, double item) {
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 1;
    list->items = realloc(list->items, list->room * sizeof(double));
  }
  list->items[list->count++] = item;
}

static double in_a_list(double *x, int n) {
  List list = {0};
  double sum = 0;
  for (int i = 0; i < 3 * n; i++) append(&list, x[i % n] * (i + 1));
  for (int i = 0; i < list.count; i++) sum += list.items[i] * list.items[list.count - 1 - i];
  free(list.items);
  return sum;
}

static double table(double *x, int n) {
  double **rows = NULL, sum = 0;
  for (int i = 0; i < n; i++) {
    rows = realloc(rows, (i + 1) * sizeof *rows);
    rows[i] = malloc(2 * sizeof(double));
    rows[i][0] = x[i];
    rows[i][1] = i ? rows[i - 1][0] * x[i] : 1;
  }
  for (int i = 0; i < n; i++) sum += rows[i][0] * rows[n - 1 - i][1];
  for (int i = 0; i < n; i++) free(rows[i]);
  free(rows);
  return sum;
}

// Memory whose address is put in memory.
static double aligned(double *x, int n) {
  void *place;
  if (posix_memalign(&place, 64, n * sizeof(double))) return 0;
  double *y = place, sum = 0;
  for (int i = 0; i < n; i++) y[i] = exp(0.3 * x[i]);
  for (int i = 0; i < n; i++) sum += y[i] * y[(i + 2) % n];
  free(place);
  return sum;
}

separate static void d_growing(double *x, double *dx, int n) { __enzyme_autodiff((void *)growing, x, dx, n); }
separate static void d_shrinking(double *x, double *dx, int n) { __enzyme_autodiff((void *)shrinking, x, dx, n); }
separate static void d_in_a_list(double *x, double *dx, int n) { __enzyme_autodiff((void *)in_a_list, x, dx, n); }
separate static void d_table(double *x, double *dx, int n) { __enzyme_autodiff((void *)table, x, dx, n); }
separate static void d_aligned(double *x, double *dx, int n) { __enzyme_autodiff((void *)aligned, x, dx, n); }
separate static void d_in_two_directions(double *x, double *dx, int n) {
  double other[SIZE] = {0};
  __enzyme_autodiff((void *)growing, enzyme_width, 2, x, other, dx, n);
  for (int i = 0; i < n; i++) expect(other[i], dx[i]);
}

int main(void) {
  expect_gradient(d_growing, growing);
  expect_gradient(d_shrinking, shrinking);
  expect_gradient(d_in_a_list, in_a_list);
  expect_gradient(d_table, table);
  expect_gradient(d_aligned, aligned);
  expect_gradient(d_in_two_directions, growing);
  return result_of_test();
}
