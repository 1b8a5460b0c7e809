// Iterators that the C++ library moves through a tree, and casts from a base class: pointers that are found by following
// others, in the shadow as in the program.

// REQUIRES: clang && linux
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"
#include <map>

int enzyme_dup, enzyme_const, enzyme_width;

template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(void *, Arguments...);

using Map = std::map<int, double>;

// Forwards with k, backwards with 1.
static double weighted(const Map *numbers) {
  double sum = 0;
  int k = 1;
  for (const auto &entry : *numbers) sum += k++ * entry.second * entry.second;
  for (auto entry = numbers->rbegin(); entry != numbers->rend(); ++entry) sum += entry->first * entry->second;
  return sum;
}

// Every number is read before it is changed.
static double replaced(Map *numbers) {
  double product = 1;
  for (auto &entry : *numbers) {
    product *= entry.second;
    entry.second = product * product;
  }
  return product;
}

struct Shape {
  double factor = 1;
  virtual ~Shape() = default;
};
struct Named {
  int name = 0;
  virtual ~Named() = default;
};
struct Circle : Named, Shape {
  double radius = 0;
};
struct Square : Shape {
  double side = 0;
};

static double area(Shape *shape) {
  if (auto *circle = dynamic_cast<Circle *>(shape)) return circle->factor * circle->radius * circle->radius;
  if (auto *square = dynamic_cast<Square *>(shape)) return square->factor * square->side * square->side * square->side;
  return 0;
}

int main() {
  const int count = 7;
  Map numbers, shadow;
  for (int i = 0; i < count; i++) numbers[i * 3 % count] = i + 0.5, shadow[i * 3 % count] = 0;
  __enzyme_autodiff<void>((void *)weighted, enzyme_dup, &numbers, &shadow);
  for (int i = 0; i < count; i++) expect(shadow[i], 2 * (i + 1) * numbers[i] + i);

  Map tangent;
  for (int i = 0; i < count; i++) tangent[i] = i == 3;
  expect(__enzyme_fwddiff<double>((void *)weighted, enzyme_dup, &numbers, &tangent), 2 * 4 * numbers[3] + 3);

  Map second, before = numbers;
  for (int i = 0; i < count; i++) shadow[i] = 0, second[i] = 0;
  double product = 1;
  for (const auto &entry : numbers) product *= entry.second;
  __enzyme_autodiff<void>((void *)replaced, enzyme_width, 2, enzyme_dup, &numbers, &shadow, &second);
  for (int i = 0; i < count; i++) {
    expect(shadow[i], product / before[i]);
    expect(second[i], product / before[i]);
  }

  Circle circle, circle_shadow;
  circle.radius = 1.5, circle.factor = 3, circle_shadow.factor = 0;
  __enzyme_autodiff<void>((void *)area, enzyme_dup, (Shape *)&circle, (Shape *)&circle_shadow);
  expect(circle_shadow.radius, 9);
  expect(circle_shadow.factor, 2.25);

  Square square, square_shadow;
  square.side = 2, square.factor = 0.5, square_shadow.factor = 0;
  __enzyme_autodiff<void>((void *)area, enzyme_dup, (Shape *)&square, (Shape *)&square_shadow);
  expect(square_shadow.side, 6);
  expect(square_shadow.factor, 8);
  return result_of_test();
}
