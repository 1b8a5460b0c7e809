// Least squares of a polynomial: the sum of squared distances from points, by Horner's rule.

#include "bench.h"

enum { COEFFICIENTS = 8, POINTS = 200 };

typedef struct {
  double coefficient[COEFFICIENTS];
} Inputs;
typedef struct {
  double x[POINTS], y[POINTS];
} Data;
typedef struct {
  double squares;
} Outputs;

static double value(const double *coefficient, double x) {
  double sum = 0;
  for (int i = COEFFICIENTS - 1; i >= 0; i--) sum = sum * x + coefficient[i];
  return sum;
}

static void squares(const Inputs *in, const Data *data, Outputs *out) {
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    double distance = value(in->coefficient, data->x[i]) - data->y[i];
    sum += distance * distance;
  }
  out->squares = sum;
}

static void fill(Inputs *in, Data *data) {
  for (int i = 0; i < COEFFICIENTS; i++) in->coefficient[i] = next_number();
  for (int i = 0; i < POINTS; i++) {
    data->x[i] = next_number();
    data->y[i] = 3 * next_number();
  }
}

static void gradient_by_hand(const Inputs *in, Inputs *din, const Data *data, Outputs *out, Outputs *dout) {
  double sum = 0, of_coefficient[COEFFICIENTS] = {0};
  for (int i = 0; i < POINTS; i++) {
    double distance = value(in->coefficient, data->x[i]) - data->y[i], power = 2 * distance;
    sum += distance * distance;
    for (int c = 0; c < COEFFICIENTS; c++, power *= data->x[i]) of_coefficient[c] += power;
  }
  out->squares = sum;
  for (int c = 0; c < COEFFICIENTS; c++) din->coefficient[c] += dout->squares * of_coefficient[c];
  dout->squares = 0;
}

PROGRAM_AND_GRADIENT("polynomial", squares, fill, Inputs, Data, Outputs, gradient_by_hand)
