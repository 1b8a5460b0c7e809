// Results that are returned in memory: large structs, and objects whose life has to end.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme -I%include -Wall -Wextra -Werror -std=c++17 %s -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang++ -std=c++17 -O2 -I%include %s %lldEnzyme -o %t && %t

#include "../Inputs/check.h"
#include <enzyme/enzyme>
#include <vector>

using enzyme::autodiff;
using enzyme::Const;
using enzyme::Duplicated;
using enzyme::DuplicatedNoNeed;
using enzyme::Forward;
using enzyme::get;

struct Five {
  double at[5];
};
static Five powers(double x) { return {{1, x, x * x, x * x * x, 7}}; }

static std::vector<double> doubled(const std::vector<double> &of) {
  std::vector<double> result(of.size());
  for (std::size_t i = 0; i < of.size(); i++) result[i] = 2 * of[i];
  return result;
}
static std::vector<double> copied(const std::vector<double> &of) { return of; }

static void structs() {
  auto both = autodiff<Forward, Duplicated<Five>>(powers, Duplicated{3.0, 1.0});
  const double values[5] = {1, 3, 9, 27, 7}, tangents[5] = {0, 1, 6, 27, 0};
  for (int i = 0; i < 5; i++) {
    expect(get<0>(both).at[i], values[i]);
    expect(get<1>(both).at[i], tangents[i]);
  }
  auto tangent = get<0>(autodiff<Forward, DuplicatedNoNeed<Five>>(powers, Duplicated{3.0, 1.0}));
  for (int i = 0; i < 5; i++) expect(tangent.at[i], tangents[i]);
  auto value = get<0>(autodiff<Forward, Const<Five>>(powers, Duplicated{3.0, 1.0}));
  for (int i = 0; i < 5; i++) expect(value.at[i], values[i]);
}

template <auto function> static void vectors(double factor) {
  std::vector<double> x{3.4, 5.7}, dx{9.2, 11.3};
  auto both = autodiff<Forward, Duplicated<std::vector<double>>>(
      function, Duplicated<const std::vector<double> &>(x, dx));
  auto tangent = get<0>(autodiff<Forward, DuplicatedNoNeed<std::vector<double>>>(
      function, Duplicated<const std::vector<double> &>(x, dx)));
  for (int i = 0; i < 2; i++) {
    expect(get<0>(both)[i], factor * x[i]);
    expect(get<1>(both)[i], factor * dx[i]);
    expect(tangent[i], factor * dx[i]);
  }
}

int main() {
  structs();
  vectors<doubled>(2);
  vectors<copied>(1);
  return result_of_test();
}
