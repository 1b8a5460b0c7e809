// Second derivatives, forward over forward: through memory, structs, calls, function pointers and virtual methods.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

double __enzyme_fwddiff(void *, ...);
struct two {
  double x, y;
};
two __enzyme_fwddiff_two(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width;

// Through arrays and the heap.
__attribute__((noinline)) static void cube_all(double *out, const double *in, int n) {
  double *square = new double[n];
  for (int i = 0; i < n; i++) square[i] = in[i] * in[i];
  for (int i = 0; i < n; i++) out[i] = square[i] * in[i];
  delete[] square;
}
static double through_memory(double x) {
  double in[3] = {x, 2 * x, 3 * x}, out[3];
  cube_all(out, in, 3);
  return out[0] + out[1] + out[2];
}
static double d_through_memory(double x) { return __enzyme_fwddiff((void *)through_memory, x, 1.0); }

// The inner derivative writes its tangents to memory that the outer one differentiates.
static double into_memory(double x) {
  double in[2] = {x, x * x}, d_in[2] = {1, 0}, out[2], d_out[2];
  __enzyme_fwddiff((void *)cube_all, enzyme_dup, out, d_out, enzyme_dup, in, d_in, enzyme_const, 2);
  return d_out[0] + d_out[1];
}

// Through a call, and recursion.
__attribute__((noinline)) static double power(double x, int n) { return n == 0 ? 1 : x * power(x, n - 1); }
static double d_power(double x) { return __enzyme_fwddiff((void *)power, x, 1.0, 5); }
static double dd_power(double x) { return __enzyme_fwddiff((void *)d_power, x, 1.0); }

// Through a function pointer and a virtual method.
__attribute__((noinline)) static double sine(double x) { return sin(x) * x; }
__attribute__((noinline)) static double cosine(double x) { return cos(x) * x; }
static double chosen(double x, int which) {
  double (*f)(double) = which ? sine : cosine;
  return f(x);
}
static double d_chosen(double x, int which) { return __enzyme_fwddiff((void *)chosen, x, 1.0, which); }

struct Shape {
  virtual double area() const = 0;
  virtual ~Shape() {}
};
struct Ball : Shape {
  double r;
  explicit Ball(double r) : r(r) {}
  double area() const override { return r * r * r; }
};
struct Cube : Shape {
  double a;
  explicit Cube(double a) : a(a) {}
  double area() const override { return 6 * a * a; }
};
__attribute__((noinline)) static double area(const Shape &shape) { return shape.area(); }
static double of_shape(double x, int which) {
  Ball ball(x);
  Cube cube(x);
  return which ? area(ball) : area(cube);
}
static double d_of_shape(double x, int which) { return __enzyme_fwddiff((void *)of_shape, x, 1.0, which); }

// Several directions of several directions.
static double product(double x, double y) { return x * x * y; }
static two gradient(double x, double y) {
  return __enzyme_fwddiff_two((void *)product, enzyme_width, 2, enzyme_dup, x, 1.0, 0.0, enzyme_dup, y, 0.0, 1.0);
}

int main() {
  double x = 0.8;
  expect(__enzyme_fwddiff((void *)d_through_memory, x, 1.0), 6 * 36 * x);
  expect(into_memory(x), 3 * x * x);
  expect(__enzyme_fwddiff((void *)into_memory, x, 1.0), 6 * x);
  expect(dd_power(x), 20 * x * x * x);
  expect(__enzyme_fwddiff((void *)dd_power, x, 1.0), 60 * x * x);
  expect(__enzyme_fwddiff((void *)d_chosen, x, 1.0, 1), 2 * cos(x) - x * sin(x));
  expect(__enzyme_fwddiff((void *)d_chosen, x, 1.0, 0), -2 * sin(x) - x * cos(x));
#if __clang_major__ >= 19
  // Older LLVMs hide from the second derivative which virtual methods there are: it ends with a message.
  expect(__enzyme_fwddiff((void *)d_of_shape, x, 1.0, 1), 6 * x);
  expect(__enzyme_fwddiff((void *)d_of_shape, x, 1.0, 0), 12);
#endif
  two second = __enzyme_fwddiff_two((void *)gradient, enzyme_dup, x, 1.0, enzyme_dup, 2.0, 0.0);
  expect(second.x, 4), expect(second.y, 2 * x);
  return result_of_test();
}
