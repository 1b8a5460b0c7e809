// A list in memory with a shadow in which only integers are looked for: the addresses that are found in it as integers
// need no shadow.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t

#include "../Inputs/check.h"

int enzyme_dup;
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// As hash tables have them: the address of the next, or a mark at the end, in one word.
typedef struct { unsigned long next; long weight; } Node;

static double weighted(const double *x, const Node *node) {
  long sum = 0;
  for (;;) {
    sum += node->weight;
    unsigned long next = node->next;
    if (next == 32) break;
    node = (const Node *)next;
  }
  return *x * *x * sum;
}

int main(void) {
  Node nodes[3] = {{(unsigned long)&nodes[2], 5}, {32, 7}, {(unsigned long)&nodes[1], 11}};
  Node shadow = {0, 0};
  double x = 1.5, dx = 0;
  __enzyme_autodiff((void *)weighted, enzyme_dup, &x, &dx, enzyme_dup, &nodes[0], &shadow);
  expect(dx, 2 * x * 23);
  dx = 1;
  expect(__enzyme_fwddiff((void *)weighted, enzyme_dup, &x, &dx, enzyme_dup, &nodes[0], &shadow), 2 * x * 23);
  return result_of_test();
}
