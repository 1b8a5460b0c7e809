// Methods, static members and templates that a file only declares: they are found by their mangled names.

// DEFINE: %{level} = -O0
// DEFINE: %{build} = %clang++ %{level} -DELSEWHERE -c %s -o %t.elsewhere.o && %clang++ %clangPlugin %{level} -Wall -Werror %s %t.elsewhere.o -o %t
// RUN: %{build} && %t
// REDEFINE: %{level} = -O2
// RUN: %{build} && %t

#ifdef ELSEWHERE
#define enzyme_inactive noinline
#define enzyme_nofree noinline
#define IN_FILE(...)
#else
#define IN_FILE(...) __VA_ARGS__
#endif

namespace outer {
struct Logger {
  IN_FILE(__attribute__((enzyme_inactive))) static double total;
  double by;
  __attribute__((enzyme_inactive)) Logger(double x);
  __attribute__((enzyme_inactive)) ~Logger();
  __attribute__((enzyme_inactive)) double note(double x);
  __attribute__((enzyme_inactive)) static double plain(double x);
  __attribute__((enzyme_inactive)) double operator()(double x) const;
};
template <typename T> __attribute__((enzyme_inactive)) T weight(T x);
} // namespace outer

#ifdef ELSEWHERE

double outer::Logger::total = 0;
outer::Logger::Logger(double x) : by(2) { total += x; }
outer::Logger::~Logger() { total += 1; }
double outer::Logger::note(double x) { return total += by * x; }
double outer::Logger::plain(double x) { return 3 * x; }
double outer::Logger::operator()(double x) const { return 5 * x; }
template <typename T> T outer::weight(T x) { return x * x; }
template double outer::weight<double>(double);

#else

#include "../Inputs/check.h"

template <typename... T> double __enzyme_autodiff(void *, T...);
template <typename... T> double __enzyme_fwddiff(void *, T...);

static double f(double x) {
  outer::Logger logger(x);
  return logger.note(x) * x + outer::Logger::plain(x) * x + logger(x) * x + outer::weight(x) * x;
}
static double through_member(double x) {
  outer::Logger::total = x;
  // It may write the variable, as far as anybody sees: what is read is not just what was stored.
  x += 0 * outer::Logger::plain(x);
  return outer::Logger::total * x;
}

int main() {
  double x = 1.5, derivative = 3 * x + 3 * x + 5 * x + x * x;
  expect(__enzyme_fwddiff((void *)f, x, 1.0), derivative);
  expect(outer::Logger::total, x + 2 * x + 1);
  outer::Logger::total = 0;
  expect(__enzyme_autodiff((void *)f, x), derivative);
  expect(outer::Logger::total, x + 2 * x + 1);
  expect(__enzyme_autodiff((void *)through_member, x), x);
  expect(__enzyme_fwddiff((void *)through_member, x, 1.0), x);
  return result_of_test();
}

#endif
