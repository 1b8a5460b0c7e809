// Each attribute in C++: functions, methods, constructors, templates, lambdas and static members, at every level of
// optimisation and in each of the spellings.

// DEFINE: %{compile} = %clang++ %clangPlugin -std=c++17 -Wall -Wextra -Werror %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"

template <typename... T> double __enzyme_autodiff(void *, T...);
template <typename... T> double __enzyme_fwddiff(void *, T...);
extern int enzyme_const, enzyme_dup;

namespace tools {
[[enzyme::inactive]] double weight(double x) { return x * x; }
[[enzyme::inactive]] double state = 1;
} // namespace tools

struct Counter {
  [[enzyme_inactive]] static double total;
  __attribute__((enzyme_inactive)) static inline double last = 0;
  double by;

  __attribute__((enzyme_inactive, noinline)) Counter(double x) : by(2) { total += x; }
  [[clang::enzyme_inactive]] double scaled(double x) const { return by * x; }
  __attribute__((enzyme_inactive, noinline)) virtual double turned(double x) const { return -x; }
  virtual ~Counter() = default;
};
double Counter::total = 0;

template <typename T> struct Box {
  __attribute__((enzyme_inactive)) static T content;
  __attribute__((enzyme_inactive)) static T kept(T x) { return content = x; }
  T value;
};
template <typename T> T Box<T>::content = 0;

template <typename T> __attribute__((enzyme_function_like("log1p"))) T logarithm(T x) { return 2 * x; }
template <typename T> [[enzyme::shouldrecompute]] T twice(T x) { return 2 * x; }
[[enzyme::nofree, enzyme::elementwise_read]] static double element(const double *x) { return *x; }
[[enzyme::notypeanalysis]] static double plain(double x) { return x; }

static double f(double x) {
  auto inactive = [](double y) __attribute__((enzyme_inactive)) { return 3 * y; };
  tools::state = x;
  Counter counter(x);
  Counter::last = x;
  double result = tools::weight(x) * x + tools::state * x + Counter::last * x;
  result += counter.scaled(x) * x + counter.turned(x) * x + inactive(x) * x;
  result += Box<double>::kept(x) * x + Box<double>::content * x;
  return result + logarithm(x) + twice(x) + element(&x) + plain(x);
}

static float narrow(float x) { return logarithm(x) + Box<float>::kept(x) * x; }

int main() {
  for (double x = 0.25; x < 2; x += 0.5) {
    double derivative = x * x + x + x + 2 * x - x + 3 * x + x + x + 1 / (1 + x) + 2 + 1 + 1;
    expect(__enzyme_fwddiff((void *)f, x, 1.0), derivative);
    expect(__enzyme_autodiff((void *)f, x), derivative);
    expect(Counter::last, x);
  }
  // Each derivative has constructed one counter.
  expect(Counter::total, 2 * (0.25 + 0.75 + 1.25 + 1.75));
  expect_float(__enzyme_autodiff((void *)narrow, 0.5f), 1 / 1.5 + 0.5);
  return result_of_test();
}
