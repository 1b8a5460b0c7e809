// What every benchmark program hands to the driver: a pure function of arrays, and its derivatives.
//
// A program is `void f(const Inputs *, const Data *, Outputs *)`, where inputs and outputs hold doubles only, and data
// carries no derivative. Seeds are separate arrays of the same shape. `PROGRAM` makes the derivatives and registers them.
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>

// How many directions the Jacobian has, and the narrower of the two widths.
enum { NARROW = 4, WIDE = 28 };

// The name of the plugin that compiles this file.
#ifndef ENGINE
#define ENGINE "ours"
#endif

// A derivative along one or more directions. Tangents of one direction follow those of another.
typedef void Tangent(const double *in, const double *din, const void *data, double *out, double *dout);

// The adjoints of the inputs, to which those that the adjoints of the outputs give are added; these become zero.
typedef void Gradient(const double *in, double *din, const void *data, double *out, double *dout);

typedef struct Program {
  const char *name;
  // Which plugin made the derivatives.
  const char *engine;
  int inputs, outputs;
  const void *data;
  // Makes the data, and a point to differentiate at.
  void (*prepare)(double *in);
  void (*primal)(const double *in, const void *data, double *out);
  Tangent *tangent, *tangents_narrow, *tangents_wide;
  Gradient *gradient;
  struct Program *next;
} Program;

void register_program(Program *program);

// A number between -1 and 1, the same ones in each run.
double next_number(void);

extern int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_width;
void __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);

// Forward mode is measured, or reverse mode (`REVERSE`): that is checked with one tangent.
#ifdef REVERSE
#define DERIVATIVES(function, Inputs, Outputs)                                                                       \
  static void gradient(const double *in, double *din, const void *data, double *out, double *dout) {                 \
    __enzyme_autodiff((void *)function, enzyme_dup, in, din, enzyme_const, data, enzyme_dup, out, dout);              \
  }
#define ALL_DERIVATIVES NULL, NULL, gradient
#else
#define TANGENTS(kind, width, function, Inputs, Outputs)                                                             \
  static void kind(const double *in, const double *din, const void *data, double *out, double *dout) {               \
    __enzyme_fwddiff((void *)function, enzyme_width, width, enzyme_dupv, sizeof(Inputs), in, din, enzyme_const, data, \
                     enzyme_dupv, sizeof(Outputs), out, dout);                                                       \
  }
#define DERIVATIVES(function, Inputs, Outputs)                                                                       \
  TANGENTS(tangents_narrow, NARROW, function, Inputs, Outputs)                                                       \
  TANGENTS(tangents_wide, WIDE, function, Inputs, Outputs)
#define ALL_DERIVATIVES tangents_narrow, tangents_wide, NULL
#endif

#define PROGRAM(title, function, prepare_function, Inputs, Data, Outputs)                                            \
  static Data data_of_program;                                                                                       \
  static void primal(const double *in, const void *data, double *out) {                                              \
    function((const Inputs *)in, (const Data *)data, (Outputs *)out);                                                \
  }                                                                                                                  \
  static void tangent(const double *in, const double *din, const void *data, double *out, double *dout) {            \
    __enzyme_fwddiff((void *)function, enzyme_dup, in, din, enzyme_const, data, enzyme_dup, out, dout);              \
  }                                                                                                                  \
  DERIVATIVES(function, Inputs, Outputs)                                                                             \
  static void prepare(double *in) { prepare_function((Inputs *)in, &data_of_program); }                              \
  static Program program = {title, ENGINE, sizeof(Inputs) / sizeof(double), sizeof(Outputs) / sizeof(double),        \
                            &data_of_program, prepare, primal, tangent, ALL_DERIVATIVES, NULL};                      \
  __attribute__((constructor)) static void add(void) { register_program(&program); }

#endif
