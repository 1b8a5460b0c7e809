// Structs as arguments: behind a pointer with a shadow, and by value inside the function that is differentiated.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);

typedef struct { double x, y; } Point;
typedef struct { Point center; double radius; int corners; } Shape;

__attribute__((noinline)) static double norm(Point p) { return sqrt(p.x * p.x + p.y * p.y); }

static double distance(double x, double y) {
  Point p = {x, y};
  return norm(p);
}

static double area(const Shape *shape) {
  return shape->corners * shape->radius * shape->radius + norm(shape->center);
}

static void scale(Shape *shape, double by) {
  shape->radius *= by;
  shape->center.x *= by;
}

int main(void) {
  expect(__enzyme_fwddiff((void *)distance, 3.0, 1.0, 4.0, 0.0), 0.6);
  expect(__enzyme_fwddiff((void *)distance, 3.0, 0.0, 4.0, 1.0), 0.8);

  Shape shape = {{3, 4}, 2, 5}, tangent = {{1, 1}, 10, 0};
  expect(__enzyme_fwddiff((void *)area, &shape, &tangent), 5 * 2 * 2 * 10 + 1.4);

  __enzyme_fwddiff((void *)scale, &shape, &tangent, 3.0, 1.0);
  expect(shape.radius, 6.0);
  expect(tangent.radius, 10 * 3 + 2 * 1.0);
  expect(shape.center.x, 9.0);
  expect(tangent.center.x, 1 * 3 + 3 * 1.0);
  expect(tangent.center.y, 1.0);
  return result_of_test();
}
