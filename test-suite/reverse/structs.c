// The gradient through structs: floats beside integers and pointers, arrays of structs, structs of floats copied whole.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

void __enzyme_autodiff(void *, ...);

typedef struct { double x, y, z; } Vector;

typedef struct { double value; int partner; float weight; } Record;

typedef struct {
  double *values;
  int length;
} Slice;

static double partners(double *x, int n) {
  Record records[SIZE];
  double sum = 0;
  for (int i = 0; i < n; i++) {
    records[i].value = x[i] * x[i];
    records[i].partner = i * 3 % n;
    records[i].weight = i;
  }
  for (int i = 0; i < n; i++) sum += records[records[i].partner].value * x[i] + records[i].weight * x[i];
  return sum;
}

separate static Vector cross(Vector a, Vector b) {
  return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double products(double *x, int n) {
  Vector a = {x[0], x[1], x[2]}, b = {x[3], x[4], x[5]};
  for (int i = 0; i < n; i++) {
    Vector c = cross(a, b);
    a = b;
    b = (Vector){0.2 * c.x + x[i], 0.1 * c.y, -0.3 * c.z};
  }
  return b.x * b.y + a.z;
}

static double exchanged(double *x, int n) {
  Vector vectors[3], old;
  for (int i = 0; i < 3; i++) vectors[i] = (Vector){x[i] * x[i], x[i + 1], x[(i + 4) % n]};
  old = vectors[0];
  vectors[0] = vectors[2];
  vectors[2] = old;
  return vectors[0].x * vectors[2].y + vectors[1].z * vectors[0].z + vectors[2].x;
}

separate static double sum_of_squares(const Slice *slice) {
  double sum = 0;
  for (int i = 0; i < slice->length; i++) sum += slice->values[i] * slice->values[i];
  return sum;
}

static double slices(double *x, int n) {
  double r = 1;
  for (int i = 1; i < n; i++) {
    Slice slice = {x + n - i, i};
    r += 0.1 * sum_of_squares(&slice) * r;
  }
  return r;
}

separate static void d_partners(double *x, double *dx, int n) { __enzyme_autodiff((void *)partners, x, dx, n); }
separate static void d_products(double *x, double *dx, int n) { __enzyme_autodiff((void *)products, x, dx, n); }
separate static void d_exchanged(double *x, double *dx, int n) { __enzyme_autodiff((void *)exchanged, x, dx, n); }
separate static void d_slices(double *x, double *dx, int n) { __enzyme_autodiff((void *)slices, x, dx, n); }

int main(void) {
  expect_gradient(d_partners, partners);
  expect_gradient(d_products, products);
  expect_gradient(d_exchanged, exchanged);
  expect_gradient(d_slices, slices);
  return result_of_test();
}
