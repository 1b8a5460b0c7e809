// Copies of memory that holds floats, integers and pointers side by side, by all the functions that C has for it.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O0 -mllvm -enzyme-preopt=0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -fno-builtin && %t
// RUN: %{compile} -O2 -D_FORTIFY_SOURCE=2 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#define _GNU_SOURCE
#include "../Inputs/check.h"
#include <string.h>
#include <strings.h>

extern int enzyme_width, enzyme_const, enzyme_dup;
typedef struct { double at[4]; } Four;
double __enzyme_fwddiff(void *, ...);
Four __enzyme_fwddiff_four(void *, ...);

typedef struct {
  int id;
  double value;
  float weight;
  unsigned char flags[4];
  double more[2];
} Mixed;

__attribute__((noinline)) static double use(const Mixed *m) {
  return m->id * m->value + m->weight * m->more[1] + m->flags[2] + 0 * m->more[0];
}

// Over a value that had a tangent goes one that has none.
static double from_constant(Mixed *to, const Mixed *from, double x) {
  to->value = x;
  *to = *from;
  to->more[1] *= x;
  return use(to);
}

static const Mixed preset = {3, 2.5, 1.5f, {1, 2, 3, 4}, {7, 8}};
static double from_table(double x) {
  Mixed m;
  m.value = x;
  memcpy(&m, &preset, sizeof m);
  m.value *= x;
  return use(&m);
}

typedef struct {
  double *place;
  long count;
  double value;
} WithPointer;
static double with_pointer(double x) {
  double target = x * x;
  WithPointer a = {&target, 2, x}, b;
  memmove(&b, &a, sizeof a);
  *b.place += b.value * b.count;
  return target;
}

static double all_functions(double *buffer, double x, int n) {
  double source[8], other[8], *end;
  for (int i = 0; i < 8; i++) source[i] = x * (i + 1);
  size_t bytes = (size_t)n * sizeof *source;
  end = (double *)mempcpy(buffer, source, bytes);
  double sum = end[-1];
  bcopy(source, other, bytes);
  sum += other[n - 1];
  double *same = memmove(buffer + 1, buffer, bytes);
  sum += same[n - 1];
  bzero(other, bytes);
  sum += other[n - 1];
  double *filled = memset(source, 0, bytes);
  sum += filled[0] + filled[n - 1];
  same = memcpy(filled, same, bytes);
  return sum + same[0] * x;
}

int main(void) {
  double x = 1.5;
  Mixed to = {0}, dto = {0}, from = {4, 2, 0.5f, {1, 2, 3, 4}, {5, 6}};
  dto.value = 9;
  dto.more[0] = 9;
  expect(__enzyme_fwddiff((void *)from_constant, &to, &dto, enzyme_const, &from, enzyme_dup, x, 1.0), 0.5 * 6);
  expect(dto.value, 0);
  expect(dto.more[0], 0);
  expect(dto.more[1], 6);
  expect(dto.weight, 0);
  expect(to.id == 4 && dto.id == 4 && dto.flags[2] == 3, 1);

  expect(__enzyme_fwddiff((void *)from_table, x, 1.0), 3 * 2.5);
  expect(__enzyme_fwddiff((void *)with_pointer, x, 1.0), 2 * x + 2);
  Four d = __enzyme_fwddiff_four((void *)with_pointer, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * (2 * x + 2));

  double buffer[9], dbuffer[9];
  for (int n = 2; n <= 8; n += 3) {
    expect(__enzyme_fwddiff((void *)all_functions, buffer, dbuffer, x, 1.0, n), 3 * n + 2 * x);
    expect(dbuffer[n], n);
  }
  return result_of_test();
}
