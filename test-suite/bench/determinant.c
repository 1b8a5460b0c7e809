// A determinant by minors, along the first row, recursively: exponential work, and no array of results.

#include "bench.h"

enum { ORDER = 7 };

typedef struct {
  double entry[ORDER][ORDER];
} Inputs;
typedef struct {
  int order;
} Data;
typedef struct {
  double determinant;
} Outputs;

// Of the rows from `row` on, and the columns whose bit is set.
static double minor(const double entry[][ORDER], int order, int row, unsigned columns) {
  if (row == order) return 1;
  double sum = 0, sign = 1;
  for (int column = 0; column < order; column++) {
    if (!(columns & 1u << column)) continue;
    sum += sign * entry[row][column] * minor(entry, order, row + 1, columns & ~(1u << column));
    sign = -sign;
  }
  return sum;
}

static void determinant(const Inputs *in, const Data *data, Outputs *out) {
  out->determinant = minor(in->entry, data->order, 0, (1u << data->order) - 1);
}

static void fill(Inputs *in, Data *data) {
  data->order = ORDER;
  for (int row = 0; row < ORDER; row++)
    for (int column = 0; column < ORDER; column++) in->entry[row][column] = next_number();
}

PROGRAM("determinant", determinant, fill, Inputs, Data, Outputs)
