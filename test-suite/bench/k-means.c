// How far points are from the nearest of some centres: the sum of the squared distances.

#include "bench.h"
#include <math.h>

enum { POINTS = 500, CENTRES = 8, DIMENSIONS = 6 };

typedef struct {
  double centre[CENTRES][DIMENSIONS];
} Inputs;
typedef struct {
  double point[POINTS][DIMENSIONS];
  int points, centres, dimensions;
} Data;
typedef struct {
  double squares;
} Outputs;

static double squared_distance(int n, const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

static void squares(const Inputs *in, const Data *data, Outputs *out) {
  double sum = 0;
  for (int i = 0; i < data->points; i++) {
    double least = INFINITY;
    for (int j = 0; j < data->centres; j++) {
      double distance = squared_distance(data->dimensions, data->point[i], in->centre[j]);
      least = distance < least ? distance : least;
    }
    sum += least;
  }
  out->squares = sum;
}

static void gradient_by_hand(const Inputs *in, Inputs *din, const Data *data, Outputs *out, Outputs *dout) {
  double sum = 0;
  for (int i = 0; i < data->points; i++) {
    double least = INFINITY;
    int nearest = 0;
    for (int j = 0; j < data->centres; j++) {
      double distance = squared_distance(data->dimensions, data->point[i], in->centre[j]);
      if (distance < least) least = distance, nearest = j;
    }
    sum += least;
    for (int d = 0; d < data->dimensions; d++)
      din->centre[nearest][d] += 2 * dout->squares * (in->centre[nearest][d] - data->point[i][d]);
  }
  out->squares = sum;
  dout->squares = 0;
}

static void fill(Inputs *in, Data *data) {
  data->points = POINTS;
  data->centres = CENTRES;
  data->dimensions = DIMENSIONS;
  for (int i = 0; i < POINTS; i++)
    for (int d = 0; d < DIMENSIONS; d++) data->point[i][d] = next_number();
  for (int j = 0; j < CENTRES; j++)
    for (int d = 0; d < DIMENSIONS; d++) in->centre[j][d] = next_number();
}

PROGRAM_AND_CURVATURE("k-means", squares, fill, Inputs, Data, Outputs, gradient_by_hand)
