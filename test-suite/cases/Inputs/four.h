// Four directions at once.
#ifndef FOUR_H
#define FOUR_H

#include "../../Inputs/check.h"

typedef struct {
  double at[4];
} Four;

Four __enzyme_fwddiff_four(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width;

// Four directions of `count` numbers: 1 at `first` and at the places after it, around the end.
#define UNITS(directions, count, first)                                                                                \
  double directions[4][count];                                                                                         \
  for (int i = 0; i < 4; i++)                                                                                          \
    for (int j = 0; j < (count); j++) directions[i][j] = j == ((first) + i) % (count)

#define ALL(directions) directions[0], directions[1], directions[2], directions[3]

// Compares the derivatives along such directions with those along each of them alone.
__attribute__((unused)) static void expect_units(Four got, const double *alone, int count, int first) {
  for (int i = 0; i < 4; i++) expect_near(got.at[i], alone[(first + i) % count], 1e-12);
}

// The same for a function of one number, along 1, 2, -1 and 0.5.
#define MULTIPLES 1.0, 2.0, -1.0, 0.5
__attribute__((unused)) static void expect_multiples(Four got, double alone) {
  const double factors[4] = {MULTIPLES};
  for (int i = 0; i < 4; i++) expect_near(got.at[i], factors[i] * alone, 1e-12);
}

#endif
