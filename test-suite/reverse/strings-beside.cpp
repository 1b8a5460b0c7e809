// Strings beside the numbers: memory that leads to itself, since short strings hold their own characters.

// REQUIRES: clang
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t

#include "../Inputs/gradient.h"

#include <string>
#include <vector>

void __enzyme_autodiff(void *, double *, double *, int);

static double labelled(double *x, int n) {
  std::string text = "k";
  std::vector<std::string> labels;
  double r = 0;
  for (int i = 0; i < n; i++) {
    labels.push_back("too long to lie in the string itself " + std::to_string(i));
    text += "x";
    r += x[i] * x[i] * text.size();
  }
  for (const std::string &label : labels) r += label.size() * x[0];
  return r;
}

static void gradient(double *x, double *dx, int n) { __enzyme_autodiff(reinterpret_cast<void *>(labelled), x, dx, n); }

int main() {
  expect_gradient(gradient, labelled);
  return result_of_test();
}
