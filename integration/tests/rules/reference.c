/* What every function of the rule table computes, in long double: from C's library where it has the function, from a
 * series or by Newton's method where not. Nothing here shares code with the rules or the plugin. */
#define _GNU_SOURCE
#include "check.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846264338327950288L
#define LN2 0.693147180559945309417232121458176568L
#define LN10 2.30258509299404568401799145468436421L
#define SQRT_PI 1.77245385090551602729816748334114518L

typedef long double _Complex complex_number;

static complex_number from_parts(number re, number im) {
    complex_number z;
    __real__ z = re;
    __imag__ z = im;
    return z;
}

static number digamma(number x) {
    if (x <= 0) return digamma(1 - x) - PI / tanl(PI * x);
    number sum = 0;
    for (; x < 24; x++) sum -= 1 / x;
    number y = 1 / (x * x);
    number series = y * (1 / 12.0L - y * (1 / 120.0L - y * (1 / 252.0L - y * (1 / 240.0L - y * (1 / 132.0L - y *
                    (691 / 32760.0L - y / 12))))));
    return sum + logl(x) - 0.5L / x - series;
}

static number trigamma(number x) {
    if (x <= 0) {
        number s = sinl(PI * x);
        return PI * PI / (s * s) - trigamma(1 - x);
    }
    number sum = 0;
    for (; x < 24; x++) sum += 1 / (x * x);
    number y = 1 / (x * x);
    number series = 1 + y * (1 / 6.0L - y * (1 / 30.0L - y * (1 / 42.0L - y * (1 / 30.0L - y * (5 / 66.0L - y *
                    (691 / 2730.0L - y * 7 / 6))))));
    return sum + series / x + y / 2;
}

/* The x with erfc(x) = y, for 0 < y < 2. */
static number inverse_erfc(number y) {
    if (y > 1) return -inverse_erfc(2 - y);
    number low = 0, high = 30;
    for (int i = 0; i < 40; i++) {
        number middle = (low + high) / 2;
        if (erfcl(middle) > y) low = middle;
        else high = middle;
    }
    number x = (low + high) / 2;
    for (int i = 0; i < 4; i++) x += (erfcl(x) - y) * expl(x * x) * SQRT_PI / 2;
    return x;
}

static number inverse_erf(number y) {
    number x = inverse_erfc(1 - y);
    for (int i = 0; i < 2; i++) x -= (erfl(x) - y) * expl(x * x) * SQRT_PI / 2;
    return x;
}

/* The sum of x^(2k+1) / (k! (2k+1)), with alternating signs for erf. */
static complex_number error_series(complex_number z, number sign) {
    complex_number power = z, sum = z;
    for (int k = 1; k < 200; k++) {
        power *= sign * z * z / k;
        sum += power / (2 * k + 1);
    }
    return sum * 2 / SQRT_PI;
}

static complex_number complex_erf(complex_number z) { return error_series(z, -1); }
static complex_number complex_erfi(complex_number z) { return error_series(z, 1); }
static complex_number complex_erfcx(complex_number z) { return cexpl(z * z) * (1 - complex_erf(z)); }
static number erfi(number x) { return __real__ complex_erfi(x); }

static number bessel_i(int order, number x) {
    number term = order ? x / 2 : 1, sum = term;
    for (int k = 1; k < 200; k++) {
        term *= x * x / 4 / k / (k + order);
        sum += term;
    }
    return sum;
}

static number factorial(long n) { return tgammal(n + 1.0L); }

static complex_number integer_power(complex_number z, long n) {
    complex_number power = 1;
    for (long i = 0; i < labs(n); i++) power *= z;
    return n < 0 ? 1 / power : power;
}

static complex_number complex_jn(long n, complex_number z) {
    if (n < 0) return (n % 2 ? -1 : 1) * complex_jn(-n, z);
    complex_number term = integer_power(z / 2, n) / factorial(n), sum = term;
    for (int k = 1; k < 100; k++) {
        term *= -z * z / 4 / k / (k + n);
        sum += term;
    }
    return sum;
}

static complex_number complex_yn(long n, complex_number z) {
    if (n < 0) return (n % 2 ? -1 : 1) * complex_yn(-n, z);
    complex_number sum = 2 * clogl(z / 2) * complex_jn(n, z);
    for (long k = 0; k < n; k++) sum -= factorial(n - k - 1) / factorial(k) * integer_power(z / 2, 2 * k - n);
    complex_number term = integer_power(z / 2, n) / factorial(n);
    for (int k = 0; k < 100; k++) {
        sum -= (digamma(k + 1) + digamma(n + k + 1)) * term;
        term *= -z * z / 4 / (k + 1) / (k + n + 1);
    }
    return sum / PI;
}

static number round_to_even(number x) { return roundevenl(x); }

/* The distance to the next number of the type under test. */
static number spacing(number x) {
    int exponent;
    frexpl(x, &exponent);
    return ldexpl(1, exponent - significand_digits);
}

static int first_has_larger_magnitude(number x, number y) {
    return fabsl(x) > fabsl(y) || (fabsl(x) == fabsl(y) && x >= y);
}

#define REFERENCE(name, ...) \
    void reference_##name(const number *x, const long *n, number *r, long *m) { \
        (void)x, (void)n, (void)r, (void)m; \
        __VA_ARGS__; \
    }
#define COMPLEX_REFERENCE(name, ...) \
    void reference_##name(const number *x, const long *n, number *r, long *m) { \
        (void)n, (void)m; \
        complex_number z = from_parts(x[0], x[1]), result; \
        result = __VA_ARGS__; \
        r[0] = __real__ result; \
        r[1] = __imag__ result; \
    }
#define SECOND_OPERAND from_parts(x[2], x[3])

REFERENCE(fneg, r[0] = -x[0])
REFERENCE(fadd, r[0] = x[0] + x[1])
REFERENCE(fsub, r[0] = x[0] - x[1])
REFERENCE(fmul, r[0] = x[0] * x[1])
REFERENCE(fdiv, r[0] = x[0] / x[1])
REFERENCE(frem, r[0] = fmodl(x[0], x[1]))
REFERENCE(fcmp, m[0] = x[0] < x[1])
REFERENCE(equal, m[0] = x[0] == x[1])
REFERENCE(freeze, r[0] = x[0])
REFERENCE(select, r[0] = n[0] ? x[0] : x[1])
REFERENCE(fpext, r[0] = x[0])
REFERENCE(fptrunc, r[0] = x[0])
REFERENCE(sitofp, r[0] = n[0])
REFERENCE(uitofp, r[0] = n[0])
REFERENCE(fptosi, m[0] = x[0])
REFERENCE(fptoui, m[0] = x[0])
REFERENCE(fma, r[0] = x[0] * x[1] + x[2])
REFERENCE(fdim, r[0] = x[0] > x[1] ? x[0] - x[1] : 0)
REFERENCE(fabs, r[0] = fabsl(x[0]))
REFERENCE(copysign, r[0] = copysignl(x[0], x[1]))
REFERENCE(canonicalize, r[0] = x[0])
REFERENCE(arithmetic_fence, r[0] = x[0])
REFERENCE(reciprocal, r[0] = 1 / x[0])
REFERENCE(saturate, r[0] = x[0] < 0 ? 0 : x[0] > 1 ? 1 : x[0])

REFERENCE(fmax, r[0] = x[0] > x[1] ? x[0] : x[1])
REFERENCE(fmin, r[0] = x[0] < x[1] ? x[0] : x[1])
REFERENCE(fmaximum, r[0] = x[0] > x[1] ? x[0] : x[1])
REFERENCE(fminimum, r[0] = x[0] < x[1] ? x[0] : x[1])
REFERENCE(fmaximum_num, r[0] = x[0] > x[1] ? x[0] : x[1])
REFERENCE(fminimum_num, r[0] = x[0] < x[1] ? x[0] : x[1])
REFERENCE(fmaxmag, r[0] = first_has_larger_magnitude(x[0], x[1]) ? x[0] : x[1])
REFERENCE(fminmag, r[0] = first_has_larger_magnitude(x[0], x[1]) ? x[1] : x[0])
REFERENCE(fmaximum_mag, r[0] = first_has_larger_magnitude(x[0], x[1]) ? x[0] : x[1])
REFERENCE(fminimum_mag, r[0] = first_has_larger_magnitude(x[0], x[1]) ? x[1] : x[0])
REFERENCE(fmaximum_mag_num, r[0] = first_has_larger_magnitude(x[0], x[1]) ? x[0] : x[1])
REFERENCE(fminimum_mag_num, r[0] = first_has_larger_magnitude(x[0], x[1]) ? x[1] : x[0])
REFERENCE(x86_max, r[0] = x[0] > x[1] ? x[0] : x[1])
REFERENCE(x86_min, r[0] = x[0] < x[1] ? x[0] : x[1])

REFERENCE(floor, r[0] = floorl(x[0]))
REFERENCE(ceil, r[0] = ceill(x[0]))
REFERENCE(trunc, r[0] = truncl(x[0]))
REFERENCE(round, r[0] = roundl(x[0]))
REFERENCE(roundeven, r[0] = round_to_even(x[0]))
REFERENCE(rint, r[0] = round_to_even(x[0]))
REFERENCE(nearbyint, r[0] = round_to_even(x[0]))
REFERENCE(lround, m[0] = roundl(x[0]))
REFERENCE(llround, m[0] = roundl(x[0]))
REFERENCE(lrint, m[0] = round_to_even(x[0]))
REFERENCE(llrint, m[0] = round_to_even(x[0]))
REFERENCE(lfloor, m[0] = floorl(x[0]))
REFERENCE(lceil, m[0] = ceill(x[0]))
REFERENCE(fromfp, m[0] = round_to_even(x[0]))
REFERENCE(ufromfp, m[0] = fabsl(round_to_even(x[0])))
REFERENCE(fmod, r[0] = fmodl(x[0], x[1]))
REFERENCE(modulo, r[0] = x[0] - floorl(x[0] / x[1]) * x[1])
REFERENCE(remainder, r[0] = remainderl(x[0], x[1]))
REFERENCE(remquo, int quotient; r[0] = remquol(x[0], x[1], &quotient); m[0] = quotient)
REFERENCE(rem2pi, r[0] = x[0] - round_to_even(x[0] / (2 * PI)) * 2 * PI)
REFERENCE(modf, r[0] = modfl(x[0], &r[1]))
REFERENCE(frexp, int exponent; r[0] = frexpl(x[0], &exponent); m[0] = exponent)
REFERENCE(ldexp, r[0] = ldexpl(x[0], n[0]))
REFERENCE(scalb, r[0] = x[0] * exp2l(round_to_even(x[1])))
REFERENCE(set_exponent, int exponent; r[0] = ldexpl(frexpl(x[0], &exponent), n[0]))
REFERENCE(fraction, int exponent; r[0] = frexpl(x[0], &exponent))
REFERENCE(significand, int exponent; r[0] = 2 * frexpl(x[0], &exponent))
REFERENCE(logb, r[0] = logbl(x[0]))
REFERENCE(ilogb, m[0] = ilogbl(x[0]))
REFERENCE(exponent, m[0] = ilogbl(x[0]) + 1)
REFERENCE(nextafter, r[0] = nextafterl(x[0], x[1]))
REFERENCE(nexttoward, r[0] = nextafterl(x[0], x[1]))
REFERENCE(nextup, r[0] = nextafterl(x[0], INFINITY))
REFERENCE(nextdown, r[0] = nextafterl(x[0], -INFINITY))
REFERENCE(nearest, r[0] = nextafterl(x[0], n[0] ? INFINITY : -INFINITY))
REFERENCE(spacing, r[0] = spacing(x[0]))
REFERENCE(reciprocal_spacing, r[0] = fabsl(x[0]) / spacing(x[0]))
REFERENCE(true, m[0] = 1)
REFERENCE(false, m[0] = 0)
REFERENCE(is_negative, m[0] = signbit(x[0]))
REFERENCE(nan, r[0] = NAN)
REFERENCE(getpayload, r[0] = -1)
REFERENCE(totalorder, m[0] = 1)

REFERENCE(sin, r[0] = sinl(x[0]))
REFERENCE(cos, r[0] = cosl(x[0]))
REFERENCE(tan, r[0] = tanl(x[0]))
REFERENCE(asin, r[0] = asinl(x[0]))
REFERENCE(acos, r[0] = acosl(x[0]))
REFERENCE(atan, r[0] = atanl(x[0]))
REFERENCE(atan2, r[0] = atan2l(x[0], x[1]))
REFERENCE(sincos, r[0] = sinl(x[0]); r[1] = cosl(x[0]))
REFERENCE(sinpi, r[0] = sinl(PI * x[0]))
REFERENCE(cospi, r[0] = cosl(PI * x[0]))
REFERENCE(tanpi, r[0] = tanl(PI * x[0]))
REFERENCE(asinpi, r[0] = asinl(x[0]) / PI)
REFERENCE(acospi, r[0] = acosl(x[0]) / PI)
REFERENCE(atanpi, r[0] = atanl(x[0]) / PI)
REFERENCE(atan2pi, r[0] = atan2l(x[0], x[1]) / PI)
REFERENCE(sincospi, r[0] = sinl(PI * x[0]); r[1] = cosl(PI * x[0]))
REFERENCE(sinc, r[0] = x[0] == 0 ? 1 : sinl(x[0]) / x[0])
REFERENCE(sincn, r[0] = x[0] == 0 ? 1 : sinl(PI * x[0]) / (PI * x[0]))

REFERENCE(sinh, r[0] = sinhl(x[0]))
REFERENCE(cosh, r[0] = coshl(x[0]))
REFERENCE(tanh, r[0] = tanhl(x[0]))
REFERENCE(asinh, r[0] = asinhl(x[0]))
REFERENCE(acosh, r[0] = acoshl(x[0]))
REFERENCE(atanh, r[0] = atanhl(x[0]))

REFERENCE(exp, r[0] = expl(x[0]))
REFERENCE(exp2, r[0] = exp2l(x[0]))
REFERENCE(exp10, r[0] = expl(LN10 * x[0]))
REFERENCE(expm1, r[0] = expm1l(x[0]))
REFERENCE(exp2m1, r[0] = expm1l(LN2 * x[0]))
REFERENCE(exp10m1, r[0] = expm1l(LN10 * x[0]))
REFERENCE(log, r[0] = logl(x[0]))
REFERENCE(log2, r[0] = log2l(x[0]))
REFERENCE(log10, r[0] = log10l(x[0]))
REFERENCE(log1p, r[0] = log1pl(x[0]))
REFERENCE(log2p1, r[0] = log1pl(x[0]) / LN2)
REFERENCE(log10p1, r[0] = log1pl(x[0]) / LN10)
REFERENCE(xlogy, r[0] = x[0] == 0 ? 0 : x[0] * logl(x[1]))
REFERENCE(pow, r[0] = powl(x[0], x[1]))
REFERENCE(powr, r[0] = powl(x[0], x[1]))
REFERENCE(powi, r[0] = powl(x[0], n[0]))
REFERENCE(rootn, r[0] = powl(x[0], 1.0L / n[0]))
REFERENCE(compoundn, r[0] = powl(1 + x[0], n[0]))
REFERENCE(sqrt, r[0] = sqrtl(x[0]))
REFERENCE(rsqrt, r[0] = 1 / sqrtl(x[0]))
REFERENCE(cbrt, r[0] = cbrtl(x[0]))
REFERENCE(rcbrt, r[0] = 1 / cbrtl(x[0]))
REFERENCE(hypot, r[0] = hypotl(x[0], x[1]))
REFERENCE(rhypot, r[0] = 1 / hypotl(x[0], x[1]))
REFERENCE(norm3d, r[0] = hypotl(hypotl(x[0], x[1]), x[2]))
REFERENCE(rnorm3d, r[0] = 1 / hypotl(hypotl(x[0], x[1]), x[2]))
REFERENCE(norm4d, r[0] = hypotl(hypotl(x[0], x[1]), hypotl(x[2], x[3])))
REFERENCE(rnorm4d, r[0] = 1 / hypotl(hypotl(x[0], x[1]), hypotl(x[2], x[3])))

REFERENCE(erf, r[0] = erfl(x[0]))
REFERENCE(erfc, r[0] = erfcl(x[0]))
REFERENCE(erfcx, r[0] = expl(x[0] * x[0]) * erfcl(x[0]))
REFERENCE(erfi, r[0] = erfi(x[0]))
REFERENCE(erfinv, r[0] = inverse_erf(x[0]))
REFERENCE(erfcinv, r[0] = inverse_erfc(x[0]))
REFERENCE(faddeeva_w_im, r[0] = expl(-x[0] * x[0]) * erfi(x[0]))
REFERENCE(dawson, r[0] = SQRT_PI / 2 * expl(-x[0] * x[0]) * erfi(x[0]))
REFERENCE(normcdf, r[0] = erfcl(-x[0] / sqrtl(2)) / 2)
REFERENCE(normcdfinv, r[0] = -sqrtl(2) * inverse_erfc(2 * x[0]))
REFERENCE(tgamma, r[0] = tgammal(x[0]))
REFERENCE(lgamma, r[0] = lgammal(x[0]))
REFERENCE(lgamma_r, int sign; r[0] = lgammal_r(x[0], &sign); m[0] = sign)
REFERENCE(digamma, r[0] = digamma(x[0]))
REFERENCE(trigamma, r[0] = trigamma(x[0]))
REFERENCE(j0, r[0] = j0l(x[0]))
REFERENCE(j1, r[0] = j1l(x[0]))
REFERENCE(jn, r[0] = jnl(n[0], x[0]))
REFERENCE(y0, r[0] = y0l(x[0]))
REFERENCE(y1, r[0] = y1l(x[0]))
REFERENCE(yn, r[0] = ynl(n[0], x[0]))
REFERENCE(cyl_bessel_i0, r[0] = bessel_i(0, x[0]))
REFERENCE(cyl_bessel_i1, r[0] = bessel_i(1, x[0]))

REFERENCE(cabs, r[0] = hypotl(x[0], x[1]))
REFERENCE(carg, r[0] = atan2l(x[1], x[0]))
REFERENCE(creal, r[0] = x[0])
REFERENCE(cimag, r[0] = x[1])
COMPLEX_REFERENCE(conj, conjl(z))
COMPLEX_REFERENCE(cproj, z)
COMPLEX_REFERENCE(cmul, z * SECOND_OPERAND)
COMPLEX_REFERENCE(cdiv, z / SECOND_OPERAND)
COMPLEX_REFERENCE(cinv, 1 / z)
COMPLEX_REFERENCE(cexp, cexpl(z))
COMPLEX_REFERENCE(clog, clogl(z))
COMPLEX_REFERENCE(clog10, clogl(z) / LN10)
COMPLEX_REFERENCE(cpow, cexpl(SECOND_OPERAND * clogl(z)))
COMPLEX_REFERENCE(cpowi, integer_power(z, n[0]))
COMPLEX_REFERENCE(csqrt, csqrtl(z))
COMPLEX_REFERENCE(csin, csinl(z))
COMPLEX_REFERENCE(ccos, ccosl(z))
COMPLEX_REFERENCE(ctan, ctanl(z))
COMPLEX_REFERENCE(casin, casinl(z))
COMPLEX_REFERENCE(cacos, cacosl(z))
COMPLEX_REFERENCE(catan, catanl(z))
COMPLEX_REFERENCE(csinh, csinhl(z))
COMPLEX_REFERENCE(ccosh, ccoshl(z))
COMPLEX_REFERENCE(ctanh, ctanhl(z))
COMPLEX_REFERENCE(casinh, casinhl(z))
COMPLEX_REFERENCE(cacosh, cacoshl(z))
COMPLEX_REFERENCE(catanh, catanhl(z))
COMPLEX_REFERENCE(cerf, complex_erf(z))
COMPLEX_REFERENCE(cerfc, 1 - complex_erf(z))
COMPLEX_REFERENCE(cerfcx, complex_erfcx(z))
COMPLEX_REFERENCE(cerfi, complex_erfi(z))
COMPLEX_REFERENCE(cfaddeeva, complex_erfcx(-1.0iL * z))
COMPLEX_REFERENCE(cdawson, SQRT_PI / 2 * cexpl(-z * z) * complex_erfi(z))
COMPLEX_REFERENCE(cjn, complex_jn(n[0], z))
COMPLEX_REFERENCE(cyn, complex_yn(n[0], z))

/* Folds of a vector of four, after a start value where there is one. */
REFERENCE(reduce_fadd, r[0] = x[0] + x[1] + x[2] + x[3] + x[4])
REFERENCE(reduce_fmul, r[0] = x[0] * x[1] * x[2] * x[3] * x[4])
REFERENCE(reduce_min, r[0] = fminl(fminl(x[0], x[1]), fminl(x[2], x[3])))
REFERENCE(reduce_max, r[0] = fmaxl(fmaxl(x[0], x[1]), fmaxl(x[2], x[3])))

#if __clang_major__ >= 17
/* The compiler's conversions to bfloat, which older libraries of compilers lack. */
static __bf16 rounded_to_bfloat(float x) {
    union { float number; unsigned bits; } from = {x};
    union { unsigned short bits; __bf16 number; } to = {(from.bits + 0x7fff + (from.bits >> 16 & 1)) >> 16};
    if (isnan(x)) to.bits = 0x7fc0;
    return to.number;
}
__attribute__((weak)) __bf16 __truncsfbf2(float x) { return rounded_to_bfloat(x); }
__attribute__((weak)) __bf16 __truncdfbf2(double x) { return rounded_to_bfloat(x); }
__attribute__((weak)) __bf16 __truncxfbf2(long double x) { return rounded_to_bfloat(x); }
#endif
