// The potential energy of bodies that attract each other, softened where they are close.

#include "bench.h"
#include <math.h>

enum { BODIES = 64 };

typedef struct {
  double place[BODIES][3], mass[BODIES];
} Inputs;
typedef struct {
  double softening;
  int bodies;
} Data;
typedef struct {
  double energy;
} Outputs;

static void energy(const Inputs *in, const Data *data, Outputs *out) {
  double sum = 0;
  for (int i = 0; i < data->bodies; i++)
    for (int j = 0; j < i; j++) {
      double square = data->softening * data->softening;
      for (int k = 0; k < 3; k++) {
        double difference = in->place[i][k] - in->place[j][k];
        square += difference * difference;
      }
      sum -= in->mass[i] * in->mass[j] / sqrt(square);
    }
  out->energy = sum;
}

static void gradient_by_hand(const Inputs *in, Inputs *din, const Data *data, Outputs *out, Outputs *dout) {
  double sum = 0, seed = dout->energy;
  for (int i = 0; i < data->bodies; i++)
    for (int j = 0; j < i; j++) {
      double square = data->softening * data->softening, difference[3];
      for (int k = 0; k < 3; k++) {
        difference[k] = in->place[i][k] - in->place[j][k];
        square += difference[k] * difference[k];
      }
      double inverse = 1 / sqrt(square), pair = in->mass[i] * in->mass[j] * inverse;
      sum -= pair;
      din->mass[i] -= seed * in->mass[j] * inverse;
      din->mass[j] -= seed * in->mass[i] * inverse;
      double pull = seed * pair * inverse * inverse;
      for (int k = 0; k < 3; k++) {
        din->place[i][k] += pull * difference[k];
        din->place[j][k] -= pull * difference[k];
      }
    }
  out->energy = sum;
  dout->energy = 0;
}

static void fill(Inputs *in, Data *data) {
  data->softening = 0.5;
  data->bodies = BODIES;
  for (int i = 0; i < BODIES; i++) {
    in->mass[i] = 1 + 0.5 * next_number();
    for (int k = 0; k < 3; k++) in->place[i][k] = next_number();
  }
}

PROGRAM_AND_GRADIENT("n-body", energy, fill, Inputs, Data, Outputs, gradient_by_hand)
