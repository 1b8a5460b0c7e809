// A user's own allocator, told of by a variable, and variables with shadows of the user's.

// REQUIRES: clang
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O2 && %t

#include "../Inputs/check.h"
#include <string.h>

double __enzyme_fwddiff(void *, ...);

typedef struct {
  char bytes[4096];
  size_t used;
  int live;
} Arena;
static Arena arena;

__attribute__((noinline)) static void *take(Arena *from, size_t size, int tag) {
  void *place = from->bytes + from->used;
  memset(place, 0xff, size);
  from->used += size;
  from->live += tag;
  return place;
}

__attribute__((noinline)) static void give_back(int tag, void *place) {
  if (place) arena.live -= tag;
}

void *__enzyme_allocation_like[4] = {(void *)take, (void *)1, (void *)"2,-1", (void *)give_back};

static double through_arena(double x, int n) {
  double *p = take(&arena, (size_t)n * sizeof *p, 3);
  for (int i = 0; i < n; i++) p[i] = i ? p[i - 1] * x : x;
  double y = p[n - 1];
  give_back(3, p);
  return y;
}

double total, d_total;
void *__enzyme_shadow_global[2] = {&total, &d_total};

__attribute__((noinline)) static void add(double x) { total += x; }
static double accumulate(double x) {
  add(x * x);
  return total;
}

int main(void) {
  double x = 1.5;
  expect(__enzyme_fwddiff((void *)through_arena, x, 1.0, 4), 4 * pow(x, 3));
  expect(arena.live, 0);
  expect((double)arena.used, 2 * 4 * sizeof(double));

  d_total = 10;
  expect(__enzyme_fwddiff((void *)accumulate, x, 1.0), 10 + 2 * x);
  expect(d_total, 10 + 2 * x);
  return result_of_test();
}
