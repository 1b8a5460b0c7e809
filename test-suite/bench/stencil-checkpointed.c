// The same time loop with 10 states in memory: steps run again.

#include "stencil.h"
#include <enzyme/checkpoint.h>

static void run(const Inputs *in, const Data *data, Outputs *out) {
  Grid next;
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++) out->end[row][column] = in->start[row][column];
  __enzyme_checkpoint_for((void *)spread, 0, STEPS, enzyme_scheme, "binomial", 10, enzyme_checkpoint_region, out->end,
                          sizeof(Grid), enzyme_checkpoint_region, next, sizeof(Grid), out->end, next, in, data);
}

PROGRAM("stencil-checkpointed", run, fill, Inputs, Data, Outputs)
