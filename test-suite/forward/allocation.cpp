// operator new and delete in all their forms; an exception on the way frees what was made, shadows too.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme -std=c++17 %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -fsized-deallocation && %t
// RUN: %clang++ -std=c++17 -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <memory>
#include <new>
#include <vector>

extern int enzyme_width;
struct Four { double at[4]; };
template <typename... T> double __enzyme_fwddiff(void *, T...);
template <typename... T> Four __enzyme_fwddiff_four(void *, T...);

struct alignas(64) Wide {
  double at[4];
};

static double single(double x) {
  double *p = new double(x * x);
  double y = *p * 3;
  delete p;
  return y;
}

static double array(double x, int n) {
  double *p = new double[n];
  for (int i = 0; i < n; i++) p[i] = i * x;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += p[i] * x;
  delete[] p;
  return sum;
}

static double over_aligned(double x) {
  Wide *one = new Wide{{x, x * x, 0, 1}}, *many = new Wide[3];
  many[2] = *one;
  double y = many[2].at[0] * many[2].at[1];
  delete one;
  delete[] many;
  return y;
}

static double without_exceptions(double x) {
  double *p = new (std::nothrow) double(x), *q = new (std::nothrow) double[2];
  Wide *w = new (std::nothrow) Wide{{x, 1, 2, 3}};
  if (!p || !q || !w) return -1;
  q[0] = *p;
  q[1] = w->at[0];
  double y = q[0] * q[1];
  delete p;
  delete[] q;
  delete w;
  return y;
}

struct Checked {
  double value;
  __attribute__((noinline)) explicit Checked(double x) : value(x * x) {
    if (x > 10) throw 7;
  }
};

// The constructor may throw: then what was allocated is freed.
static double constructed(double x) {
  double y = 0;
  try {
    std::unique_ptr<Checked> p(new Checked(x));
    y = p->value;
    std::unique_ptr<Checked> q(new Checked(8 * x));
    y += q->value;
  } catch (int code) {
    y += code * x;
  }
  return y;
}

static double containers(double x, int n) {
  std::vector<double> v;
  for (int i = 1; i <= n; i++) v.push_back(x * i);
  std::vector<double> copy = v;
  for (int i = 0; i < n; i++) copy.push_back(v[0]);
  auto shared = std::make_shared<double>(x);
  double sum = 0;
  for (double y : copy) sum += y * *shared;
  return sum;
}

int main() {
  double x = 1.5;
  expect(__enzyme_fwddiff((void *)single, x, 1.0), 6 * x);
  expect(__enzyme_fwddiff((void *)array, x, 1.0, 5), 20 * x);
  expect(__enzyme_fwddiff((void *)over_aligned, x, 1.0), 3 * x * x);
  expect(__enzyme_fwddiff((void *)without_exceptions, x, 1.0), 2 * x);
  expect(__enzyme_fwddiff((void *)constructed, x, 1.0), 2 * x + 7);
  expect(__enzyme_fwddiff((void *)constructed, 1.0, 1.0), 2 + 128.0);
  expect(__enzyme_fwddiff((void *)containers, x, 1.0, 4), 2 * 14 * x);
  Four d = __enzyme_fwddiff_four((void *)containers, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0, 4);
  for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * 2 * 14 * x);
  d = __enzyme_fwddiff_four((void *)over_aligned, enzyme_width, 4, x, 1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) expect(d.at[i], (i + 1) * 3 * x * x);
  return result_of_test();
}
