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

PROGRAM("log-sum-exp", evaluate, fill, Inputs, Data, Outputs)
