// Checks the derivatives of every program, then measures them against the program itself.
//
// All measurements of a round are made one after the other, so that what disturbs the machine disturbs all of them. For
// each, one line: `sample <program> <engine> <what> <nanoseconds of one evaluation>`. A wrong derivative is a line
// `wrong <program> <engine> <what>: …`, and such a program is not measured. Usage: driver <rounds>
// [forward|reverse]

#include "bench.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static Program *programs;

void register_program(Program *program) {
  program->next = programs;
  programs = program;
}

static unsigned long long state = 1;

double next_number(void) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (double)(state >> 11) / (1ULL << 52) - 1;
}

// A program at its point, with room for the derivatives.
typedef struct {
  const Program *program;
  double *in, *din, *out, *dout;
  // For the curvature: a direction of ones, and the product with it.
  double *ones, *ddin;
  // How often each way of evaluation is repeated for one sample.
  long repetitions[8];
} Bench;

static double *zeros(long count) {
  double *all = calloc(count, sizeof(double));
  if (!all) abort();
  return all;
}

static Bench prepared(const Program *program) {
  Bench bench = {program, zeros(program->inputs), zeros((long)WIDE * program->inputs), zeros(program->outputs),
                 zeros((long)WIDE * program->outputs), zeros(program->inputs), zeros(program->inputs), {0}};
  for (int i = 0; i < program->inputs; i++) bench.ones[i] = 1;
  state = 1;
  program->prepare(bench.in);
  return bench;
}

// A unit direction for each column; where there are fewer inputs they come again.
static void seed_columns(Bench *bench) {
  int n = bench->program->inputs;
  memset(bench->din, 0, sizeof(double) * WIDE * n);
  for (int column = 0; column < WIDE; column++) bench->din[column * n + column % n] = 1;
}

static void evaluate(const Bench *b) { b->program->primal(b->in, b->program->data, b->out); }
static void one(const Bench *b) { b->program->tangent(b->in, b->din, b->program->data, b->out, b->dout); }
static void narrow(const Bench *b) { b->program->tangents_narrow(b->in, b->din, b->program->data, b->out, b->dout); }
static void jacobian_at_once(const Bench *b) {
  b->program->tangents_wide(b->in, b->din, b->program->data, b->out, b->dout);
}
static void jacobian_by_columns(const Bench *b) {
  const Program *p = b->program;
  for (int column = 0; column < WIDE; column++)
    p->tangent(b->in, b->din + column * p->inputs, p->data, b->out, b->dout + column * p->outputs);
}

static void gradient(const Bench *b) { b->program->gradient(b->in, b->din, b->program->data, b->out, b->dout); }

static void by_hand(const Bench *b) { b->program->by_hand(b->in, b->din, b->program->data, b->out, b->dout); }
static void curvature(const Bench *b) { b->program->curvature(b->in, b->ones, b->din, b->ddin, b->program->data); }

typedef struct {
  const char *name;
  void (*run)(const Bench *);
} Way;

static int has_way(const Bench *b, const Way *way) {
  if (way->run == by_hand) return b->program->by_hand != NULL;
  if (way->run == curvature) return b->program->curvature != NULL;
  return 1;
}

static const Way forward_ways[] = {{"primal", evaluate},
                                   {"width-1", one},
                                   {"width-4", narrow},
                                   {"jacobian-at-once", jacobian_at_once},
                                   {"jacobian-by-columns", jacobian_by_columns},
                                   {NULL, NULL}};
static const Way reverse_ways[] = {
    {"primal", evaluate}, {"gradient", gradient}, {"by-hand", by_hand}, {"curvature", curvature}, {NULL, NULL}};
static const Way *ways = forward_ways;

static int differ(const Program *p, const char *what, int at, double got, double wanted, double scale,
                  double tolerance) {
  if (fabs(got - wanted) <= tolerance * scale) return 0;
  printf("wrong %s %s %s: number %d is %.17g instead of %.17g\n", p->name, p->engine, what, at, got, wanted);
  return 1;
}

static double largest(const double *x, long n) {
  double most = 1e-300;
  for (long i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

// The derivative along a direction, by differences of fourth order.
static void differences(Bench *b, const double *direction, double *derivative) {
  static const double steps[4] = {-2, -1, 1, 2}, weights[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const Program *p = b->program;
  double h = 1e-3;
  double *moved = zeros(p->inputs), *out = zeros(p->outputs);
  memset(derivative, 0, sizeof(double) * p->outputs);
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < p->inputs; i++) moved[i] = b->in[i] + h * steps[s] * direction[i];
    p->primal(moved, p->data, out);
    for (int i = 0; i < p->outputs; i++) derivative[i] += weights[s] * out[i] / h;
  }
  free(moved);
  free(out);
}

// One direction against differences, the primal result beside it against the program, and more directions against one.
static int has_right_tangents(Bench *b) {
  const Program *p = b->program;
  int n = p->inputs, m = p->outputs, wrong = 0;
  double *wanted = zeros((long)WIDE * m), *result = zeros(m);
  evaluate(b);
  memcpy(result, b->out, sizeof(double) * m);
  for (int i = 0; i < n; i++) b->din[i] = next_number();
  differences(b, b->din, wanted);
  memset(b->out, 0, sizeof(double) * m);
  one(b);
  double scale = largest(wanted, m);
  for (int i = 0; i < m && !wrong; i++) wrong = differ(p, "width-1", i, b->dout[i], wanted[i], scale, 1e-8);
  for (int i = 0; i < m && !wrong; i++)
    wrong = differ(p, "result", i, b->out[i], result[i], largest(result, m), 1e-13);

  for (int i = 0; i < WIDE * n; i++) b->din[i] = next_number();
  jacobian_by_columns(b);
  memcpy(wanted, b->dout, sizeof(double) * WIDE * m);
  scale = largest(wanted, (long)WIDE * m);
  for (int way = 2; way < 4; way++) {
    int columns = way == 2 ? NARROW : WIDE;
    memset(b->dout, 0, sizeof(double) * WIDE * m);
    ways[way].run(b);
    for (int i = 0; i < columns * m && !wrong; i++)
      wrong = differ(p, ways[way].name, i, b->dout[i], wanted[i], scale, 1e-12);
  }
  free(wanted);
  free(result);
  return !wrong;
}

// The product of the outputs' adjoints with a tangent, against that of the gradient with the direction.
static int has_right_gradient(Bench *b) {
  const Program *p = b->program;
  int n = p->inputs, m = p->outputs;
  double *direction = zeros(n), *result = zeros(m), of_outputs = 0, of_inputs = 0, scale = 0;
  evaluate(b);
  memcpy(result, b->out, sizeof(double) * m);
  for (int i = 0; i < n; i++) b->din[i] = direction[i] = next_number();
  one(b);
  for (int i = 0; i < m; i++) {
    double adjoint = next_number();
    of_outputs += adjoint * b->dout[i];
    b->dout[i] = adjoint;
  }
  memset(b->din, 0, sizeof(double) * n);
  memset(b->out, 0, sizeof(double) * m);
  gradient(b);
  int wrong = 0;
  for (int i = 0; i < m && !wrong; i++)
    wrong = differ(p, "result", i, b->out[i], result[i], largest(result, m), 1e-13);
  for (int i = 0; i < n; i++) {
    of_inputs += b->din[i] * direction[i];
    scale += fabs(b->din[i] * direction[i]);
  }
  if (!wrong) wrong = differ(p, "gradient", 0, of_inputs, of_outputs, scale, 1e-12);
  free(direction);
  free(result);
  return !wrong;
}

// Two gradients of the same outputs.
static int is_like_by_hand(Bench *b) {
  const Program *p = b->program;
  int n = p->inputs, wrong = 0;
  double *ours = zeros(n);
  for (int i = 0; i < p->outputs; i++) b->dout[i] = 1;
  memset(b->din, 0, sizeof(double) * n);
  gradient(b);
  memcpy(ours, b->din, sizeof(double) * n);
  for (int i = 0; i < p->outputs; i++) b->dout[i] = 1;
  memset(b->din, 0, sizeof(double) * n);
  by_hand(b);
  for (int i = 0; i < n && !wrong; i++) wrong = differ(p, "by-hand", i, ours[i], b->din[i], largest(ours, n), 1e-12);
  free(ours);
  return !wrong;
}

// The curvature along the ones, against differences of gradients.
static int has_right_curvature(Bench *b) {
  const Program *p = b->program;
  int n = p->inputs, wrong = 0;
  double h = 1e-5, *wanted = zeros(n), *moved = zeros(n), *point = b->in;
  b->in = moved;
  for (int side = -1; side <= 1; side += 2) {
    for (int i = 0; i < n; i++) moved[i] = point[i] + side * h;
    for (int i = 0; i < p->outputs; i++) b->dout[i] = 1;
    memset(b->din, 0, sizeof(double) * n);
    gradient(b);
    for (int i = 0; i < n; i++) wanted[i] += side * b->din[i] / (2 * h);
  }
  b->in = point;
  memset(b->din, 0, sizeof(double) * n);
  memset(b->ddin, 0, sizeof(double) * n);
  curvature(b);
  for (int i = 0; i < n && !wrong; i++)
    wrong = differ(p, "curvature", i, b->ddin[i], wanted[i], largest(wanted, n), 1e-7);
  free(wanted);
  free(moved);
  return !wrong;
}

static int has_right_gradients(Bench *b) {
  return has_right_gradient(b) && (!b->program->by_hand || is_like_by_hand(b)) &&
         (!b->program->curvature || has_right_curvature(b));
}

static int is_right(Bench *b) { return ways == reverse_ways ? has_right_gradients(b) : has_right_tangents(b); }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e9 * time.tv_sec + time.tv_nsec;
}

static double time_of(const Bench *b, int way) {
  double start = now();
  for (long i = 0; i < b->repetitions[way]; i++) ways[way].run(b);
  return (now() - start) / b->repetitions[way];
}

// So many repetitions that a sample takes about a millisecond.
static void calibrate(Bench *b, int way) {
  b->repetitions[way] = 1;
  double each = time_of(b, way);
  while (each * b->repetitions[way] < 2e5) {
    b->repetitions[way] *= 2;
    each = time_of(b, way);
  }
  b->repetitions[way] = 1 + (long)(1e6 / each);
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 9, ready = 0, wrong = 0;
  if (count > 2 && strcmp(arguments[2], "reverse") == 0) ways = reverse_ways;
  static Bench benches[64];
  for (Program *p = programs; p; p = p->next) {
    if (ready == sizeof benches / sizeof *benches) abort();
    Bench bench = prepared(p);
    if (!is_right(&bench)) {
      wrong = 1;
      continue;
    }
    seed_columns(&bench);
    for (int way = 0; ways[way].name; way++)
      if (has_way(&bench, &ways[way])) calibrate(&bench, way);
    benches[ready++] = bench;
  }
  for (int round = 0; round < rounds; round++)
    for (int b = 0; b < ready; b++)
      for (int way = 0; ways[way].name; way++)
        if (has_way(&benches[b], &ways[way]))
          printf("sample %s %s %s %.3f\n", benches[b].program->name, benches[b].program->engine, ways[way].name,
                 time_of(&benches[b], way));
  return wrong;
}
