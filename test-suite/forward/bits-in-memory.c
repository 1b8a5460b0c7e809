// Floats that are written and copied as integers: what is a constant has no tangent, what is an integer stays.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdint.h>
#include <string.h>

void __enzyme_fwddiff(void *, ...);
extern int enzyme_const;

typedef struct {
  double value;
  uint64_t count;
} Record;

// The bits of 1.5, written as a number over a variable that had a tangent.
static void overwrite(double *x) {
  uint64_t bits = 0x3ff8000000000000ull;
  x[1] = x[0] * x[0];
  memcpy(&x[0], &bits, 8);
}

// The same number, as a count beside a value.
static void count(Record *r) {
  r->value = 2 * r->value;
  if (r->count < 10) r->value += 1;
  r->count = 0x3ff8000000000000ull;
}

// All bits set: no number, and no tangent either.
static void fill(double *x, int n) {
  double first = x[0];
  memset(x, 0xff, (unsigned long)n * sizeof *x);
  x[1] = 3 * first;
}

// Floats from memory without a shadow.
static void load(double *to, const double *from, int n) {
  double s = to[0];
  memcpy(to, from, (unsigned long)n * sizeof *to);
  to[n - 1] *= s;
}

// Byte by byte: none of the bytes is a number.
static void bytes(double *to, const double *from) {
  const volatile unsigned char *source = (const volatile unsigned char *)from;
  volatile unsigned char *target = (volatile unsigned char *)to;
  for (unsigned i = 0; i < sizeof *to; i++) target[i] = source[i];
}

int main(void) {
  double x[2] = {3, 0}, dx[2] = {1, 0};
  __enzyme_fwddiff((void *)overwrite, x, dx);
  expect(x[0], 1.5);
  expect(dx[0], 0);
  expect(dx[1], 6);

  Record r = {3, 4}, dr = {1, 4};
  __enzyme_fwddiff((void *)count, &r, &dr);
  expect(r.value, 7);
  expect(dr.value, 2);
  expect((double)(r.count == 0x3ff8000000000000ull), 1);
  expect((double)(dr.count == r.count), 1);

  double y[3] = {2, 3, 4}, dy[3] = {1, 1, 1};
  __enzyme_fwddiff((void *)fill, y, dy, 3);
  expect(dy[0], 0);
  expect(dy[1], 3);
  expect(dy[2], 0);

  double from[2] = {5, 7}, to[2] = {2, 1}, dto[2] = {1, 1};
  __enzyme_fwddiff((void *)load, to, dto, enzyme_const, from, 2);
  expect(to[1], 14);
  expect(dto[0], 0);
  expect(dto[1], 7);

  double source[1] = {1.25}, dsource[1] = {0.5}, target[1] = {0}, dtarget[1] = {0};
  __enzyme_fwddiff((void *)bytes, target, dtarget, source, dsource);
  expect(target[0], 1.25);
  expect(dtarget[0], 0.5);
  return result_of_test();
}
