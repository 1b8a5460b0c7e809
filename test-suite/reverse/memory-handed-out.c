// Memory that a function makes, fills with constants and hands out has a shadow: derivatives go through it later. So has
// memory from an allocator behind a pointer.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

#define NOINLINE __attribute__((noinline))

typedef struct {
  long count;
  double *data;
} Vector;

static int made;

NOINLINE static double *twos(long count) {
  made++;
  double *data = malloc(count * sizeof *data);
  for (long i = 0; i < count; i++) data[i] = 2;
  return data;
}

NOINLINE static void fill(Vector *vector, long count) {
  made++;
  vector->count = count;
  vector->data = twos(count);
}

NOINLINE static Vector *boxed(long count) {
  made++;
  Vector *vector = malloc(sizeof *vector);
  fill(vector, count);
  return vector;
}

struct {
  int calls;
  void *(*allocate)(size_t);
} allocator = {0, malloc};

NOINLINE static void *allocate(size_t size) { return allocator.allocate(size); }

// count * (2 x^2)^2, over neighbours, so that the optimiser does not see through the memory.
static double use(double *data, long count, double x) {
  double sum = 0;
  for (long i = 0; i < count; i++) data[i] *= x * x;
  for (long i = 0; i < count; i++) sum += data[i] * data[(i + 1) % count];
  return sum;
}

static double returned(double x) {
  double *data = twos(3), sum = use(data, 3, x);
  free(data);
  return sum;
}

static double through_argument(double x) {
  Vector vector;
  fill(&vector, 3);
  double sum = use(vector.data, vector.count, x);
  free(vector.data);
  return sum;
}

static double in_a_box(double x) {
  Vector *vector = boxed(3);
  double sum = use(vector->data, vector->count, x);
  free(vector->data);
  free(vector);
  return sum;
}

static double allocated_through_pointer(double x) {
  double *data = allocate(3 * sizeof *data), sum;
  for (int i = 0; i < 3; i++) data[i] = 2;
  sum = use(data, 3, x);
  free(data);
  return sum;
}

#define CHECK(function)                                                       \
  do {                                                                        \
    expect(__enzyme_autodiff((void *)function, 1.5), 48 * 1.5 * 1.5 * 1.5);   \
    expect(__enzyme_fwddiff((void *)function, 1.5, 1.0), 48 * 1.5 * 1.5 * 1.5); \
  } while (0)

int main(void) {
  // The second time, memory has been used before.
  for (int again = 0; again < 2; again++) {
    CHECK(returned);
    CHECK(through_argument);
    CHECK(in_a_box);
    CHECK(allocated_through_pointer);
  }
  return result_of_test();
}
