// Memory from the allocators of C: each has a shadow that is allocated, moved and freed with it.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -fno-builtin && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#define _GNU_SOURCE
#include "../Inputs/check.h"
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern int enzyme_width;
typedef struct { double at[4]; } Four;
double __enzyme_fwddiff(void *, ...);
Four __enzyme_fwddiff_four(void *, ...);

// Powers of x in memory that grows as it is filled; the last of them.
__attribute__((noinline)) static double *powers(double x, int n) {
  double *all = NULL;
  int capacity = 0;
  for (int i = 0; i < n; i++) {
    if (i == capacity) {
      capacity = capacity ? 2 * capacity : 1;
      all = realloc(all, (size_t)capacity * sizeof *all);
    }
    all[i] = i ? all[i - 1] * x : 1;
  }
  return all;
}
static double grown(double x, int n) {
  double *all = powers(x, n);
  double last = all[n - 1];
  free(all);
  return last;
}

static double fill(double *p, double x, int n) {
  for (int i = 0; i < n; i++) p[i] = x * (i + 1);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i] * p[i];
  return sum;
}
// x^2 times 1^2 + 2^2 + … + n^2.
static double squares(int n) { return n * (n + 1) * (2 * n + 1) / 6.0; }

static double cleared(double x, int n) {
  double *p = calloc((size_t)n + 1, sizeof *p);
  double sum = fill(p, x, n) + p[n];
  free(p);
  return sum;
}

static double aligned(double x, int n) {
  double *p = aligned_alloc(64, 1024);
  double sum = fill(p, x, n) + (double)((uintptr_t)p % 64);
  free(p);
  return sum;
}

static double through_pointer(double x, int n) {
  void *p;
  if (posix_memalign(&p, 32, (size_t)n * sizeof(double))) return -1;
  double sum = fill(p, x, n);
  free(p);
  return sum;
}

// The alignment is no power of two: it fails, and nothing is touched.
static double refused(double x) {
  void *p = NULL;
  if (posix_memalign(&p, 3, 16)) return 3 * x;
  free(p);
  return x;
}

static double mapped(double x, int n) {
  double *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  double sum = fill(p, x, n) + p[n];
  munmap(p, 4096);
  return sum;
}

static double other_allocators(double x, int n) {
  double *p = memalign(128, 1024), *q = valloc(1024), *r = reallocarray(NULL, (size_t)n, sizeof *r);
  double sum = fill(p, x, n) + fill(q, x, n) + fill(r, x, n);
  r = reallocarray(r, (size_t)n * 2, sizeof *r);
  sum += fill(r, x, n);
  free(p);
  free(q);
  free(r);
  return sum;
}

// A list; its nodes are freed in another order than they are made.
typedef struct Node {
  double value;
  struct Node *next;
} Node;
__attribute__((noinline)) static Node *prepend(Node *list, double value) {
  Node *node = malloc(sizeof *node);
  node->value = value;
  node->next = list;
  return node;
}
static double list(double x, int n) {
  Node *head = NULL;
  for (int i = 1; i <= n; i++) head = prepend(head, i * x * x);
  double sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  return sum;
}

// Memory of the frame whose size is known at run time only, anew in each pass.
static double variable_length(double x, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++) {
    double row[i];
    sum += fill(row, x, i);
  }
  return sum;
}

// Memory that cannot be had is not touched, and neither is its shadow.
__attribute__((noinline)) static double *allocate(size_t size) { return malloc(size); }
static double too_much(double x) {
  double *p = allocate((size_t)-1 / 4);
  if (!p) return 5 * x;
  *p = x;
  x = *p;
  free(p);
  return x;
}

int main(void) {
  double x = 1.25;
  for (int n = 1; n < 20; n += 6) {
    double wanted = 2 * x * squares(n);
    expect(__enzyme_fwddiff((void *)grown, x, 1.0, n), n == 1 ? 0 : (n - 1) * pow(x, n - 2));
    expect(__enzyme_fwddiff((void *)cleared, x, 1.0, n), wanted);
    expect(__enzyme_fwddiff((void *)aligned, x, 1.0, n), wanted);
    expect(__enzyme_fwddiff((void *)through_pointer, x, 1.0, n), wanted);
    expect(__enzyme_fwddiff((void *)mapped, x, 1.0, n), wanted);
    expect(__enzyme_fwddiff((void *)other_allocators, x, 1.0, n), 4 * wanted);
    expect(__enzyme_fwddiff((void *)list, x, 1.0, n), x * n * (n + 1));
    double rows = 0;
    for (int i = 1; i <= n; i++) rows += 2 * x * squares(i);
    expect(__enzyme_fwddiff((void *)variable_length, x, 1.0, n), rows);

    Four d = __enzyme_fwddiff_four((void *)grown, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0, n);
    for (int i = 0; i < 4; i++) expect(d.at[i], n == 1 ? 0 : (i + 1) * (n - 1) * pow(x, n - 2));
    d = __enzyme_fwddiff_four((void *)through_pointer, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0, n);
    for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * wanted);
    d = __enzyme_fwddiff_four((void *)list, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0, n);
    for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * x * n * (n + 1));
  }
  expect(__enzyme_fwddiff((void *)refused, x, 1.0), 3);
  expect(__enzyme_fwddiff((void *)too_much, x, 1.0), 5);
  return result_of_test();
}
