// A float beside an int: the calling convention packs both in one integer register.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"

typedef struct { float value; int count; } Counted;

static Counted counted(float x, int n) { return (Counted){x * n, n + 1}; }

Counted __enzyme_fwddiff_counted(void *, float, float, int);

int main(void) {
  Counted c = __enzyme_fwddiff_counted((void *)counted, 1.25f, 1.0f, 7);
  expect_float(c.value, 7.0);
  return result_of_test();
}
