// The gradient through memory from malloc and calloc, freed by the function: arrays, rows, linked lists.

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

typedef struct Node Node;

struct Node {
  double value;
  Node *next;
};

static double array(double *x, int n) {
  double *squares = malloc(n * sizeof(double)), sum = 0;
  for (int i = 0; i < n; i++) squares[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) sum += squares[i] * x[n - 1 - i];
  free(squares);
  return sum;
}

static double zeroed(double *x, int n) {
  double *sums = calloc(n, sizeof(double)), sum = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < n; i++) sums[i] += x[i] * x[(i + k) % n];
  for (int i = 0; i < n; i++) sum += sums[i] * sums[i];
  free(sums);
  return sum;
}

static double rows(double *x, int n) {
  double **row = malloc(n * sizeof(double *)), sum = 0;
  for (int i = 0; i < n; i++) {
    row[i] = malloc(2 * sizeof(double));
    row[i][0] = x[i];
    row[i][1] = sin(x[i]);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) sum += row[i][0] * row[j][1];
  for (int i = 0; i < n; i++) free(row[i]);
  free(row);
  return sum;
}

static double list(double *x, int n) {
  Node *head = NULL;
  for (int i = 0; i < n; i++) {
    Node *node = malloc(sizeof *node);
    node->value = x[i] * x[i];
    node->next = head;
    head = node;
  }
  double r = 1;
  for (Node *node = head; node; node = node->next) r = 0.9 * r + node->value * r;
  while (head) {
    Node *next = head->next;
    free(head);
    head = next;
  }
  return r;
}

static double in_each_iteration(double *x, int n) {
  double r = 1;
  for (int i = 1; i <= n; i++) {
    double *powers = malloc(i * sizeof(double));
    powers[0] = r;
    for (int j = 1; j < i; j++) powers[j] = powers[j - 1] * x[j];
    r = 0.5 * r + 0.25 * powers[i - 1] + x[i - 1];
    free(powers);
  }
  return r;
}

separate static double *made(double *x, int n) {
  double *sines = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) sines[i] = sin(x[i]);
  return sines;
}

static double made_elsewhere(double *x, int n) {
  double *sines = made(x, n), sum = 0;
  for (int i = 0; i < n; i++) sum += sines[i] * sines[i] * x[i];
  free(sines);
  return sum;
}

separate static void d_array(double *x, double *dx, int n) { __enzyme_autodiff((void *)array, x, dx, n); }
separate static void d_zeroed(double *x, double *dx, int n) { __enzyme_autodiff((void *)zeroed, x, dx, n); }
separate static void d_rows(double *x, double *dx, int n) { __enzyme_autodiff((void *)rows, x, dx, n); }
separate static void d_list(double *x, double *dx, int n) { __enzyme_autodiff((void *)list, x, dx, n); }
separate static void d_in_each_iteration(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)in_each_iteration, x, dx, n);
}
separate static void d_made_elsewhere(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)made_elsewhere, x, dx, n);
}

int main(void) {
  expect_gradient(d_array, array);
  expect_gradient(d_zeroed, zeroed);
  expect_gradient(d_rows, rows);
  expect_gradient(d_list, list);
  expect_gradient(d_in_each_iteration, in_each_iteration);
  expect_gradient(d_made_elsewhere, made_elsewhere);

  double x[3] = {2, 3, 5}, dx[3] = {0};
  d_array(x, dx, 3); // x[0]^2 x[2] + x[1]^3 + x[2]^2 x[0]
  expect(dx[0], 45);
  expect(dx[1], 27);
  expect(dx[2], 24);
  return result_of_test();
}
