// `__enzyme_batch`: values, pointers and buffers; control flow that differs between lanes; results of every kind.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct {
  double v[4];
} four;
typedef struct {
  double x, y;
} two;
typedef struct {
  float x, y;
} two_floats;

double __enzyme_fwddiff(void *, ...);
four __enzyme_batch_four(void *, ...);
two __enzyme_batch_two(void *, ...);
two_floats __enzyme_batch_two_floats(void *, ...);
void __enzyme_batch_void(void *, ...);
typedef struct {
  four lane[3];
} three_fours;
three_fours __enzyme_batch_fours(void *, ...);
extern int enzyme_width, enzyme_scalar, enzyme_vector, enzyme_buffer;

static double relu(double x, double slope) { return x > 0 ? x : slope * x; }
static float half(float x) { return x / 2; }

// The number of steps depends on the lane.
static double halvings(double x, int *steps) {
  for (*steps = 0; x > 1; x /= 2) ++*steps;
  return x;
}

static void add_one(double *x, const double *shift) { *x += 1 + *shift; }

static four powers(double x) {
  four result = {{1, x, x * x, x * x * x}};
  return result;
}

// A batch inside of a function that is differentiated.
static double sum_of_squares(double x) {
  four both = __enzyme_batch_four((void *)relu, enzyme_width, 4, enzyme_vector, x, -x, 2 * x, -2 * x, enzyme_scalar, x);
  return both.v[0] + both.v[1] + both.v[2] + both.v[3];
}

int main(void) {
  four r = __enzyme_batch_four((void *)relu, enzyme_width, 4, enzyme_vector, 1.0, -2.0, 3.0, -4.0, enzyme_scalar, 0.1);
  expect(r.v[0], 1), expect(r.v[1], -0.2), expect(r.v[2], 3), expect(r.v[3], -0.4);

  // `enzyme_vector` is the default, and the width may come last.
  two t = __enzyme_batch_two((void *)relu, -1.0, -1.0, 0.5, 0.25, enzyme_width, 2);
  expect(t.x, -0.5), expect(t.y, -0.25);
  two_floats h = __enzyme_batch_two_floats((void *)half, enzyme_width, 2, enzyme_vector, 3.0f, 5.0f);
  expect(h.x, 1.5), expect(h.y, 2.5);

  int steps[2];
  t = __enzyme_batch_two((void *)halvings, enzyme_width, 2, enzyme_vector, 12.0, 3.0, enzyme_vector, &steps[0], &steps[1]);
  expect(t.x, 0.75), expect(t.y, 0.75);
  expect(steps[0], 4), expect(steps[1], 2);

  // Pointers at a distance, and one for all.
  double values[6] = {1, 2, 3, 4, 5, 6}, shift = 10;
  __enzyme_batch_void((void *)add_one, enzyme_width, 3, enzyme_buffer, (long)(2 * sizeof(double)), values,
                      enzyme_scalar, &shift);
  for (int i = 0; i < 6; i++) expect(values[i], i + 1 + (i % 2 ? 0 : 11));

  // The results lie in memory.
  three_fours p = __enzyme_batch_fours((void *)powers, enzyme_width, 3, enzyme_vector, 1.0, 2.0, 3.0);
  for (int lane = 0; lane < 3; lane++)
    for (int k = 0; k < 4; k++) expect(p.lane[lane].v[k], pow(lane + 1, k));

  // x - x^2 + 2 x - 2 x^2.
  expect(sum_of_squares(2.0), -6);
  expect(__enzyme_fwddiff((void *)sum_of_squares, 2.0, 1.0), 3 - 12);
  return result_of_test();
}
