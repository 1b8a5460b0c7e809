// Local memory in several directions: its shadows lie side by side where every access is known, and apart where not. The
// shadows that the caller lays out at equal distances are reached from the first. Each direction against itself alone.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdlib.h>
#include <string.h>

int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_width;
void __enzyme_fwddiff(void *, ...);

enum { INPUTS = 12, OUTPUTS = 12 };
typedef struct {
  double x[INPUTS];
} Input;
typedef struct {
  double y[OUTPUTS];
} Output;

// Arrays that are filled, read at computed places, and copied to and from the caller's memory.
static void arrays(const Input *in, int n, Output *out) {
  double work[INPUTS], copy[INPUTS], result[OUTPUTS];
  memcpy(work, in->x, sizeof work);
  for (int step = 0; step < n; step++) {
    for (int i = 0; i < INPUTS; i++) copy[i] = work[i] * work[(i + 1) % INPUTS] + 0.25 * work[(i + 5) % INPUTS];
    memmove(copy + 1, copy, 7 * sizeof(double));
    memcpy(work, copy, sizeof work);
  }
  memset(result, 0, sizeof result);
  for (int i = 0; i < n; i++) result[(3 * i) % OUTPUTS] += sin(work[i]);
  memcpy(out->y, result, sizeof result);
}

// One of two arrays, chosen as the program runs; and a pointer that moves on, forwards and from behind an end.
static void chosen(const Input *in, int n, Output *out) {
  double even[INPUTS], odd[INPUTS];
  for (int i = 0; i < INPUTS; i++) {
    even[i] = in->x[i] * in->x[0];
    odd[i] = cos(in->x[i]);
  }
  double *from_one = even - 1;
  for (int i = 0; i < OUTPUTS; i++) {
    double *which = (i * n) % 3 ? even : odd;
    double *end = which + INPUTS, sum = 0;
    for (double *at = which + i; at != end; at++) sum += *at;
    out->y[i] = sum * from_one[1 + i];
    which[i] = in->x[i] * out->y[i];
  }
  for (int i = 0; i < OUTPUTS; i++) out->y[i] += even[i] - odd[i];
}

// Floats of two sizes in one object, and each in one of its own.
static void sizes(const Input *in, int n, Output *out) {
  struct {
    float narrow[4];
    double wide[6];
    int count;
  } mixed;
  float narrow[INPUTS];
  for (int i = 0; i < 4; i++) mixed.narrow[i] = (float)in->x[i];
  for (int i = 0; i < 6; i++) mixed.wide[i] = in->x[i] * in->x[i + 6];
  mixed.count = n;
  for (int i = 0; i < INPUTS; i++) narrow[i] = (float)(in->x[i] * mixed.wide[(i * n) % 6]);
  for (int i = 0; i < OUTPUTS; i++)
    out->y[i] = narrow[(i * n) % INPUTS] * mixed.narrow[(i + mixed.count) % 4] + mixed.wide[(i * n) % 6];
}

// Pointers in local memory: which of the arrays they lead to is not known.
static void pointers(const Input *in, int n, Output *out) {
  double first[4], second[4];
  double *rows[2] = {first, second};
  for (int i = 0; i < 4; i++) {
    rows[(i * n) % 2][i] = in->x[i] * in->x[i + 4];
    rows[(i * n + 1) % 2][i] = in->x[i + 8];
  }
  for (int i = 0; i < OUTPUTS; i++) out->y[i] = rows[(i + n) % 2][i % 4] * in->x[i];
}

// The address of local memory leaves the function.
__attribute__((noinline)) static void scale(double *values, int n, double by) {
  for (int i = 0; i < n; i++) values[i] *= by;
}

static void handed(const Input *in, int n, Output *out) {
  double work[INPUTS];
  for (int i = 0; i < INPUTS; i++) work[i] = in->x[i] + in->x[(i * n) % INPUTS];
  scale(work, INPUTS, in->x[1]);
  for (int i = 0; i < OUTPUTS; i++) out->y[i] = work[(i * n) % INPUTS] * in->x[i];
}

// The caller's memory goes on to a function that calls itself.
static double tree(const double *values, int low, int high) {
  if (high - low == 1) return values[low];
  int middle = (low + high) / 2;
  return tree(values, low, middle) * sin(tree(values, middle, high)) + values[low];
}

static void recursive(const Input *in, int n, Output *out) {
  for (int i = 0; i < OUTPUTS; i++) out->y[i] = tree(in->x, i * n % 3, INPUTS) * in->x[i];
}

// Memory of a loop's own.
static void variable(const Input *in, int n, Output *out) {
  for (int i = 0; i < OUTPUTS; i++) {
    double work[n + i];
    for (int j = 0; j < n + i; j++) work[j] = in->x[(i + j) % INPUTS];
    double product = 1;
    for (int j = 0; j < n + i; j++) product *= work[(j * j) % (n + i)];
    out->y[i] = product;
  }
}

// The caller's memory or the function's own.
static void either(const Input *in, int n, Output *out) {
  double own[INPUTS];
  for (int i = 0; i < INPUTS; i++) own[i] = exp(in->x[i]);
  for (int i = 0; i < OUTPUTS; i++) {
    const double *from = (i * n) % 2 ? own : in->x;
    out->y[i] = from[(i * n) % INPUTS] * from[i];
  }
}

static Input in;
static Input din[7];

#define CHECK(function, width)                                                                                       \
  do {                                                                                                               \
    Output out, alone, douts[width], dalone;                                                                         \
    memset(douts, 0, sizeof douts);                                                                                  \
    __enzyme_fwddiff((void *)function, enzyme_width, width, enzyme_dupv, sizeof(Input), &in, din, enzyme_const, 5,   \
                     enzyme_dupv, sizeof(Output), &out, douts);                                                      \
    for (int d = 0; d < width; d++) {                                                                                \
      memset(&dalone, 0, sizeof dalone);                                                                             \
      __enzyme_fwddiff((void *)function, enzyme_dup, &in, &din[d], enzyme_const, 5, enzyme_dup, &alone, &dalone);    \
      for (int i = 0; i < OUTPUTS; i++) {                                                                            \
        expect(out.y[i], alone.y[i]);                                                                                \
        expect(douts[d].y[i], dalone.y[i]);                                                                          \
      }                                                                                                              \
    }                                                                                                                \
  } while (0)

int main(void) {
  for (int i = 0; i < INPUTS; i++) {
    in.x[i] = 0.3 + 0.05 * i;
    for (int d = 0; d < 7; d++) din[d].x[i] = ((i * 7 + d * 3) % 11 - 5) / 4.0;
  }
  CHECK(arrays, 4);
  CHECK(chosen, 3);
  CHECK(sizes, 3);
  CHECK(pointers, 3);
  CHECK(handed, 3);
  CHECK(recursive, 3);
  CHECK(variable, 3);
  CHECK(either, 3);
  CHECK(arrays, 7);

  // Shadows that lie anywhere.
  Output out, first = {{0}}, second = {{0}}, dout[2] = {{{0}}};
  __enzyme_fwddiff((void *)arrays, enzyme_width, 2, enzyme_dup, &in, &din[5], &din[1], enzyme_const, 4, enzyme_dup, &out,
                   &second, &first);
  __enzyme_fwddiff((void *)arrays, enzyme_width, 2, enzyme_dupv, -4 * (long)sizeof(Input), &in, &din[5], enzyme_const, 4,
                   enzyme_dupv, sizeof(Output), &out, dout);
  for (int i = 0; i < OUTPUTS; i++) {
    expect(second.y[i], dout[0].y[i]);
    expect(first.y[i], dout[1].y[i]);
  }
  return result_of_test();
}
