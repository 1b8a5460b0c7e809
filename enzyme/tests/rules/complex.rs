//! Complex numbers over [`Real`]. The functions are their textbook definitions by exponential and
//! logarithm, so they share nothing with the rules.

use std::ops;

use crate::real::Real;

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: Real,
    pub(crate) im: Real,
}

impl Complex {
    pub(crate) fn new(re: impl Into<Real>, im: impl Into<Real>) -> Self {
        Complex { re: re.into(), im: im.into() }
    }

    pub(crate) fn i() -> Self {
        Complex::new(0.0, 1.0)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.re.is_zero() && self.im.is_zero()
    }

    pub(crate) fn abs(&self) -> Real {
        (&self.re * &self.re + &self.im * &self.im).sqrt()
    }

    pub(crate) fn arg(&self) -> Real {
        self.re.angle_to(&self.im)
    }

    pub(crate) fn exp(&self) -> Complex {
        let radius = self.re.exp();
        Complex::new(&radius * self.im.cos(), radius * self.im.sin())
    }

    pub(crate) fn ln(&self) -> Complex {
        Complex::new(self.abs().ln(), self.arg())
    }

    /// The exponent of the larger part.
    pub(crate) fn exponent(&self) -> i64 {
        match (self.re.is_zero(), self.im.is_zero()) {
            (false, true) => self.re.exponent(),
            (true, _) => self.im.exponent(),
            (false, false) => self.re.exponent().max(self.im.exponent()),
        }
    }

    pub(crate) fn sqrt(&self) -> Complex {
        if self.is_zero() {
            return self.clone();
        }
        let larger = ((self.abs() + self.re.abs()) / 2.0).sqrt();
        let smaller = self.im.abs() / (2.0 * &larger);
        let (re, im) = if self.re.is_negative() { (smaller, larger) } else { (larger, smaller) };
        Complex::new(re, if self.im.is_negative() { -im } else { im })
    }

    pub(crate) fn pow(&self, w: &Complex) -> Complex {
        if self.is_zero() {
            return if w.is_zero() { Complex::from(1.0) } else { self.clone() };
        }
        (self.ln() * w).exp()
    }

    pub(crate) fn powi(&self, n: i64) -> Complex {
        let product = (0..n.unsigned_abs()).fold(Complex::from(1.0), |power, _| power * self);
        if n < 0 { 1.0 / product } else { product }
    }

    pub(crate) fn sinh(&self) -> Complex {
        let growing = self.exp();
        (&growing - 1.0 / &growing) / 2.0
    }

    pub(crate) fn cosh(&self) -> Complex {
        let growing = self.exp();
        (&growing + 1.0 / &growing) / 2.0
    }

    pub(crate) fn tanh(&self) -> Complex {
        let square = (2.0 * self).exp();
        (&square - 1.0) / (&square + 1.0)
    }

    pub(crate) fn asinh(&self) -> Complex {
        (self + (self * self + 1.0).sqrt()).ln()
    }

    pub(crate) fn acosh(&self) -> Complex {
        (self + (self + 1.0).sqrt() * (self - 1.0).sqrt()).ln()
    }

    pub(crate) fn atanh(&self) -> Complex {
        ((self + 1.0).ln() - (1.0 - self).ln()) / 2.0
    }

    pub(crate) fn sin(&self) -> Complex {
        -(Complex::i() * (Complex::i() * self).sinh())
    }

    pub(crate) fn cos(&self) -> Complex {
        (Complex::i() * self).cosh()
    }

    pub(crate) fn tan(&self) -> Complex {
        -(Complex::i() * (Complex::i() * self).tanh())
    }

    pub(crate) fn asin(&self) -> Complex {
        -(Complex::i() * (Complex::i() * self).asinh())
    }

    pub(crate) fn acos(&self) -> Complex {
        Real::pi() / 2.0 - self.asin()
    }

    pub(crate) fn atan(&self) -> Complex {
        -(Complex::i() * (Complex::i() * self).atanh())
    }
}

impl From<&Complex> for Complex {
    fn from(z: &Complex) -> Self {
        z.clone()
    }
}

impl From<Real> for Complex {
    fn from(re: Real) -> Self {
        Complex::new(re, 0.0)
    }
}

impl From<f64> for Complex {
    fn from(re: f64) -> Self {
        Complex::new(re, 0.0)
    }
}

fn add(z: Complex, w: Complex) -> Complex {
    Complex::new(z.re + w.re, z.im + w.im)
}

fn sub(z: Complex, w: Complex) -> Complex {
    Complex::new(z.re - w.re, z.im - w.im)
}

fn mul(z: Complex, w: Complex) -> Complex {
    if w.im.is_zero() {
        let im = if z.im.is_zero() { z.im } else { z.im * &w.re };
        return Complex::new(z.re * w.re, im);
    }
    Complex::new(&z.re * &w.re - &z.im * &w.im, z.re * w.im + z.im * w.re)
}

fn div(z: Complex, w: Complex) -> Complex {
    if w.im.is_zero() {
        let im = if z.im.is_zero() { z.im } else { z.im / &w.re };
        return Complex::new(z.re / w.re, im);
    }
    let square = &w.re * &w.re + &w.im * &w.im;
    let product = z * Complex::new(w.re, -w.im);
    Complex::new(product.re / &square, product.im / square)
}

/// Implements a binary operator for every mix of complex and real numbers.
macro_rules! binary_operator {
    ($trait:ident, $method:ident) => {
        binary_operator!(@ $trait, $method, Complex, Complex);
        binary_operator!(@ $trait, $method, Complex, &Complex);
        binary_operator!(@ $trait, $method, &Complex, Complex);
        binary_operator!(@ $trait, $method, &Complex, &Complex);
        binary_operator!(@ $trait, $method, Complex, Real);
        binary_operator!(@ $trait, $method, &Complex, Real);
        binary_operator!(@ $trait, $method, Real, Complex);
        binary_operator!(@ $trait, $method, Complex, f64);
        binary_operator!(@ $trait, $method, &Complex, f64);
        binary_operator!(@ $trait, $method, f64, Complex);
        binary_operator!(@ $trait, $method, f64, &Complex);
    };
    (@ $trait:ident, $method:ident, $left:ty, $right:ty) => {
        impl ops::$trait<$right> for $left {
            type Output = Complex;

            fn $method(self, right: $right) -> Complex {
                $method(self.into(), right.into())
            }
        }
    };
}

binary_operator!(Add, add);
binary_operator!(Sub, sub);
binary_operator!(Mul, mul);
binary_operator!(Div, div);

impl ops::Neg for Complex {
    type Output = Complex;

    fn neg(self) -> Complex {
        Complex::new(-self.re, -self.im)
    }
}

impl ops::Neg for &Complex {
    type Output = Complex;

    fn neg(self) -> Complex {
        -self.clone()
    }
}
