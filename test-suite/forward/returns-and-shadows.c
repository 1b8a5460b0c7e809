// What a derivative returns: primal and tangents beside each other, pointers with shadows, structs of several kinds.
// Small integers among the arguments of calls, and shadows at a stride.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <stdint.h>
typedef struct { double v, d; } vd;
typedef struct { double *v, *d; } pd;
typedef struct { double v, d0, d1; } vdd;
double __enzyme_fwddiff(void *, ...);
vd __enzyme_fwddiff_vd(void *, ...);
pd __enzyme_fwddiff_pd(void *, ...);
vdd __enzyme_fwddiff_vdd(void *, ...);
double *__enzyme_fwddiff_p(void *, ...);
typedef struct { double a; int n; float b; } mixed;
typedef struct { mixed v, d; } mm;
mm __enzyme_fwddiff_mm(void *, ...);
mixed __enzyme_fwddiff_m(void *, ...);
typedef struct { double a[5]; } five;
typedef struct { five v, d; } ff;
ff __enzyme_fwddiff_ff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_primal_return, enzyme_noret, enzyme_dupnoneed, enzyme_dupv, enzyme_dup_return, enzyme_const_return;
static double sq(double x) { return x * x; }
static double *fill(double *p, double x) { p[0] = x * x; p[1] = x; return p + 1; }
static mixed mk(double x) { mixed m = {x * x, 7, (float)(3 * x)}; return m; }
static five mk5(double x) { five f = {{x, x * x, 3, x + 1, 2 * x}}; return f; }
static uint8_t small(double x, uint8_t n, int8_t s, _Bool b, double *out) { *out = x * n * s * (b ? 2 : 1); return (uint8_t)(n + 1); }
__attribute__((noinline)) static double callsmall(double x, int n) { double o; uint8_t r = small(x, (uint8_t)n, (int8_t)(-n), n & 1, &o); return o * r; }
static double arr(const double *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i] * p[i]; return s; }
int main() {
  double x = 3;
  vd r = __enzyme_fwddiff_vd((void *)sq, enzyme_primal_return, x, 1.0);
  expect(r.v, 9); expect(r.d, 6);
  r = __enzyme_fwddiff_vd((void *)sq, enzyme_width, 2, enzyme_dup, x, 1.0, 2.0);
  expect(r.v, 6); expect(r.d, 12);
  vdd r3 = __enzyme_fwddiff_vdd((void *)sq, enzyme_width, 2, enzyme_primal_return, enzyme_dup, x, 1.0, 2.0);
  expect(r3.v, 9); expect(r3.d0, 6); expect(r3.d1, 12);
  double p[2], dp[2] = {0};
  double *sp = __enzyme_fwddiff_p((void *)fill, p, dp, x, 1.0);
  expect(sp == dp + 1, 1); expect(dp[0], 6); expect(dp[1], 1); expect(p[0], 9);
  pd both = __enzyme_fwddiff_pd((void *)fill, enzyme_primal_return, p, dp, x, 2.0);
  expect(both.v == p + 1, 1); expect(both.d == dp + 1, 1); expect(dp[0], 12);
  double dp4[4] = {0};
  both = __enzyme_fwddiff_pd((void *)fill, enzyme_width, 2, enzyme_dupv, 16l, p, dp4, enzyme_dup, x, 1.0, -1.0);
  expect(both.v == dp4 + 1, 1); expect(both.d == dp4 + 3, 1); expect(dp4[0], 6); expect(dp4[2], -6);
  __enzyme_fwddiff((void *)fill, enzyme_noret, p, dp, x, 3.0);
  expect(dp[0], 18);
  mm m = __enzyme_fwddiff_mm((void *)mk, enzyme_primal_return, x, 1.0);
  expect(m.v.a, 9); expect(m.v.n, 7); expect(m.v.b, 9); expect(m.d.a, 6); expect(m.d.b, 3);
  mixed md = __enzyme_fwddiff_m((void *)mk, x, 1.0);
  expect(md.a, 6); expect(md.b, 3);
  ff f = __enzyme_fwddiff_ff((void *)mk5, enzyme_primal_return, x, 1.0);
  expect(f.v.a[1], 9); expect(f.d.a[1], 6); expect(f.d.a[0], 1); expect(f.d.a[2], 0);
  expect(__enzyme_fwddiff((void *)callsmall, x, 1.0, 200), 200.0 * 56 * 201);
  double a[3] = {1, 2, 3}, da[6] = {1, 0, 0, 0, 1, 0};
  r = __enzyme_fwddiff_vd((void *)arr, enzyme_width, 2, enzyme_dupv, 24l, a, da, enzyme_const, 3);
  expect(r.v, 2); expect(r.d, 4);
  return result_of_test();
}
