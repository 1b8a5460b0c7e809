// The struct that a gradient is returned in: of scalars or of an array, in registers or in memory, of floats.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { double x, y; } TwoScalars;
typedef struct { double at[2]; } TwoArray;
typedef struct { double x, y, z; } ThreeScalars;
typedef struct { double at[3]; } ThreeArray;
typedef struct { double x; double rest[2]; } ThreeMixed;
typedef struct { float x, y; } TwoFloats;
typedef struct { float at[3]; } ThreeFloats;
typedef struct { float x; double y; } FloatAndDouble;
typedef struct { TwoScalars first; double z; } Nested;

TwoScalars __enzyme_autodiff_two_scalars(void *, double, double);
TwoArray __enzyme_autodiff_two_array(void *, double, double);
ThreeScalars __enzyme_autodiff_three_scalars(void *, ...);
ThreeArray __enzyme_autodiff_three_array(void *, double, double, double);
ThreeMixed __enzyme_autodiff_three_mixed(void *, double, double, double);
TwoFloats __enzyme_autodiff_two_floats(void *, float, float);
ThreeFloats __enzyme_autodiff_three_floats(void *, float, float, float);
FloatAndDouble __enzyme_autodiff_float_and_double(void *, float, double);
Nested __enzyme_autodiff_nested(void *, double, double, double);

static double two(double x, double y) { return x * x * y; }
static double three(double x, double y, double z) { return x * y * z; }
static float two_floats(float x, float y) { return x * x * y; }
static float three_floats(float x, float y, float z) { return x * y * z; }
static double float_and_double(float x, double y) { return x * x * y; }

int main(void) {
  double x = 2, y = 3, z = 5;
  TwoScalars a = __enzyme_autodiff_two_scalars((void *)two, x, y);
  expect(a.x, 12);
  expect(a.y, 4);
  TwoArray b = __enzyme_autodiff_two_array((void *)two, x, y);
  expect(b.at[0], 12);
  expect(b.at[1], 4);
  ThreeScalars c = __enzyme_autodiff_three_scalars((void *)three, x, y, z);
  expect(c.x, 15);
  expect(c.y, 10);
  expect(c.z, 6);
  ThreeArray d = __enzyme_autodiff_three_array((void *)three, x, y, z);
  expect(d.at[0], 15);
  expect(d.at[1], 10);
  expect(d.at[2], 6);
  ThreeMixed e = __enzyme_autodiff_three_mixed((void *)three, x, y, z);
  expect(e.x, 15);
  expect(e.rest[0], 10);
  expect(e.rest[1], 6);
  TwoFloats f = __enzyme_autodiff_two_floats((void *)two_floats, 2, 3);
  expect(f.x, 12);
  expect(f.y, 4);
  ThreeFloats g = __enzyme_autodiff_three_floats((void *)three_floats, 2, 3, 5);
  expect(g.at[0], 15);
  expect(g.at[1], 10);
  expect(g.at[2], 6);
  FloatAndDouble h = __enzyme_autodiff_float_and_double((void *)float_and_double, 2, y);
  expect(h.x, 12);
  expect(h.y, 4);
  Nested i = __enzyme_autodiff_nested((void *)three, x, y, z);
  expect(i.first.x, 15);
  expect(i.first.y, 10);
  expect(i.z, 6);
  return result_of_test();
}
