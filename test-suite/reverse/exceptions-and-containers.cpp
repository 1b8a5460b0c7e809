// C++: containers, and calls that may throw on every way through loops. What is thrown leaves the derivative as it leaves the
// function; where the function catches it there is no way back, and the program says so.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -o %t
// DEFINE: %{run} = %t && %not --crash %t caught 2>&1 | %FileCheck %s
// RUN: %{compile} -O0 && %{run}
// RUN: %{compile} -O1 && %{run}
// RUN: %{compile} -O2 && %{run}
// RUN: %{compile} -O3 && %{run}
// RUN: %clang++ -O2 %s %lldEnzyme -o %t && %{run}
// TIME-LIMIT: 240
// CHECK: EnzymeRS: an exception was caught in what is differentiated

extern "C" {
#include "../Inputs/gradient.h"
}
#include <numeric>
#include <stdexcept>
#include <vector>

template <typename... Arguments> double __enzyme_autodiff(Arguments...);

static int alive;

struct Guard {
  Guard() { alive++; }
  ~Guard() { alive--; }
};

separate static double checked_square(double x, int *calls) {
  if (x > 100) throw 7;
  ++*calls;
  return x * x;
}

// Invokes in a loop that is counted, with a destructor on the way out.
static double guarded(double *x, int n) {
  Guard guard;
  int calls = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * checked_square(x[i] * (i + 1), &calls);
  return sum * calls;
}

static double grown(double *x, int n) {
  std::vector<double> squares(n), products;
  for (int i = 0; i < n; i++) squares[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) products.push_back(sin(squares[i]) * squares[(i + 1) % n]);
  return std::accumulate(products.begin(), products.end(), 0.0);
}

// Throws when there is much on the tape.
static double long_way(double *x, int n) {
  Guard guard;
  int calls = 0;
  double y = x[0];
  for (int i = 0; i < 5000; i++) y = sin(y) * x[i % n];
  return y * checked_square(x[2], &calls);
}

// Each call of itself may throw, too, and holds memory of its own.
separate static double folded(double *x, int n) {
  std::vector<double> scaled(n);
  for (int i = 0; i < n; i++) scaled[i] = x[i] * x[0];
  double sum = std::accumulate(scaled.begin(), scaled.end(), 1.0);
  return n == 1 ? sum : sum * folded(x + 1, n - 1);
}

separate static double product_before(const double *x, int i, int last) {
  if (i > last) throw std::runtime_error("too far");
  return x[0] * x[i] * i;
}

static double up_to(double *x, int n, int last) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    try {
      sum += product_before(x, i, last) * x[i / 2];
    } catch (const std::exception &) {
      sum = -1;
    }
  }
  return sum;
}
static double tolerant(double *x, int n) { return up_to(x, n, 100); }

// The join is entered from a call that may throw and from a way without one.
static double chosen(double *x, int n) {
  Guard guard;
  double sum = 0;
  int calls = 0;
  for (int i = 0; i < n; i++) sum += i % 3 == 1 ? x[i] * 2 : checked_square(x[i], &calls) * x[0];
  return sum;
}

#define GRADIENT(of) static void d_##of(double *x, double *dx, int n) { __enzyme_autodiff((void *)of, x, dx, n); }
GRADIENT(guarded)
GRADIENT(grown)
GRADIENT(folded)
GRADIENT(long_way)
GRADIENT(tolerant)
GRADIENT(chosen)

static void d_up_to(double *x, double *dx, int n, int last) { __enzyme_autodiff((void *)up_to, x, dx, n, last); }

int main(int count, char **) {
  expect_gradient(d_guarded, guarded);
  expect_gradient(d_grown, grown);
  expect_gradient(d_folded, folded);
  expect_gradient(d_long_way, long_way);
  expect_gradient(d_tolerant, tolerant);
  expect_gradient(d_chosen, chosen);
  expect(alive, 0);

  double x[SIZE] = {1, 2, 300, 4, 5, 6, 7}, dx[SIZE] = {0};
  int thrown = 0;
  for (Gradient *gradient : {d_guarded, d_long_way}) {
    try {
      gradient(x, dx, SIZE);
    } catch (int number) {
      thrown += number;
    }
  }
  expect(thrown, 14);
  expect(alive, 0);

  if (count > 1) d_up_to(x, dx, SIZE, 3);
  return result_of_test();
}
