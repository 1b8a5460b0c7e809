//! Arithmetic, conversions, the bits of floats, vectors and pairs.

use super::writer::{FunctionWriter, Tag};
use super::{BitTrick, Compared, Conversion, DoubleOp, LongOp, MathOp, PairOp, Pick, Sort, VectorOp};

const SIGN: &str = "-9223372036854775808";
const ALL_BUT_SIGN: &str = "9223372036854775807";
const FRACTION: &str = "4503599627370495";
/// The lowest bit of the exponent.
const ONE_IN_EXPONENT: &str = "4503599627370496";
/// The bits of 1.0.
const ONE: &str = "4607182418800017408";

impl FunctionWriter<'_> {
    pub(super) fn doubles(&mut self, op: DoubleOp, x: Pick, y: Pick) {
        let (x, y) = (self.read(Sort::Double, x), self.read(Sort::Double, y));
        let result = match op {
            DoubleOp::Add => self.value(format!("fadd double {x}, {y}")),
            DoubleOp::Subtract => self.value(format!("fsub double {x}, {y}")),
            DoubleOp::Multiply => self.value(format!("fmul double {x}, {y}")),
            DoubleOp::Divide => {
                let divisor = self.one_and_square(&y);
                self.value(format!("fdiv double {x}, {divisor}"))
            }
            DoubleOp::Negate => self.value(format!("fneg double {x}")),
        };
        self.keep(Sort::Double, result);
    }

    /// A number that is never below 1.
    fn one_and_square(&mut self, x: &str) -> String {
        let square = self.value(format!("fmul double {x}, {x}"));
        self.value(format!("fadd double {square}, 1.0"))
    }

    pub(super) fn floats(&mut self, op: u8, x: Pick, y: Pick) {
        let (x, y) = (self.read(Sort::Float, x), self.read(Sort::Float, y));
        let op = ["fadd", "fsub", "fmul"][op as usize % 3];
        let result = self.value(format!("{op} float {x}, {y}"));
        self.keep(Sort::Float, result);
    }

    pub(super) fn math(&mut self, op: MathOp, x: Pick, y: Pick) {
        let (x, y) = (self.read(Sort::Double, x), self.read(Sort::Double, y));
        let result = match op {
            MathOp::Sin => self.library("sin", &[&x]),
            MathOp::Cos => self.library("llvm.cos.f64", &[&x]),
            MathOp::Tanh => self.library("tanh", &[&x]),
            MathOp::Root => {
                let radicand = self.one_and_square(&x);
                self.library("llvm.sqrt.f64", &[&radicand])
            }
            MathOp::Bell => {
                let square = self.value(format!("fmul double {x}, {x}"));
                let negated = self.value(format!("fneg double {square}"));
                self.library("exp", &[&negated])
            }
            MathOp::Power => {
                let base = self.one_and_square(&x);
                self.library("pow", &[&base, "0.75"])
            }
            MathOp::Absolute => self.library("llvm.fabs.f64", &[&x]),
            MathOp::CopySign => self.library("llvm.copysign.f64", &[&x, &y]),
            MathOp::Maximum => self.library("llvm.maxnum.f64", &[&x, &y]),
            MathOp::FusedMultiply => self.library("llvm.fma.f64", &[&x, &y, &x]),
            MathOp::Angle => {
                let other = self.one_and_square(&y);
                self.library("atan2", &[&x, &other])
            }
            MathOp::Floor => self.library("floor", &[&x]),
        };
        self.keep(Sort::Double, result);
    }

    fn library(&mut self, name: &str, arguments: &[&str]) -> String {
        self.declare(format!("double @{name}({})", vec!["double"; arguments.len()].join(", ")));
        let arguments: Vec<String> = arguments.iter().map(|argument| format!("double {argument}")).collect();
        self.value(format!("call double @{name}({})", arguments.join(", ")))
    }

    pub(super) fn convert(&mut self, conversion: Conversion, x: Pick) {
        let (from, to) = match conversion {
            Conversion::DoubleToFloat => (Sort::Double, Sort::Float),
            Conversion::FloatToDouble => (Sort::Float, Sort::Double),
            Conversion::LongToDouble => (Sort::Long, Sort::Double),
            Conversion::DoubleToLong => (Sort::Double, Sort::Long),
            Conversion::IntToLong | Conversion::IntToLongUnsigned => (Sort::Int, Sort::Long),
            Conversion::LongToInt => (Sort::Long, Sort::Int),
            Conversion::IntToFloat => (Sort::Int, Sort::Float),
        };
        let mut x = self.read(from, x);
        // Numbers stay small, so that their products do not overflow.
        if matches!(conversion, Conversion::LongToDouble | Conversion::IntToFloat) {
            x = self.value(format!("and {} {x}, 3", from.ty()));
        }
        let (from_ty, to_ty) = (from.ty(), to.ty());
        let result = match conversion {
            Conversion::DoubleToFloat => self.value(format!("fptrunc {from_ty} {x} to {to_ty}")),
            Conversion::FloatToDouble => self.value(format!("fpext {from_ty} {x} to {to_ty}")),
            Conversion::LongToDouble => self.value(format!("sitofp {from_ty} {x} to {to_ty}")),
            Conversion::IntToFloat => self.value(format!("uitofp {from_ty} {x} to {to_ty}")),
            Conversion::IntToLong => self.value(format!("sext {from_ty} {x} to {to_ty}")),
            Conversion::IntToLongUnsigned => self.value(format!("zext {from_ty} {x} to {to_ty}")),
            Conversion::LongToInt => self.value(format!("trunc {from_ty} {x} to {to_ty}")),
            Conversion::DoubleToLong => {
                self.declare("i64 @llvm.fptosi.sat.i64.f64(double)");
                self.value(format!("call i64 @llvm.fptosi.sat.i64.f64(double {x})"))
            }
        };
        self.keep(to, result);
    }

    pub(super) fn longs(&mut self, op: LongOp, x: Pick, y: Pick) {
        let (x, y) = (self.read(Sort::Long, x), self.read(Sort::Long, y));
        let result = match op {
            LongOp::Add => self.value(format!("add i64 {x}, {y}")),
            LongOp::Subtract => self.value(format!("sub i64 {x}, {y}")),
            LongOp::Multiply => self.value(format!("mul i64 {x}, {y}")),
            LongOp::And => self.value(format!("and i64 {x}, {y}")),
            LongOp::Or => self.value(format!("or i64 {x}, {y}")),
            LongOp::Xor => self.value(format!("xor i64 {x}, {y}")),
            LongOp::ShiftLeft => self.value(format!("shl i64 {x}, 8")),
            LongOp::ShiftRight => self.value(format!("ashr i64 {x}, 3")),
            LongOp::Minimum => {
                self.declare("i64 @llvm.smin.i64(i64, i64)");
                self.value(format!("call i64 @llvm.smin.i64(i64 {x}, i64 {y})"))
            }
        };
        self.keep(Sort::Long, result);
    }

    pub(super) fn compare(&mut self, compared: Compared, x: Pick, y: Pick) {
        let sort = match compared {
            Compared::Doubles => Sort::Double,
            Compared::Longs => Sort::Long,
            Compared::Pointers => Sort::Array,
        };
        let (x, y) = (self.read(sort, x), self.read(sort, y));
        let result = self.value(match compared {
            Compared::Doubles => format!("fcmp olt double {x}, {y}"),
            Compared::Longs => format!("icmp slt i64 {x}, {y}"),
            Compared::Pointers => format!("icmp eq ptr {x}, {y}"),
        });
        self.keep(Sort::Truth, result);
    }

    pub(super) fn select(&mut self, sort: Sort, condition: Pick, x: Pick, y: Pick) {
        let condition = self.condition(condition);
        let (x, y) = (self.read(sort, x), self.read(sort, y));
        let ty = sort.ty();
        let result = self.value(format!("select i1 {condition}, {ty} {x}, {ty} {y}"));
        self.keep(sort, result);
    }

    pub(super) fn bit_trick(&mut self, trick: BitTrick, x: Pick, y: Pick) {
        if trick == BitTrick::FromBits {
            let bits = self.read(Sort::Bits, x);
            return self.keep_double_of(&bits);
        }
        let x = self.read(Sort::Double, x);
        let bits = self.value(format!("bitcast double {x} to i64"));
        match trick {
            BitTrick::FromBits => {}
            BitTrick::ToBits => self.keep(Sort::Bits, bits),
            BitTrick::Negate => {
                let bits = self.value(format!("xor i64 {bits}, {SIGN}"));
                self.keep_double_of(&bits);
            }
            BitTrick::Absolute => {
                let bits = self.value(format!("and i64 {bits}, {ALL_BUT_SIGN}"));
                self.keep_double_of(&bits);
            }
            BitTrick::CopySign => {
                let y = self.read(Sort::Double, y);
                let other = self.value(format!("bitcast double {y} to i64"));
                let size = self.value(format!("and i64 {bits}, {ALL_BUT_SIGN}"));
                let sign = self.value(format!("and i64 {other}, {SIGN}"));
                let bits = self.value(format!("or i64 {size}, {sign}"));
                self.keep_double_of(&bits);
            }
            BitTrick::Double => {
                let bits = self.value(format!("add i64 {bits}, {ONE_IN_EXPONENT}"));
                self.keep_double_of(&bits);
            }
            BitTrick::Significand => {
                let fraction = self.value(format!("and i64 {bits}, {FRACTION}"));
                let bits = self.value(format!("or i64 {fraction}, {ONE}"));
                self.keep_double_of(&bits);
            }
            BitTrick::Halves => {
                let low = self.value(format!("trunc i64 {bits} to i32"));
                let high = self.value(format!("lshr i64 {bits}, 32"));
                let high = self.value(format!("trunc i64 {high} to i32"));
                let wide = self.value(format!("zext i32 {low} to i64"));
                let high = self.value(format!("zext i32 {high} to i64"));
                let high = self.value(format!("shl i64 {high}, 32"));
                let bits = self.value(format!("or i64 {wide}, {high}"));
                self.keep_double_of(&bits);
            }
            BitTrick::IsNegative => {
                let negative = self.value(format!("icmp slt i64 {bits}, 0"));
                self.keep(Sort::Truth, negative);
            }
            BitTrick::Hash => {
                let product = self.value(format!("mul i64 {bits}, -7046029254386353131"));
                let hash = self.value(format!("lshr i64 {product}, 60"));
                self.keep(Sort::Long, hash);
            }
            BitTrick::Exponent => {
                let shifted = self.value(format!("lshr i64 {bits}, 52"));
                let exponent = self.value(format!("and i64 {shifted}, 2047"));
                let unbiased = self.value(format!("sub i64 {exponent}, 1023"));
                self.keep(Sort::Long, unbiased);
            }
        }
    }

    fn keep_double_of(&mut self, bits: &str) {
        let result = self.value(format!("bitcast i64 {bits} to double"));
        self.keep(Sort::Double, result);
    }

    pub(super) fn pack_floats(&mut self, x: Pick, y: Pick) {
        let (x, y) = (self.read(Sort::Float, x), self.read(Sort::Float, y));
        let low = self.value(format!("bitcast float {x} to i32"));
        let high = self.value(format!("bitcast float {y} to i32"));
        let low = self.value(format!("zext i32 {low} to i64"));
        let high = self.value(format!("zext i32 {high} to i64"));
        let high = self.value(format!("shl i64 {high}, 32"));
        let both = self.value(format!("or i64 {high}, {low}"));
        for shift in ["0", "32"] {
            let part = self.value(format!("lshr i64 {both}, {shift}"));
            let part = self.value(format!("trunc i64 {part} to i32"));
            let result = self.value(format!("bitcast i32 {part} to float"));
            self.keep(Sort::Float, result);
        }
    }

    pub(super) fn vector(&mut self, op: VectorOp, x: Pick, y: Pick) {
        match op {
            VectorOp::Build => {
                let (x, y) = (self.read(Sort::Double, x), self.read(Sort::Double, y));
                let first = self.value(format!("insertelement <2 x double> poison, double {x}, i64 0"));
                let both = self.value(format!("insertelement <2 x double> {first}, double {y}, i64 1"));
                self.keep(Sort::Vector, both);
            }
            VectorOp::Add | VectorOp::Multiply => {
                let (x, y) = (self.read(Sort::Vector, x), self.read(Sort::Vector, y));
                let op = if op == VectorOp::Add { "fadd" } else { "fmul" };
                let result = self.value(format!("{op} <2 x double> {x}, {y}"));
                self.keep(Sort::Vector, result);
            }
            VectorOp::First | VectorOp::Second => {
                let vector = self.read(Sort::Vector, x);
                let index = u8::from(op == VectorOp::Second);
                let result = self.value(format!("extractelement <2 x double> {vector}, i64 {index}"));
                self.keep(Sort::Double, result);
            }
            VectorOp::Swap => {
                let (x, y) = (self.read(Sort::Vector, x), self.read(Sort::Vector, y));
                let result = self.value(format!(
                    "shufflevector <2 x double> {x}, <2 x double> {y}, <2 x i32> <i32 3, i32 0>"
                ));
                self.keep(Sort::Vector, result);
            }
            VectorOp::Load => {
                let at = self.read(Sort::Array, x);
                let tag = self.tag(Tag::Double);
                let result = self.value(format!("load <2 x double>, ptr {at}, align 8{tag}"));
                self.keep(Sort::Vector, result);
            }
            VectorOp::Store => {
                let (at, vector) = (self.read(Sort::Array, x), self.read(Sort::Vector, y));
                let tag = self.tag(Tag::Double);
                self.emit(format!("store <2 x double> {vector}, ptr {at}, align 8{tag}"));
            }
            VectorOp::Sum => {
                let vector = self.read(Sort::Vector, x);
                let start = self.read(Sort::Double, y);
                self.declare("double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)");
                let result = self.value(format!(
                    "call double @llvm.vector.reduce.fadd.v2f64(double {start}, <2 x double> {vector})"
                ));
                self.keep(Sort::Double, result);
            }
            VectorOp::ThroughInteger => {
                let vector = self.read(Sort::Vector, x);
                let wide = self.value(format!("bitcast <2 x double> {vector} to i128"));
                let result = self.value(format!("bitcast i128 {wide} to <2 x double>"));
                self.keep(Sort::Vector, result);
            }
            VectorOp::Quad => {
                let (element, quad) = (self.read(Sort::Float, x), self.read(Sort::Quad, y));
                let quad = self.value(format!("insertelement <4 x float> {quad}, float {element}, i64 2"));
                let result = self.value(format!("fmul <4 x float> {quad}, {quad}"));
                self.keep(Sort::Quad, result);
            }
            VectorOp::QuadElement => {
                let quad = self.read(Sort::Quad, x);
                let result = self.value(format!("extractelement <4 x float> {quad}, i64 2"));
                self.keep(Sort::Float, result);
            }
        }
    }

    pub(super) fn pair(&mut self, op: PairOp, x: Pick, y: Pick) {
        let ty = Sort::Pair.ty();
        match op {
            PairOp::Build => {
                let (number, integer) = (self.read(Sort::Double, x), self.read(Sort::Long, y));
                let half = self.value(format!("insertvalue {ty} poison, double {number}, 0"));
                let whole = self.value(format!("insertvalue {ty} {half}, i64 {integer}, 1"));
                self.keep(Sort::Pair, whole);
            }
            PairOp::Number => {
                let pair = self.read(Sort::Pair, x);
                let result = self.value(format!("extractvalue {ty} {pair}, 0"));
                self.keep(Sort::Double, result);
            }
            PairOp::Integer => {
                let pair = self.read(Sort::Pair, x);
                let result = self.value(format!("extractvalue {ty} {pair}, 1"));
                self.keep(Sort::Long, result);
            }
            PairOp::ThroughMemory => {
                let pair = self.read(Sort::Pair, x);
                let slot = self.alloca(ty);
                self.emit(format!("store {ty} {pair}, ptr {slot}"));
                let result = self.value(format!("load {ty}, ptr {slot}"));
                self.keep(Sort::Pair, result);
            }
        }
    }
}
