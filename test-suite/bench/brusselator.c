// The Brusselator, two substances that react and diffuse on a periodic grid, by the Runge-Kutta method of fourth order.

#include "bench.h"

enum { SIDE = 15, CELLS = SIDE * SIDE, STEPS = 4 };

typedef struct {
  double u[CELLS], v[CELLS];
} State;
typedef struct {
  State start;
  double feed, decay, diffusion;
} Inputs;
typedef struct {
  double step;
} Data;
typedef State Outputs;

static double laplacian(const double *c, int row, int column) {
  int up = (row + SIDE - 1) % SIDE, down = (row + 1) % SIDE;
  int left = (column + SIDE - 1) % SIDE, right = (column + 1) % SIDE;
  return c[up * SIDE + column] + c[down * SIDE + column] + c[row * SIDE + left] + c[row * SIDE + right] -
         4 * c[row * SIDE + column];
}

static void change(const Inputs *in, const State *now, State *rate) {
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++) {
      int at = row * SIDE + column;
      double u = now->u[at], v = now->v[at], reaction = u * u * v;
      rate->u[at] = in->feed + reaction - (in->decay + 1) * u + in->diffusion * laplacian(now->u, row, column);
      rate->v[at] = in->decay * u - reaction + in->diffusion * laplacian(now->v, row, column);
    }
}

// from + step * rate
static void move(const State *from, double step, const State *rate, State *to) {
  for (int at = 0; at < CELLS; at++) {
    to->u[at] = from->u[at] + step * rate->u[at];
    to->v[at] = from->v[at] + step * rate->v[at];
  }
}

static void integrate(const Inputs *in, const Data *data, Outputs *out) {
  double h = data->step;
  State now = in->start, middle, k1, k2, k3, k4;
  for (int step = 0; step < STEPS; step++) {
    change(in, &now, &k1);
    move(&now, h / 2, &k1, &middle);
    change(in, &middle, &k2);
    move(&now, h / 2, &k2, &middle);
    change(in, &middle, &k3);
    move(&now, h, &k3, &middle);
    change(in, &middle, &k4);
    for (int at = 0; at < CELLS; at++) {
      now.u[at] += h / 6 * (k1.u[at] + 2 * k2.u[at] + 2 * k3.u[at] + k4.u[at]);
      now.v[at] += h / 6 * (k1.v[at] + 2 * k2.v[at] + 2 * k3.v[at] + k4.v[at]);
    }
  }
  *out = now;
}

static void fill(Inputs *in, Data *data) {
  for (int at = 0; at < CELLS; at++) {
    in->start.u[at] = 1 + 0.3 * next_number();
    in->start.v[at] = 3 + 0.3 * next_number();
  }
  in->feed = 1;
  in->decay = 3.4;
  in->diffusion = 0.5;
  data->step = 0.01;
}

PROGRAM("brusselator", integrate, fill, Inputs, Data, Outputs)
