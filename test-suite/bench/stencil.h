// Heat that spreads faster where it is hot, on a square with cold edges: a loop of many steps over a grid.

#include "bench.h"
#include <stdint.h>

enum { SIDE = 24, STEPS = 200 };

typedef double Grid[SIDE][SIDE];
typedef struct {
  Grid start;
  double conductivity, growth;
} Inputs;
typedef struct {
  double step;
} Data;
typedef struct {
  Grid end;
} Outputs;

// One step, in place, whatever its number; `next` is only room.
static void spread(int64_t number, Grid now, Grid next, const Inputs *in, const Data *data) {
  (void)number;
  for (int row = 1; row < SIDE - 1; row++)
    for (int column = 1; column < SIDE - 1; column++) {
      double here = now[row][column];
      double flow = now[row - 1][column] + now[row + 1][column] + now[row][column - 1] + now[row][column + 1] - 4 * here;
      next[row][column] = here + data->step * (in->conductivity + in->growth * here * here) * flow;
    }
  for (int row = 1; row < SIDE - 1; row++)
    for (int column = 1; column < SIDE - 1; column++) now[row][column] = next[row][column];
}

static void fill(Inputs *in, Data *data) {
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++) {
      int is_edge = row == 0 || column == 0 || row == SIDE - 1 || column == SIDE - 1;
      in->start[row][column] = is_edge ? 0 : 1 + 0.5 * next_number();
    }
  in->conductivity = 1;
  in->growth = 0.5;
  data->step = 0.1;
}
