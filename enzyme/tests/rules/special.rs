//! Error, gamma and Bessel functions with 256 bits, by their defining series.

use std::cell::OnceCell;

use crate::complex::Complex;
use crate::real::Real;

/// Terms below this, relative to the sum, no longer matter.
fn is_negligible(term: &Complex, sum: &Complex) -> bool {
    term.is_zero() || term.exponent() < sum.exponent() - 270
}

/// The sum of terms, each made from the one before it, until they no longer matter.
fn series(first: Complex, next: impl Fn(&Complex, f64) -> Complex) -> Complex {
    let mut term = first;
    let mut sum = term.clone();
    for k in 1..2000 {
        term = next(&term, f64::from(k));
        sum = sum + &term;
        if is_negligible(&term, &sum) {
            break;
        }
    }
    sum
}

fn two_over_sqrt_pi() -> Real {
    2.0 / Real::pi().sqrt()
}

/// erf(z) = 2/√π exp(-z²) Σ 2ᵏ z²ᵏ⁺¹ / (2k+1)!!, which does not cancel for real z.
pub(crate) fn complex_erf(z: &Complex) -> Complex {
    let square = &(z * z);
    let first = z * (-square).exp();
    two_over_sqrt_pi() * series(first, |term, k| term * square * 2.0 / (2.0 * k + 1.0))
}

/// erfi(z) = 2/√π Σ z²ᵏ⁺¹ / (k! (2k+1)).
pub(crate) fn complex_erfi(z: &Complex) -> Complex {
    let square = z * z;
    let mut term = z.clone();
    let mut sum = term.clone();
    for k in 1..2000 {
        let k = f64::from(k);
        term = term * &square / k;
        let summand = &term / (2.0 * k + 1.0);
        sum = sum + &summand;
        if is_negligible(&summand, &sum) {
            break;
        }
    }
    two_over_sqrt_pi() * sum
}

pub(crate) fn complex_erfc(z: &Complex) -> Complex {
    1.0 - complex_erf(z)
}

/// erfcx(z) = exp(z²) erfc(z).
pub(crate) fn complex_erfcx(z: &Complex) -> Complex {
    (z * z).exp() * complex_erfc(z)
}

/// Faddeeva's w(z) = exp(-z²) erfc(-iz).
pub(crate) fn faddeeva(z: &Complex) -> Complex {
    complex_erfcx(&-(Complex::i() * z))
}

/// Dawson's D(z) = √π/2 exp(-z²) erfi(z).
pub(crate) fn complex_dawson(z: &Complex) -> Complex {
    (-(z * z)).exp() * complex_erfi(z) / two_over_sqrt_pi()
}

pub(crate) fn erf(x: &Real) -> Real {
    complex_erf(&x.clone().into()).re
}

pub(crate) fn erfc(x: &Real) -> Real {
    if *x > Real::from(9.0) { (-(x * x)).exp() * erfcx(x) } else { 1.0 - erf(x) }
}

pub(crate) fn erfi(x: &Real) -> Real {
    complex_erfi(&x.clone().into()).re
}

/// For large arguments by 1/(x√π) Σ (-1)ᵏ (2k-1)!! / (2x²)ᵏ.
pub(crate) fn erfcx(x: &Real) -> Real {
    if *x > Real::from(9.0) {
        asymptotic(&(-0.5 / (x * x))) / (x * Real::pi().sqrt())
    } else {
        (x * x).exp() * (1.0 - erf(x))
    }
}

/// For large arguments by 1/(2x) Σ (2k-1)!! / (2x²)ᵏ.
pub(crate) fn dawson(x: &Real) -> Real {
    if x.abs() > Real::from(12.0) {
        asymptotic(&(0.5 / (x * x))) / (2.0 * x)
    } else {
        complex_dawson(&x.clone().into()).re
    }
}

/// Σ (2k-1)!! stepᵏ, up to its smallest term.
fn asymptotic(step: &Real) -> Real {
    let mut term = Real::from(1.0);
    let mut sum = term.clone();
    for k in 1..2000 {
        let next = &term * step * (2.0 * f64::from(k) - 1.0);
        if next.abs() > term.abs() || next.exponent() < -270 {
            break;
        }
        sum = sum + &next;
        term = next;
    }
    sum
}

/// The solution of erfc(x) = y, by Newton's method.
pub(crate) fn erfcinv(y: &Real) -> Real {
    let target = y.to_f64();
    // A guess with three digits (Winitzki), then as many steps as double them to 256 bits.
    let logarithm = (target * (2.0 - target)).ln();
    let a = 0.147;
    let middle = 2.0 / (std::f64::consts::PI * a) + logarithm / 2.0;
    let guess = ((middle * middle - logarithm / a).sqrt() - middle).sqrt();
    let mut x = Real::from(if target > 1.0 { -guess } else { guess });
    loop {
        let slope = -(two_over_sqrt_pi() * (-(&x * &x)).exp());
        let correction = (erfc(&x) - y) / slope;
        x = &x - &correction;
        // The next correction would be of the order of this one's square.
        if correction.is_zero() || correction.exponent() < -130 {
            return x;
        }
    }
}

pub(crate) fn erfinv(y: &Real) -> Real {
    erfcinv(&(1.0 - y))
}

/// How large an argument must be for Stirling's series to give 256 bits.
const STIRLING: f64 = 50.0;

thread_local! {
    static BERNOULLI: OnceCell<Vec<Real>> = const { OnceCell::new() };
    static DIGAMMA_OF_ONE: OnceCell<Real> = const { OnceCell::new() };
}

/// B₂, B₄, … B₁₀₀, from the tangent numbers, whose recurrence only adds positive numbers.
fn with_bernoulli<T>(use_them: impl FnOnce(&[Real]) -> T) -> T {
    const COUNT: usize = 50;
    BERNOULLI.with(|cell| {
        use_them(cell.get_or_init(|| {
            let mut tangent = vec![Real::from(1.0)];
            for k in 1..COUNT {
                tangent.push(&tangent[k - 1] * k as f64);
            }
            for k in 1..COUNT {
                for j in k..COUNT {
                    tangent[j] = &tangent[j - 1] * (j - k) as f64 + &tangent[j] * (j - k + 2) as f64;
                }
            }
            let to_bernoulli = |(index, tangent): (usize, &Real)| {
                let n = index as i64 + 1;
                let power = Real::power_of_two(2 * n);
                let magnitude = tangent * (2 * n) as f64 / (&power * (&power - 1.0));
                if n % 2 == 0 { -magnitude } else { magnitude }
            };
            tangent.iter().enumerate().map(to_bernoulli).collect()
        }))
    })
}

/// ψ(1), the negative of Euler's constant.
fn with_digamma_of_one<T>(use_it: impl FnOnce(&Real) -> T) -> T {
    DIGAMMA_OF_ONE.with(|cell| use_it(cell.get_or_init(|| digamma(&Real::from(1.0)))))
}

/// How many steps move an argument up to where Stirling's series holds.
fn steps_up(x: &Real) -> u32 {
    (STIRLING - x.to_f64()).ceil().max(0.0) as u32
}

/// Σ B₂ₖ weight(k) / z²ᵏ.
fn bernoulli_sum(z: &Real, weight: impl Fn(f64) -> Real) -> Real {
    with_bernoulli(|bernoulli| {
        let square = 1.0 / (z * z);
        let mut power = Real::from(1.0);
        let mut sum = Real::from(0.0);
        for (number, k) in bernoulli.iter().zip(1..) {
            power = power * &square;
            sum = sum + number * weight(f64::from(k)) * &power;
        }
        sum
    })
}

/// Γ(x) by Stirling's series far to the right, and the recurrence from there.
pub(crate) fn tgamma(x: &Real) -> Real {
    let steps = steps_up(x);
    let z = x + f64::from(steps);
    let series = bernoulli_sum(&z, |k| 1.0 / Real::from(2.0 * k * (2.0 * k - 1.0))) * &z;
    let logarithm = (&z - 0.5) * z.ln() - &z + (2.0 * Real::pi()).ln() / 2.0 + series;
    let product = (0..steps).fold(Real::from(1.0), |product, i| product * (x + f64::from(i)));
    logarithm.exp() / product
}

pub(crate) fn lgamma(x: &Real) -> Real {
    tgamma(x).abs().ln()
}

/// ψ(x), by its asymptotic series far to the right, and the recurrence from there.
pub(crate) fn digamma(x: &Real) -> Real {
    let steps = steps_up(x);
    let z = x + f64::from(steps);
    let value = z.ln() - 0.5 / &z - bernoulli_sum(&z, |k| 0.5 / Real::from(k));
    (0..steps).fold(value, |value, i| value - 1.0 / (x + f64::from(i)))
}

/// ψ′(x), likewise.
pub(crate) fn trigamma(x: &Real) -> Real {
    let steps = steps_up(x);
    let z = x + f64::from(steps);
    let value = 1.0 / &z + 0.5 / (&z * &z) + bernoulli_sum(&z, |_| Real::from(1.0)) / &z;
    (0..steps).fold(value, |value, i| value + 1.0 / (x + f64::from(i)).powi(2))
}

/// n!, exactly while it has fewer than 256 bits.
fn factorial(n: i64) -> Real {
    (1..=n).fold(Real::from(1.0), |product, i| product * i as f64)
}

/// Jₙ(z) = Σ (-1)ᵏ (z/2)²ᵏ⁺ⁿ / (k! (n+k)!); with sign 1 instead of -1, Iₙ(z).
fn bessel_series(n: i64, z: &Complex, sign: f64) -> Complex {
    let half = z / 2.0;
    let square = &half * &half * sign;
    let first = half.powi(n) / factorial(n);
    series(first, |term, k| term * &square / (k * (k + n as f64)))
}

pub(crate) fn complex_jn(n: i64, z: &Complex) -> Complex {
    let magnitude = bessel_series(n.abs(), z, -1.0);
    if n < 0 && n % 2 != 0 { -magnitude } else { magnitude }
}

/// Yₙ by its series with a logarithm: 2/π Jₙ ln(z/2), the n singular terms, and a sum of digammas.
pub(crate) fn complex_yn(n: i64, z: &Complex) -> Complex {
    let order = n.abs();
    let half = z / 2.0;
    let square = &half * &half;
    let singular = (0..order).fold(Complex::from(0.0), |sum, k| {
        sum + factorial(order - k - 1) / factorial(k) * half.powi(2 * k - order)
    });
    let mut term = half.powi(order) / factorial(order);
    // ψ(1) + ψ(n+1), the latter by the recurrence.
    let first = with_digamma_of_one(Real::clone);
    let mut digammas = (1..=order).fold(2.0 * first, |sum, i| sum + 1.0 / Real::from(i as f64));
    let mut sum = &term * digammas.clone();
    for k in 1..2000 {
        let k = f64::from(k);
        term = -(term * &square / (k * (k + order as f64)));
        digammas = digammas + 1.0 / Real::from(k) + 1.0 / Real::from(k + order as f64);
        let summand = &term * digammas.clone();
        sum = sum + &summand;
        if is_negligible(&summand, &sum) {
            break;
        }
    }
    let value = (2.0 * (complex_jn(order, z) * half.ln()) - singular - sum) / Real::pi();
    if n < 0 && n % 2 != 0 { -value } else { value }
}

pub(crate) fn jn(n: i64, x: &Real) -> Real {
    complex_jn(n, &x.clone().into()).re
}

pub(crate) fn yn(n: i64, x: &Real) -> Real {
    complex_yn(n, &x.clone().into()).re
}

pub(crate) fn bessel_i(n: i64, x: &Real) -> Real {
    bessel_series(n, &x.clone().into(), 1.0).re
}
