// The log posterior of a mixture of Gaussians, with a Wishart prior on the precisions.
//
// The inverse covariance of a component is Q^T Q, where Q is lower triangular, its diagonal the exponential of `log_diagonal`
// and what is below it `lower`.

#include "bench.h"
#include <math.h>

enum { DIMENSIONS = 6, COMPONENTS = 5, POINTS = 60, LOWER = DIMENSIONS * (DIMENSIONS - 1) / 2 };

typedef struct {
  double log_weight[COMPONENTS];
  double mean[COMPONENTS][DIMENSIONS];
  double log_diagonal[COMPONENTS][DIMENSIONS];
  double lower[COMPONENTS][LOWER];
} Inputs;
typedef struct {
  double point[POINTS][DIMENSIONS];
  double wishart_scale;
  int wishart_freedom;
} Data;
typedef struct {
  double log_posterior;
} Outputs;

static double log_sum_exp(int n, const double *x) {
  double largest = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > largest) largest = x[i];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += exp(x[i] - largest);
  return largest + log(sum);
}

// The squared length of Q times the distance from the mean.
static double squared_distance(const double *diagonal, const double *lower, const double *point, const double *mean) {
  double sum = 0;
  for (int row = 0, at = 0; row < DIMENSIONS; row++) {
    double entry = diagonal[row] * (point[row] - mean[row]);
    for (int column = 0; column < row; column++, at++) entry += lower[at] * (point[column] - mean[column]);
    sum += entry * entry;
  }
  return sum;
}

static double log_prior(const Inputs *in, const double diagonal[][DIMENSIONS], const Data *data) {
  double sum = 0;
  for (int k = 0; k < COMPONENTS; k++) {
    double norm = 0, log_determinant = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
      norm += diagonal[k][d] * diagonal[k][d];
      log_determinant += in->log_diagonal[k][d];
    }
    for (int at = 0; at < LOWER; at++) norm += in->lower[k][at] * in->lower[k][at];
    sum += 0.5 * data->wishart_scale * data->wishart_scale * norm - data->wishart_freedom * log_determinant;
  }
  return sum;
}

static void log_posterior(const Inputs *in, const Data *data, Outputs *out) {
  double diagonal[COMPONENTS][DIMENSIONS], log_determinant[COMPONENTS];
  for (int k = 0; k < COMPONENTS; k++) {
    log_determinant[k] = 0;
    for (int d = 0; d < DIMENSIONS; d++) {
      diagonal[k][d] = exp(in->log_diagonal[k][d]);
      log_determinant[k] += in->log_diagonal[k][d];
    }
  }
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    double term[COMPONENTS];
    for (int k = 0; k < COMPONENTS; k++) {
      double distance = squared_distance(diagonal[k], in->lower[k], data->point[i], in->mean[k]);
      term[k] = in->log_weight[k] + log_determinant[k] - 0.5 * distance;
    }
    sum += log_sum_exp(COMPONENTS, term);
  }
  double normalised = POINTS * log_sum_exp(COMPONENTS, in->log_weight);
  out->log_posterior = sum - normalised + log_prior(in, diagonal, data);
}

static void fill(Inputs *in, Data *data) {
  double *parameter = (double *)in;
  for (unsigned i = 0; i < sizeof *in / sizeof(double); i++) parameter[i] = next_number();
  for (int i = 0; i < POINTS; i++)
    for (int d = 0; d < DIMENSIONS; d++) data->point[i][d] = 2 * next_number();
  data->wishart_scale = 1.2;
  data->wishart_freedom = 2;
}

PROGRAM("mixture", log_posterior, fill, Inputs, Data, Outputs)
