// What was computed and not chosen: the way back leads past it.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -mllvm -enzyme-max-cache && %t
// RUN: %clang %clangEnzyme %s -O2 -mllvm -enzyme-print-plan -c -o %t.o 2>&1 | %FileCheck %s

// CHECK: plan of @nearest
// CHECK: nothing is done backwards for

#include "../Inputs/check.h"

extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_tape, enzyme_allocated;

void __enzyme_autodiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { POINTS = 20, CENTRES = 4, DIMENSIONS = 3, NUMBERS = CENTRES * DIMENSIONS };

typedef double (*Sum)(const double *, const double *, int, int, int);

// The sum of the squared distances from points to the centre that is nearest.
static double nearest(const double *points, const double *centres, int n, int k, int d) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double least = INFINITY;
    for (int j = 0; j < k; j++) {
      double distance = 0;
      for (int l = 0; l < d; l++) {
        double difference = points[i * d + l] - centres[j * d + l];
        distance += difference * difference;
      }
      least = distance < least ? distance : least;
    }
    sum += least;
  }
  return sum;
}

// Every distance counts a little, so no way leads past any.
static double nearest_and_all(const double *points, const double *centres, int n, int k, int d) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double least = INFINITY, all = 0;
    for (int j = 0; j < k; j++) {
      double distance = 0;
      for (int l = 0; l < d; l++) {
        double difference = points[i * d + l] - centres[j * d + l];
        distance += difference * difference;
      }
      all += distance;
      least = distance < least ? distance : least;
    }
    sum += least + all / 8;
  }
  return sum;
}

// The same of reciprocals: where a point is a centre, what is not chosen has no derivative.
static double farthest(const double *points, const double *centres, int n, int k, int d) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double least = INFINITY;
    for (int j = 0; j < k; j++) {
      double distance = 0;
      for (int l = 0; l < d; l++) {
        double difference = points[i * d + l] - centres[j * d + l];
        distance += 1 / (difference * difference);
      }
      least = least <= distance ? least : distance;
    }
    sum += least;
  }
  return sum;
}

static int best(Sum sum, const double *points, const double *centres, int i) {
  int found = 0;
  double value = INFINITY;
  for (int j = 0; j < CENTRES; j++) {
    double mine = sum(points + i * DIMENSIONS, centres + j * DIMENSIONS, 1, 1, DIMENSIONS);
    if (mine < value) value = mine, found = j;
  }
  return found;
}

static void expect_gradient(const double *got, Sum sum, const double *points, const double *centres) {
  double wanted[NUMBERS] = {0};
  for (int i = 0; i < POINTS; i++)
    for (int j = 0; j < CENTRES; j++)
      for (int l = 0; l < DIMENSIONS; l++) {
        double difference = points[i * DIMENSIONS + l] - centres[j * DIMENSIONS + l];
        double slope = sum == farthest ? 2 / (difference * difference * difference) : -2 * difference;
        if (best(sum, points, centres, i) == j) wanted[j * DIMENSIONS + l] += slope;
        if (sum == nearest_and_all) wanted[j * DIMENSIONS + l] += slope / 8;
      }
  for (int m = 0; m < NUMBERS; m++)
    expect(got[m], wanted[m]);
}

static void gradient(const double *points, const double *centres, double *slopes) {
  __enzyme_autodiff((void *)nearest, enzyme_const, points, enzyme_dup, centres, slopes, enzyme_const, POINTS,
                    enzyme_const, CENTRES, enzyme_const, DIMENSIONS);
}

#define GRADIENTS_OF(sum)                                                                                          \
  {                                                                                                                \
    double slopes[NUMBERS] = {0}, others[NUMBERS] = {0};                                                           \
    __enzyme_autodiff((void *)sum, enzyme_width, 2, enzyme_const, points, enzyme_dup, centres, slopes, others,     \
                      enzyme_const, POINTS, enzyme_const, CENTRES, enzyme_const, DIMENSIONS);                      \
    expect_gradient(slopes, sum, points, centres);                                                                 \
    expect_gradient(others, sum, points, centres);                                                                 \
    double apart[NUMBERS] = {0};                                                                                   \
    void *tape = __enzyme_augmentfwd((void *)sum, enzyme_const, points, enzyme_dup, centres, apart, enzyme_const,  \
                                     POINTS, enzyme_const, CENTRES, enzyme_const, DIMENSIONS);                     \
    __enzyme_reverse((void *)sum, enzyme_const, points, enzyme_dup, centres, apart, enzyme_const, POINTS,          \
                     enzyme_const, CENTRES, enzyme_const, DIMENSIONS, 1.0, tape);                                  \
    expect_gradient(apart, sum, points, centres);                                                                  \
  }

int main(void) {
  double points[POINTS * DIMENSIONS], centres[NUMBERS];
  for (int i = 0; i < POINTS * DIMENSIONS; i++)
    points[i] = sin(1.7 * i);
  for (int i = 0; i < NUMBERS; i++)
    centres[i] = cos(2.3 * i);
  GRADIENTS_OF(nearest)
  GRADIENTS_OF(nearest_and_all)
  for (int l = 0; l < DIMENSIONS; l++)
    points[l] = centres[l];
  GRADIENTS_OF(farthest)

  // The Hessian is diagonal: 2 for each point that a centre is nearest to.
  double ones[NUMBERS], slopes[NUMBERS] = {0}, curvature[NUMBERS] = {0}, counts[CENTRES] = {0};
  for (int m = 0; m < NUMBERS; m++)
    ones[m] = 1;
  for (int i = 0; i < POINTS; i++)
    counts[best(nearest, points, centres, i)]++;
  __enzyme_fwddiff((void *)gradient, enzyme_const, points, enzyme_dup, centres, ones, enzyme_dup, slopes, curvature);
  for (int m = 0; m < NUMBERS; m++)
    expect(curvature[m], 2 * counts[m / DIMENSIONS]);
  return result_of_test();
}
