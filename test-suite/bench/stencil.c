// A time loop whose steps keep what their reverse sweeps read.

#include "stencil.h"

static void run(const Inputs *in, const Data *data, Outputs *out) {
  Grid next;
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++) out->end[row][column] = in->start[row][column];
  for (int64_t step = 0; step < STEPS; step++) spread(step, out->end, next, in, data);
}

PROGRAM("stencil", run, fill, Inputs, Data, Outputs)
