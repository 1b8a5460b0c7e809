// Arrays of structures with floats, integers and pointers side by side, of which nobody knows how many are copied, moved or
// filled at once.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang++ %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t
// RUN: %clang++ -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/gradient.h"

#include <cstdlib>
#include <vector>

extern int enzyme_width, enzyme_dup, enzyme_const;
void __enzyme_autodiff(...);
void *__enzyme_augmentfwd(...);
void __enzyme_reverse(...);

struct Term {
  double factor;
  int power;
};

struct Record {
  int number;
  double value;
  char tag[4];
  float weight;
  const double *place;
};

// Grows by copies of what it has.
static double pushed(double *x, int n) {
  std::vector<Term> terms;
  for (int i = 0; i < n; i++) terms.push_back({x[i] * x[i], i % 3});
  std::vector<Term> again(terms);
  double r = 0;
  for (const Term &term : again) r += term.factor * (term.power + 1) * x[0];
  return r;
}

static double reallocated(double *x, int n) {
  Record *records = nullptr;
  int count = 0, capacity = 0;
  for (int i = 0; i < n; i++) {
    if (count == capacity) {
      capacity = 2 * capacity + 1;
      records = static_cast<Record *>(realloc(records, capacity * sizeof *records));
    }
    Record &record = records[count++];
    record.number = i;
    record.value = x[i] * x[i];
    record.place = x + (i + 1) % n;
  }
  double r = 0;
  for (int i = 0; i < count; i++) r += records[i].value * *records[i].place * records[i].number;
  free(records);
  return r;
}

// What is copied overlaps where it goes, upward and downward.
static double shifted(double *x, int n) {
  Term *terms = new Term[n + 2];
  for (int i = 0; i < n; i++) terms[i] = {x[i] * x[i], i};
  memmove(terms + 2, terms, n * sizeof *terms);
  memmove(terms + 1, terms + 3, (n - 2) * sizeof *terms);
  double r = 0;
  for (int i = 0; i < n + 2; i++) r += terms[i].factor * terms[i].power * (i + 1);
  delete[] terms;
  return r;
}

static double copied(double *x, int n) {
  Record *from = static_cast<Record *>(calloc(n, sizeof *from)), *to = static_cast<Record *>(malloc(n * sizeof *to));
  memset(to, 0, n * sizeof *to);
  for (int i = 0; i < n; i++) {
    from[i].number = i;
    from[i].value = x[i];
    from[i].weight = 0.5f;
    from[i].place = x + n - 1 - i;
  }
  for (int i = 0; i < n; i += 2) to[i].value = x[i];
  memcpy(to, from, (n - 1) * sizeof *to);
  Record first = to[0];
  to[0] = to[n - 2];
  to[n - 2] = first;
  double r = to[n - 1].value * x[1];
  for (int i = 0; i < n - 1; i++) r += to[i].value * to[i].value * to[i].number * *to[i].place * (i + 1);
  free(from);
  free(to);
  return r;
}

template <double (*f)(double *, int)> void together(double *x, double *dx, int n) {
  __enzyme_autodiff(reinterpret_cast<void *>(f), x, dx, n);
}

template <double (*f)(double *, int)> void apart(double *x, double *dx, int n) {
  double before[SIZE];
  memcpy(before, x, sizeof before);
  void *tape = __enzyme_augmentfwd(reinterpret_cast<void *>(f), x, dx, n);
  for (int i = 0; i < n; i++) x[i] = 1000;
  __enzyme_reverse(reinterpret_cast<void *>(f), x, dx, n, 1.0, tape);
  memcpy(x, before, sizeof before);
}

template <double (*f)(double *, int)> void twice(double *x, double *dx, int n) {
  double other[SIZE] = {0};
  __enzyme_autodiff(reinterpret_cast<void *>(f), enzyme_width, 2, enzyme_dup, x, other, dx, enzyme_const, n);
  for (int i = 0; i < n; i++) expect(other[i], dx[i]);
}

template <double (*f)(double *, int)> void check() {
  expect_gradient(together<f>, f);
  expect_gradient(apart<f>, f);
  expect_gradient(twice<f>, f);
}

int main() {
  check<pushed>();
  check<reallocated>();
  check<shifted>();
  check<copied>();
  return result_of_test();
}
