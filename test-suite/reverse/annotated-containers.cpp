// Annotated loops in C++ (enzyme/checkpoint.h): loops over ranges, states in containers, exceptions, both sweeps in two calls,
// several directions, and a link-time optimiser that inlines the loops.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ -std=c++17 %clangEnzyme -I%include -Wall -Wextra -Werror %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -DENZYME_NO_CHECKPOINTS && %t
// RUN: %clang++ -std=c++17 -O2 -I%include %s %lldEnzyme -o %t && %t
// RUN: %clang++ -std=c++17 %clangEnzyme -O2 -I%include %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <cmath>
#include <complex>
#include <enzyme/checkpoint.h>
#include <stdexcept>
#include <vector>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_width;
template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);
template <typename... Arguments> void *__enzyme_augmentfwd(void *, Arguments...);
template <typename... Arguments> double __enzyme_reverse(void *, Arguments...);
template <typename... Arguments> double __enzyme_fwddiff(void *, Arguments...);

// The loop is over a range, and the state is a container.
template <bool Keeps> static double range(const double *p, int n) {
  std::vector<double> times(n), u(p, p + 3);
  for (int k = 0; k < n; k++) times[k] = 0.1 * k;
  double sum = 0;
  for (double time : times) {
    if constexpr (Keeps)
      ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(u.data(), 3 * sizeof(double)));
    for (double &x : u) x += 0.125 * std::sin(x + time) * sum;
    sum += u[0] * u[1] - u[2];
  }
  return sum + u[1];
}

// Each iteration has containers of its own.
template <bool Keeps> static double containers(const double *p, int n) {
  std::vector<double> u(p, p + 3);
  for (int i = 0; i < n; i++) {
    if constexpr (Keeps)
      ENZYME_CHECKPOINT("binomial", 2, ENZYME_REGION(u.data(), u.size() * sizeof(double)));
    std::vector<double> next(u.size());
    for (std::size_t k = 0; k < u.size(); k++) next[k] = u[k] + 0.05 * u[(k + 1) % u.size()] * std::cos(u[k]);
    for (std::size_t k = 0; k < u.size(); k++) u[k] = next[k];
  }
  return u[0] * u[1] + u[2];
}

// References to what the caller has, and complex numbers.
template <bool Keeps> static void rotate(std::complex<double> &z, double &norms, double angle, int n) {
  const std::complex<double> turn(std::cos(angle), std::sin(angle));
  for (int i = 0; i < n; i++) {
    if constexpr (Keeps) ENZYME_CHECKPOINT("binomial", 2);
    z = z * turn + std::complex<double>(0.01 * i, angle);
    norms += std::norm(z) * 0.1;
  }
}

template <bool Keeps> static double complex(const double *p, int n) {
  std::complex<double> z(p[0], p[1]);
  double norms = 0;
  rotate<Keeps>(z, norms, p[2], n);
  return norms + z.real() * z.imag();
}

// An object that has its state in itself, and a method that calls functions.
struct Oscillator {
  double x, v, stiffness;
  [[gnu::noinline]] double force() const { return -stiffness * std::sin(x); }
  template <bool Keeps> [[gnu::noinline]] void run(int n) {
    for (int i = 0; i < n; i++) {
      if constexpr (Keeps) ENZYME_CHECKPOINT("binomial", 3, ENZYME_REGION(this, sizeof *this));
      v += 0.01 * force();
      x += 0.01 * v;
    }
  }
};

template <bool Keeps> static double object(const double *p, int n) {
  Oscillator oscillator{p[0], p[1], p[2]};
  oscillator.run<Keeps>(n);
  return oscillator.x + oscillator.v;
}

// A loop that throws where the derivative does not come along.
template <bool Keeps> static double checked(const double *p, int n) {
  double x = p[0];
  for (int i = 0; i < n; i++) {
    if constexpr (Keeps) ENZYME_CHECKPOINT("binomial", 3);
    if (x > 1e6) throw std::runtime_error("too large");
    x = x * std::cos(p[1]) + 0.5;
  }
  return x;
}

using Function = double(const double *, int);
template <Function *F> static void gradient(const double *p, double *dp, int n) {
  __enzyme_autodiff<void>(reinterpret_cast<void *>(F), enzyme_dup, p, dp, enzyme_const, n);
}

template <Function *Annotated, Function *Plain> static void compare_gradients() {
  for (int n : {0, 1, 2, 9, 30}) {
    const double p[] = {0.75, 0.5, 0.25};
    double got[3] = {}, wanted[3] = {};
    expect(Annotated(p, n), Plain(p, n));
    gradient<Annotated>(p, got, n);
    gradient<Plain>(p, wanted, n);
    for (int k = 0; k < 3; k++) expect(got[k], wanted[k]);
  }
}

// Two calls, between which the memory that the steps read changes.
static void two_calls() {
  double p[] = {0.75, 0.5, 0.25}, got[3] = {}, wanted[3] = {};
  void *tape = __enzyme_augmentfwd(reinterpret_cast<void *>(object<true>), enzyme_dup, p, got, enzyme_const, 20);
  p[0] = p[1] = p[2] = 100;
  __enzyme_reverse(reinterpret_cast<void *>(object<true>), enzyme_dup, p, got, enzyme_const, 20, 1.0, tape);
  p[0] = 0.75, p[1] = 0.5, p[2] = 0.25;
  gradient<object<false>>(p, wanted, 20);
  for (int k = 0; k < 3; k++) expect(got[k], wanted[k]);
}

// Twice, where the derivative is twice and three times as large.
template <bool Keeps> static double scaled(double a, const double *p, int n) { return a * range<Keeps>(p, n); }

struct Two {
  double a[2];
};

static void two_directions() {
  const double p[] = {0.75, 0.5, 0.25};
  double first[3] = {}, second[3] = {}, wanted[3] = {};
  Two value = __enzyme_autodiff<Two>(reinterpret_cast<void *>(scaled<true>), enzyme_width, 2, enzyme_out, 2.0, enzyme_dup, p,
                                     first, second, enzyme_const, 12);
  gradient<range<false>>(p, wanted, 12);
  for (int k = 0; k < 3; k++) {
    expect(first[k], 2 * wanted[k]);
    expect(second[k], 2 * wanted[k]);
  }
  for (double one : value.a) expect(one, range<false>(p, 12));
}

int main() {
  compare_gradients<range<true>, range<false>>();
  compare_gradients<containers<true>, containers<false>>();
  compare_gradients<complex<true>, complex<false>>();
  compare_gradients<object<true>, object<false>>();
  compare_gradients<checked<true>, checked<false>>();
  two_calls();
  two_directions();
  return result_of_test();
}
