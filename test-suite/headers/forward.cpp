// enzyme::autodiff in forward mode: functions, lambdas and objects that can be called; every kind of argument and result.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme -I%include -Wall -Wextra -Werror %s -o %t
// RUN: %{compile} -std=c++17 -O0 && %t
// RUN: %{compile} -std=c++17 -O1 && %t
// RUN: %{compile} -std=c++17 -O2 && %t
// RUN: %{compile} -std=c++17 -O3 && %t
// RUN: %{compile} -std=c++20 -O0 && %t
// RUN: %{compile} -std=c++20 -O2 && %t
// RUN: %clang++ -std=c++17 -O2 -I%include %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <enzyme/enzyme>

using enzyme::autodiff;
using enzyme::Const;
using enzyme::Duplicated;
using enzyme::DuplicatedNoNeed;
using enzyme::Forward;
using enzyme::get;

static double square(double x) { return x * x; }
static double product(double x, double y) { return x * y; }
static float by_reference(const float &x) { return x * x; }
static double by_pointer(const double *x, int n) { return x[0] * x[n]; }
static void in_place(double &x, double by) { x *= by; }
static double without_exceptions(double x) noexcept { return 3 * x; }
static int rounded(double x) { return (int)x; }

static void results() {
  enzyme::tuple<double, double> both = autodiff<Forward, Duplicated<double>>(square, Duplicated{3.0, 1.0});
  expect(get<0>(both), 9.0);
  expect(get<1>(both), 6.0);
  enzyme::tuple<double> derivative = autodiff<Forward, DuplicatedNoNeed<double>>(square, Duplicated{3.0, 1.0});
  expect(get<0>(derivative), 6.0);
  derivative = autodiff<Forward>(square, Duplicated{3.0, 2.0});
  expect(get<0>(derivative), 12.0);
  enzyme::tuple<double> primal = autodiff<Forward, Const<double>>(square, Duplicated{3.0, 1.0});
  expect(get<0>(primal), 9.0);
  enzyme::tuple<int> integer = autodiff<Forward>(rounded, Duplicated{3.7, 1.0});
  expect(get<0>(integer), 3);

  auto [value, tangent] = autodiff<Forward, Duplicated<double>>(square, Duplicated{3.0, 1.0});
  expect(value, 9.0);
  expect(tangent, 6.0);
}

static void arguments() {
  expect(get<0>(autodiff<Forward>(product, Duplicated{3.0, 1.0}, Const{5.0})), 5.0);
  expect(get<0>(autodiff<Forward>(product, Const{3.0}, Duplicated{5.0, 2.0})), 6.0);
  expect(get<0>(autodiff<Forward>(product, DuplicatedNoNeed{3.0, 1.0}, Duplicated{5.0, 1.0})), 8.0);
  expect(get<0>(autodiff<Forward>(without_exceptions, Duplicated{1.0, 2.0})), 6.0);

  float x = 10, dx = 1;
  expect_float(get<0>(autodiff<Forward>(by_reference, Duplicated<const float &>{x, dx})), 20);
  const float fixed = 10;
  expect_float(get<0>(autodiff<Forward>(by_reference, Duplicated<const float &>{fixed, dx})), 20);
  expect_float(get<0>(autodiff<Forward, Const<float>>(by_reference, Const<const float &>{x})), 100);

  double at[2] = {2, 7}, along[2] = {1, 10};
  expect(get<0>(autodiff<Forward>(by_pointer, Duplicated<const double *>{at, along}, Const{1})), 27.0);

  double y = 5, dy = 1;
  enzyme::tuple<> nothing = autodiff<Forward>(in_place, Duplicated<double &>{y, dy}, Duplicated{3.0, 10.0});
  (void)nothing;
  expect(y, 15.0);
  expect(dy, 3 + 50.0);

  // Wrappers that are there already.
  Duplicated<double> duplicated{2.0, 1.0};
  const Const<double> constant{4.0};
  expect(get<0>(autodiff<Forward>(product, duplicated, constant)), 4.0);
  expect(constant.value, 4.0);
}

struct Point {
  double x, y;
};
struct Mixed {
  long count;
  double x, y, z;
};

struct Scaled {
  double by;
  double operator()(double x) const { return by * x * x; }
  float operator()(float x) const { return 2 * x; }
};

static double area(Point size) { return size.x * size.y; }

static void callables() {
  double by = 3;
  auto lambda = [by](double x) { return by * x * x; };
  expect(get<0>(autodiff<Forward>(lambda, Duplicated{2.0, 1.0})), 12.0);
  expect(get<0>(autodiff<Forward>([](double x, const double &y) { return x * y; }, Duplicated{2.0, 1.0},
                                  Const<const double &>{by})),
         3.0);
  expect(get<0>(autodiff<Forward>(+[](double x) { return x * x; }, Duplicated{2.0, 1.0})), 4.0);
  expect(get<0>(autodiff<Forward>(&square, Duplicated{2.0, 1.0})), 4.0);
  double (*pointer)(double) = square;
  expect(get<0>(autodiff<Forward>(pointer, Duplicated{2.0, 1.0})), 4.0);
  expect(get<0>(autodiff<Forward>(Scaled{10}, Duplicated{2.0, 1.0})), 40.0);
  expect_float(get<0>(autodiff<Forward>(Scaled{10}, Duplicated{2.0f, 1.0f})), 2);

  int calls = 0;
  auto counting = [&calls](double x) mutable {
    calls++;
    return x;
  };
  expect(get<0>(autodiff<Forward>(counting, Duplicated{2.0, 1.0})), 1.0);
  expect(calls, 1);
}

static void objects() {
  // Through a lambda objects may be of any kind.
  auto of_point = [](Point size) { return area(size); };
  expect(get<0>(autodiff<Forward>(of_point, Duplicated{Point{2, 3}, Point{70, 110}})), 2 * 110 + 3 * 70.0);
  auto scaled = [](double x, Point by, Mixed m) { return x * by.x + m.count * m.z; };
  expect(get<0>(autodiff<Forward>(scaled, Duplicated{2.0, 1.0}, Const{Point{3, 4}},
                                  Duplicated{Mixed{5, 0, 0, 1}, Mixed{0, 0, 0, 10}})),
         53.0);
}

int main() {
  results();
  arguments();
  callables();
  objects();
  return result_of_test();
}
