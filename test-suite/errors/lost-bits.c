// Integer arithmetic on the bits of an active number, which has no derivative.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=error: --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}

#include <stdint.h>
#include <string.h>

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);

static double guess(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = 0x5fe6eb50c7b537a9 - (bits >> 1);
  memcpy(&x, &bits, sizeof bits);
  return x;
}

// CHECK: lost-bits.c:19:3: error: integer arithmetic on the bits of an active floating-point number, whose derivative is not known
// CHECK-NEXT: note: in `guess`
// CHECK-NEXT: note: it is reached from the call at {{.*}}lost-bits.c:[[#@LINE+2]]:35
// CHECK-NEXT: help: write the operation with floating-point functions (`fabs`, `copysign`, `-x`, `ldexp`), or mark the argument `enzyme_const`
double forward(double x) { return __enzyme_fwddiff((void *)guess, x, 1.0); }

// CHECK: lost-bits.c:{{17|19}}:3: error: integer arithmetic on the bits of an active floating-point number
// CHECK-NEXT: note: in `guess`
// CHECK-NEXT: note: it is reached from the call at {{.*}}lost-bits.c:[[#@LINE+1]]:35
double reverse(double x) { return __enzyme_autodiff((void *)guess, x); }
// CHECK: 2 errors generated.
