// C++: virtual methods that the compiler cannot make direct. Objects are made inside, or outside with a shadow that is
// an object made by the same constructor; hierarchies with several bases, virtual destructors, pure methods.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -fno-rtti && %t
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width;

struct Shape {
  virtual double area() const = 0;
  virtual void grow(double factor) = 0;
  virtual ~Shape() {}
};
struct Named {
  int tag = 3;
  virtual int number() const { return tag; }
  virtual double weight(double density) const { return density; }
  virtual ~Named() {}
};
struct Disc : Shape {
  double r;
  explicit Disc(double r) : r(r) {}
  double area() const override { return 3.0 * r * r; }
  void grow(double factor) override { r *= factor; }
};
struct Box : Shape, Named {
  double a, b;
  Box(double a, double b) : a(a), b(b) {}
  double area() const override { return a * b; }
  void grow(double factor) override { a += factor, b += factor; }
  double weight(double density) const override { return a * b * density; }
};

__attribute__((noinline)) static double grown(Shape &shape, double factor) {
  shape.grow(factor);
  return shape.area();
}
__attribute__((noinline)) static double weight(const Named &named, double density) { return named.weight(density) * named.number(); }

// The object is made inside, and which it is depends on an argument.
__attribute__((noinline)) static double made_inside(double x, int which) {
  Shape *shape = which ? static_cast<Shape *>(new Disc(x)) : new Box(x, 2.0);
  double result = grown(*shape, x);
  delete shape;
  return result;
}

// The second base lies at an offset in the object: the method is called through a thunk.
__attribute__((noinline)) static double second_base(double x) {
  Box box(x, x * x);
  return weight(box, 2 * x);
}

// The object is made outside.
__attribute__((noinline)) static double made_outside(Shape *shape, double factor) { return grown(*shape, factor); }

struct two {
  double x, y;
};
two __enzyme_fwddiff_two(void *, ...);

int main() {
  double x = 0.75;
  expect(__enzyme_fwddiff((void *)made_inside, x, 1.0, 1), 12 * x * x * x);
  expect(__enzyme_fwddiff((void *)made_inside, x, 1.0, 0), 2 * (2 + x) + 2 * x);
  expect(__enzyme_fwddiff((void *)second_base, x, 1.0), 3 * 8 * x * x * x);

  // d/dfactor and d/dr of 3 (r factor)^2.
  Disc disc(2.0), d_disc(0.0);
  expect(__enzyme_fwddiff((void *)made_outside, enzyme_dup, &disc, &d_disc, enzyme_dup, 3.0, 1.0), 6 * 2 * 6.0);
  expect(disc.r, 6);
  expect(d_disc.r, 2);
  Box box(2.0, 5.0), d_box(1.0, 0.0);
  expect(__enzyme_fwddiff((void *)made_outside, enzyme_dup, (Shape *)&box, (Shape *)&d_box, enzyme_dup, 1.0, 0.0), 6);
  two both = __enzyme_fwddiff_two((void *)made_inside, enzyme_width, 2, enzyme_dup, x, 1.0, 2.0, 1);
  expect(both.x, 12 * x * x * x);
  expect(both.y, 24 * x * x * x);
  Disc d_disc_0(0.0), d_disc_1(1.0);
  disc.r = 2.0;
  both = __enzyme_fwddiff_two((void *)made_outside, enzyme_width, 2, enzyme_dup, &disc, &d_disc_0, &d_disc_1,
                              enzyme_dup, 3.0, 1.0, 0.0);
  expect(both.x, 72);
  expect(both.y, 6 * 6 * 3);
  return result_of_test();
}
