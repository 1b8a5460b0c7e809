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

// The same of one output, and the product of its second derivatives with a direction; both are added.
typedef void Curvature(const double *in, const double *direction, double *din, double *ddin, const void *data);

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
  // What only some programs have: a gradient that a person wrote, and the curvature.
  Gradient *by_hand;
  Curvature *curvature;
  struct Program *next;
} Program;

void register_program(Program *program);

// A number between -1 and 1, the same ones in each run.
double next_number(void);

extern int enzyme_dup, enzyme_dupnoneed, enzyme_dupv, enzyme_const, enzyme_width;
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
  PROGRAM_BESIDE(title, function, prepare_function, Inputs, Data, Outputs, NULL, NULL)

// A program with a gradient that a person wrote, `void by_hand(const Inputs *, Inputs *, const Data *, Outputs *, Outputs *)`,
// which has the program's result besides.
#define PROGRAM_AND_GRADIENT(title, function, prepare_function, Inputs, Data, Outputs, by_hand)                      \
  WRITTEN_BY_HAND(by_hand, Inputs, Data, Outputs)                                                                    \
  PROGRAM_BESIDE(title, function, prepare_function, Inputs, Data, Outputs, written_by_hand, NULL)

// The same of one output, with the curvature: forward over reverse mode.
#define PROGRAM_AND_CURVATURE(title, function, prepare_function, Inputs, Data, Outputs, by_hand)                     \
  WRITTEN_BY_HAND(by_hand, Inputs, Data, Outputs)                                                                    \
  static void gradient_alone(const double *in, double *din, const void *data) {                                      \
    Outputs out, seed = {1};                                                                                         \
    __enzyme_autodiff((void *)function, enzyme_dup, in, din, enzyme_const, data, enzyme_dupnoneed, &out, &seed);     \
  }                                                                                                                  \
  static void curvature(const double *in, const double *direction, double *din, double *ddin, const void *data) {    \
    __enzyme_fwddiff((void *)gradient_alone, enzyme_dup, in, direction, enzyme_dup, din, ddin, enzyme_const, data);  \
  }                                                                                                                  \
  PROGRAM_BESIDE(title, function, prepare_function, Inputs, Data, Outputs, written_by_hand, curvature)

#define WRITTEN_BY_HAND(by_hand, Inputs, Data, Outputs)                                                              \
  static void written_by_hand(const double *in, double *din, const void *data, double *out, double *dout) {          \
    by_hand((const Inputs *)in, (Inputs *)din, (const Data *)data, (Outputs *)out, (Outputs *)dout);                 \
  }

#define PROGRAM_BESIDE(title, function, prepare_function, Inputs, Data, Outputs, by_hand, curvature)                 \
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
                            &data_of_program, prepare, primal, tangent, ALL_DERIVATIVES, by_hand, curvature, NULL};  \
  __attribute__((constructor)) static void add(void) { register_program(&program); }

#endif
