// The logarithm of a sum of exponentials, kept from overflowing by taking the largest term out.

#include "bench.h"
#include <math.h>

enum { TERMS = 1000 };

typedef struct {
  double x[TERMS];
} Inputs;
typedef struct {
  int terms;
} Data;
typedef struct {
  double value;
} Outputs;

static double log_sum_exp(int n, const double *x) {
  double largest = x[0];
  for (int i = 1; i < n; i++)
    if (x[i] > largest) largest = x[i];
  double sum = 0;
  for (int i = 0; i < n; i++) sum += exp(x[i] - largest);
  return largest + log(sum);
}

static void evaluate(const Inputs *in, const Data *data, Outputs *out) {
  out->value = log_sum_exp(data->terms, in->x);
}

static void fill(Inputs *in, Data *data) {
  data->terms = TERMS;
  for (int i = 0; i < TERMS; i++) in->x[i] = 3 * next_number();
}

// The derivative for each term is its part of the sum.
static void gradient_by_hand(const Inputs *in, Inputs *din, const Data *data, Outputs *out, Outputs *dout) {
  int n = data->terms;
  double largest = in->x[0], sum = 0, part[TERMS];
  for (int i = 1; i < n; i++)
    if (in->x[i] > largest) largest = in->x[i];
  for (int i = 0; i < n; i++) {
    part[i] = exp(in->x[i] - largest);
    sum += part[i];
  }
  out->value = largest + log(sum);
  double scale = dout->value / sum;
  for (int i = 0; i < n; i++) din->x[i] += scale * part[i];
  dout->value = 0;
}

PROGRAM_AND_GRADIENT("log-sum-exp", evaluate, fill, Inputs, Data, Outputs, gradient_by_hand)
