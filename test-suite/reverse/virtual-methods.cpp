// The gradient through virtual methods: the shadow of an object is made by its constructor, or by nothing at all.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <memory>

extern int enzyme_dup, enzyme_const;
template <typename... T> double __enzyme_autodiff(void *, T...);
template <typename T> T __enzyme_virtualreverse(T);

struct Shape {
  double size;
  Shape(double size) : size(size) {}
  virtual double area(double scale) const = 0;
  virtual void grow(double by) { size += by * by; }
  virtual ~Shape() {}
};
struct Square : Shape {
  using Shape::Shape;
  double area(double scale) const override { return size * size * scale; }
};
struct Circle : Shape {
  double factor = 3;
  using Shape::Shape;
  double area(double scale) const override { return factor * size * size * scale * scale; }
  void grow(double by) override { size *= by; }
};

static double measure(Shape *shape, double scale) {
  shape->grow(scale);
  return shape->area(scale);
}

__attribute__((noinline)) static std::unique_ptr<Shape> make(double size, int which) {
  if (which) return std::make_unique<Circle>(size);
  return std::make_unique<Square>(size);
}
static double made(double size, int which) { return make(size, which)->area(2); }

int main() {
  Square square(2), square_shadow(0);
  expect(__enzyme_autodiff((void *)measure, enzyme_dup, (Shape *)&square, (Shape *)&square_shadow, 1.5), 2 * 4.25 * 1.5 * 3 + 4.25 * 4.25);
  expect(square_shadow.size, 2 * 4.25 * 1.5);

  Circle circle(2), circle_shadow(0);
  circle_shadow.factor = 0;
  expect(__enzyme_autodiff((void *)measure, enzyme_dup, (Shape *)&circle, (Shape *)&circle_shadow, 1.5), 3 * 4 * 4 * pow(1.5, 3));
  expect(circle_shadow.size, 3 * 2 * 2 * pow(1.5, 4));
  expect(circle_shadow.factor, pow(2 * 1.5, 2) * 1.5 * 1.5);

  // As it was done before it was needless.
  Circle other(2), other_shadow(0);
  other_shadow.factor = 0;
  *(void **)&other_shadow = __enzyme_virtualreverse(*(void **)&other_shadow);
  __enzyme_autodiff((void *)measure, enzyme_dup, (Shape *)&other, (Shape *)&other_shadow, 1.5);
  expect(other_shadow.size, circle_shadow.size);
  return result_of_test();
}
