// Some steps of a long short-term memory, and the cross entropy of what it foretells.
//
// The four gates of a cell are affine in the input and in the last output, then squashed: forget, store, answer by a
// sigmoid, and the candidate by tanh.

#include "bench.h"
#include <math.h>

enum { SIZE = 12, GATES = 4, STEPS = 6 };

typedef struct {
  double of_input[GATES][SIZE], of_output[GATES][SIZE][SIZE], bias[GATES][SIZE];
  double memory[SIZE], output[SIZE];
  double last_weight[SIZE], last_bias[SIZE];
} Inputs;
typedef struct {
  double sequence[STEPS + 1][SIZE];
} Data;
typedef struct {
  double loss;
} Outputs;

static double sigmoid(double x) { return 1 / (1 + exp(-x)); }

static double gate(const Inputs *in, int which, int cell, const double *input, const double *output) {
  double sum = in->bias[which][cell] + in->of_input[which][cell] * input[cell];
  for (int other = 0; other < SIZE; other++) sum += in->of_output[which][cell][other] * output[other];
  return sum;
}

static void step(const Inputs *in, const double *input, double *memory, double *output) {
  double next[SIZE];
  for (int cell = 0; cell < SIZE; cell++) {
    double forget = sigmoid(gate(in, 0, cell, input, output));
    double store = sigmoid(gate(in, 1, cell, input, output));
    double answer = sigmoid(gate(in, 2, cell, input, output));
    double candidate = tanh(gate(in, 3, cell, input, output));
    memory[cell] = forget * memory[cell] + store * candidate;
    next[cell] = answer * tanh(memory[cell]);
  }
  for (int cell = 0; cell < SIZE; cell++) output[cell] = next[cell];
}

static double cross_entropy(const Inputs *in, const double *output, const double *wanted) {
  double foretold[SIZE], sum = 0, loss = 0;
  for (int i = 0; i < SIZE; i++) {
    foretold[i] = in->last_weight[i] * output[i] + in->last_bias[i];
    sum += exp(foretold[i]);
  }
  for (int i = 0; i < SIZE; i++) loss -= wanted[i] * (foretold[i] - log(sum));
  return loss;
}

static void run(const Inputs *in, const Data *data, Outputs *out) {
  double memory[SIZE], output[SIZE], loss = 0;
  for (int i = 0; i < SIZE; i++) {
    memory[i] = in->memory[i];
    output[i] = in->output[i];
  }
  for (int t = 0; t < STEPS; t++) {
    step(in, data->sequence[t], memory, output);
    loss += cross_entropy(in, output, data->sequence[t + 1]);
  }
  out->loss = loss / STEPS;
}

static void fill(Inputs *in, Data *data) {
  double *parameter = (double *)in;
  for (unsigned i = 0; i < sizeof *in / sizeof(double); i++) parameter[i] = next_number();
  for (int t = 0; t <= STEPS; t++)
    for (int i = 0; i < SIZE; i++) data->sequence[t][i] = next_number() > 0;
}

PROGRAM("lstm", run, fill, Inputs, Data, Outputs)
