// enzyme::autodiff in reverse mode: gradients of active arguments, with and without the function's own result.

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
#include <type_traits>

using enzyme::Active;
using enzyme::autodiff;
using enzyme::Const;
using enzyme::get;
using enzyme::nodiff;
using enzyme::Reverse;
using enzyme::ReverseWithPrimal;
using enzyme::tuple;

static double square(double x) { return x * x; }
static double product(double x, double y) { return x * y; }
static double mixed(double x, float y, int n, double z) { return x * y * n + z * z; }

struct Pair {
  double x, y;
};
struct Scaled {
  double by;
  double operator()(double x) const { return by * x; }
  float operator()(float x) const { return 2 * x; }
};

static void one_argument() {
  tuple<tuple<double>> gradient = autodiff<Reverse>(square, Active{3.1});
  expect(get<0>(get<0>(gradient)), 6.2);
  gradient = autodiff<Reverse, Active<double>>(square, Active<double>{3.1});
  expect(get<0>(get<0>(gradient)), 6.2);

  tuple<tuple<double>, double> both = autodiff<ReverseWithPrimal>(square, Active{3.1});
  expect(get<0>(get<0>(both)), 6.2);
  expect(get<1>(both), 3.1 * 3.1);
  auto [derivatives, primal] = autodiff<ReverseWithPrimal, Active<double>>(square, Active{2.0});
  expect(get<0>(derivatives), 4.0);
  expect(primal, 4.0);
}

static void several_arguments() {
  auto gradient = get<0>(autodiff<Reverse>(product, Active{3.1}, Active{2.7}));
  expect(get<0>(gradient), 2.7);
  expect(get<1>(gradient), 3.1);
  auto with_primal = autodiff<ReverseWithPrimal>(product, Active{3.1}, Active{2.7});
  expect(get<0>(get<0>(with_primal)), 2.7);
  expect(get<1>(get<0>(with_primal)), 3.1);
  expect(get<1>(with_primal), 3.1 * 2.7);

  // Each argument keeps its place; one without a derivative has `nodiff` there.
  auto places = get<0>(autodiff<Reverse>(mixed, Const{2.0}, Active{3.0f}, Const{5}, Active{7.0}));
  static_assert(std::is_same_v<decltype(places), tuple<nodiff, float, nodiff, double>>);
  expect_float(get<1>(places), 10);
  expect(get<3>(places), 14.0);
  auto all = autodiff<ReverseWithPrimal>(mixed, Active{2.0}, Active{3.0f}, Const{5}, Active{7.0});
  expect(get<0>(get<0>(all)), 15.0);
  expect_float(get<1>(get<0>(all)), 10);
  expect(get<3>(get<0>(all)), 14.0);
  expect(get<1>(all), 79.0);
}

static void inactive_results() {
  auto gradient = get<0>(autodiff<Reverse, Const<double>>(product, Active{3.1}, Active{2.7}));
  expect(get<0>(gradient), 0.0);
  expect(get<1>(gradient), 0.0);
  auto nothing = autodiff<Reverse>(square, Const{3.1});
  static_assert(std::is_same_v<decltype(nothing), tuple<tuple<nodiff>>>);
  expect(get<1>(autodiff<ReverseWithPrimal>(square, Const{3.0})), 9.0);
}

static void callables() {
  expect(get<0>(get<0>(autodiff<Reverse>([](double x) { return x * x; }, Active{3.0}))), 6.0);
  expect(get<0>(get<0>(autodiff<Reverse>(+[](double x) { return x * x; }, Active{3.0}))), 6.0);
  expect_float(get<0>(get<0>(autodiff<Reverse>(Scaled{10}, Active{3.0f}))), 2);
}

static void by_hand() {
  auto [x, y] = __enzyme_autodiff<Pair>((void *)product, enzyme_out, 3.1, enzyme_out, 2.7);
  expect(x, 2.7);
  expect(y, 3.1);
  expect(__enzyme_fwddiff<double>((void *)product, enzyme_dup, 3.0, 1.0, enzyme_const, 2.0), 2.0);
}

int main() {
  one_argument();
  several_arguments();
  inactive_results();
  callables();
  by_hand();
  return result_of_test();
}
