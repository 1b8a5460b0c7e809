// Floats that are handed to functions, and returned by them, as the integers of their bits.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

#include <stdint.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
typedef struct {
  double first, second;
} Pair;
Pair __enzyme_fwddiff_pair(void *, ...);
extern int enzyme_width;

#define NOINLINE __attribute__((noinline))

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double number_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

NOINLINE static uint64_t square_to_bits(double x) { return bits_of(x * x); }
NOINLINE static double square_of_bits(uint64_t bits) { return number_of(bits) * number_of(bits); }
NOINLINE static uint64_t square_bits(uint64_t bits) { return bits_of(number_of(bits) * number_of(bits)); }
NOINLINE static void store_bits(double *place, uint64_t bits, uint64_t tag) {
  if (tag == 3) memcpy(place, &bits, sizeof bits);
}
NOINLINE static uint32_t half_bits(float x) {
  uint32_t bits;
  x *= 0.5f;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double returned(double x) { return number_of(square_to_bits(x)); }
static double given(double x) { return square_of_bits(bits_of(x)); }
static double both(double x) { return square_of_bits(square_to_bits(x)); }
static double twice(double x) { return number_of(square_bits(square_bits(bits_of(x)))); }
static double in_loop(double x) {
  uint64_t bits = bits_of(x);
  for (int i = 0; i < 2; i++) bits = square_bits(bits);
  return number_of(bits);
}
static double stored(double x) {
  double place = 0;
  store_bits(&place, bits_of(x * x), 3);
  return place * place;
}
static double chosen(double x) { return number_of(x > 1 ? square_to_bits(x) : bits_of(3)); }
static double single(double x) {
  uint32_t bits = half_bits((float)x);
  float half;
  memcpy(&half, &bits, sizeof half);
  return (double)half * x;
}

#define CHECK(function, wanted)                                    \
  do {                                                             \
    expect(__enzyme_autodiff((void *)function, 1.5), wanted);      \
    expect(__enzyme_fwddiff((void *)function, 1.5, 1.0), wanted);  \
    Pair pair = __enzyme_fwddiff_pair((void *)function, enzyme_width, 2, 1.5, 1.0, 2.0); \
    expect(pair.first, wanted);                                    \
    expect(pair.second, 2 * (wanted));                             \
  } while (0)

int main(void) {
  CHECK(returned, 3.0);
  CHECK(given, 3.0);
  CHECK(both, 4 * 1.5 * 1.5 * 1.5);
  CHECK(twice, 4 * 1.5 * 1.5 * 1.5);
  CHECK(in_loop, 4 * 1.5 * 1.5 * 1.5);
  CHECK(stored, 4 * 1.5 * 1.5 * 1.5);
  CHECK(chosen, 3.0);
  CHECK(single, 1.5);
  expect(__enzyme_autodiff((void *)chosen, 0.5), 0);
  expect(__enzyme_fwddiff((void *)chosen, 0.5, 1.0), 0);
  return result_of_test();
}
