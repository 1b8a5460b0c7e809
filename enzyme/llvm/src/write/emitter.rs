//! Writes the expressions of the rule table as LLVM instructions.

use super::ZeroProducts;
use crate::error::Error;
use crate::ffi;
use crate::ir::{self, Builder, Function, Kind, Module, Type, Value};
use enzyme::rules::names::{self, Dialect};
use enzyme::rules::{self, Algebra, Constant, Expr, Folder, Precision, Predicate};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind};

/// The rule language, written at the place where a builder stands.
///
/// Everything is computed in one floating-point type, a scalar or a vector of scalars; rules of vectors hold element
/// by element.
pub(crate) struct Emitter<'a> {
    builder: &'a Builder,
    module: Module,
    ty: Type,
    operands: &'a [Value],
    results: &'a [Value],
}

/// An operation's value.
type Emitted = Result<Value, Error>;

impl<'a> Emitter<'a> {
    /// Writes rules over these operands and results in the floating-point type `ty`.
    pub(crate) fn new(
        builder: &'a Builder,
        module: Module,
        ty: Type,
        operands: &'a [Value],
        results: &'a [Value],
    ) -> Self {
        Emitter { builder, module, ty, operands, results }
    }

    /// The type of truth values that goes with `ty`: one for each element.
    fn bool_type(&self) -> Type {
        let bit = Type::integer(self.ty.context(), 1);
        match self.ty.kind() {
            Kind::Vector(length) => bit.vector(length),
            _ => bit,
        }
    }

    /// A scalar where a vector is wanted: the same for every element.
    fn spread(&self, value: Value) -> Value {
        match (self.ty.kind(), value.ty().kind()) {
            (Kind::Vector(length), Kind::Float | Kind::Integer(_)) => {
                let empty = Value::poison(value.ty().vector(length));
                (0..length).fold(empty, |vector, index| self.builder.insert_element(vector, value, index))
            }
            _ => value,
        }
    }

    /// Two truth values in the same shape.
    fn alike(&self, a: Value, b: Value) -> (Value, Value) {
        if a.ty() == b.ty() { (a, b) } else { (self.spread(a), self.spread(b)) }
    }

    /// Two integers of the same type: the wider one's.
    fn same_integers(&self, m: Value, n: Value) -> (Value, Value) {
        let (m, n) = if m.ty().element_count() == n.ty().element_count() {
            (m, n)
        } else {
            (self.spread(m), self.spread(n))
        };
        if self.bits(m) >= self.bits(n) {
            (m, self.builder.signed_integer_cast(n, m.ty()))
        } else {
            (self.builder.signed_integer_cast(m, n.ty()), n)
        }
    }

    fn bits(&self, value: Value) -> u32 {
        match value.ty().scalar().kind() {
            Kind::Integer(bits) => bits,
            _ => 0,
        }
    }

    fn not_available(&self, function: rules::Function) -> Error {
        Error::unsupported(
            self.builder.function(),
            format!(
                "the derivative needs `{}` for the type `{}`, which no library offers",
                function.name(),
                self.ty
            ),
        )
        .help("compute in `double` there")
    }

    /// Calls a function that computes with scalars or vectors of `ty` directly.
    fn call_in(&self, function: rules::Function, ty: Type, arguments: &[Value]) -> Result<Vec<Value>, Error> {
        let scalar = ty.scalar();
        if matches!(scalar.raw_kind(), LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind) {
            return self.call_wider(function, ty, Type::float(ty.context()), arguments);
        }
        if let Some(expansion) = function.expansion() {
            let mut emitter = Emitter::new(self.builder, self.module, ty, arguments, &[]);
            return Ok(vec![Folder::new(&mut emitter).float(expansion)?]);
        }
        if let Some(intrinsic) = self.intrinsic(function, ty, arguments) {
            return Ok(vec![self.pure_call(intrinsic, arguments)]);
        }
        if let Kind::Vector(length) = ty.kind() {
            return self.call_by_element(function, length, arguments);
        }
        let precision = precision(scalar, self.module);
        let symbol = |precision| names::symbol(dialect(self.module), function, precision);
        let name = match symbol(precision).or_else(|| quad_builtin(function, scalar)) {
            Some(name) => name,
            None if precision == Precision::Single && symbol(Precision::Double).is_some() => {
                return self.call_wider(function, ty, Type::double(ty.context()), arguments);
            }
            None => return Err(self.not_available(function)),
        };
        if is_complex(function) {
            return super::complex::call(self.builder, self.module, &name, function, scalar, arguments);
        }
        let parameters: Vec<Type> =
            arguments.iter().map(|argument| parameter_type(function, argument.ty())).collect();
        let result = match function.results() {
            [rules::Kind::Float] => scalar,
            [rules::Kind::Int] => Type::integer(scalar.context(), 32),
            _ => return Err(self.not_available(function)),
        };
        let callee = self.module.function_or_declare(&name, Type::function(result, &parameters));
        Ok(vec![self.pure_call(callee, &self.as_declared(callee, arguments))])
    }

    /// The arguments with integers as wide as the callee's declaration has them, which may be the user's.
    fn as_declared(&self, callee: Function, arguments: &[Value]) -> Vec<Value> {
        let convert = |(&argument, parameter): (&Value, Type)| {
            if parameter.is_integer() && argument.ty().is_integer() {
                self.builder.signed_integer_cast(argument, parameter)
            } else {
                argument
            }
        };
        arguments.iter().zip(callee.parameter_types()).map(convert).collect()
    }

    /// Computes in a wider type: `half` and `bfloat` have no mathematical functions, and some exist for `double` only.
    fn call_wider(
        &self,
        function: rules::Function,
        ty: Type,
        wide: Type,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Error> {
        let wide = match ty.kind() {
            Kind::Vector(length) => wide.vector(length),
            _ => wide,
        };
        let widened: Vec<Value> = arguments
            .iter()
            .map(
                |&argument| {
                    if argument.ty() == ty { self.builder.float_cast(argument, wide) } else { argument }
                },
            )
            .collect();
        let results = self.call_in(function, wide, &widened)?;
        Ok(results
            .into_iter()
            .map(|result| if result.ty() == wide { self.builder.float_cast(result, ty) } else { result })
            .collect())
    }

    fn call_by_element(
        &self,
        function: rules::Function,
        length: u32,
        arguments: &[Value],
    ) -> Result<Vec<Value>, Error> {
        let mut vectors: Vec<Option<Value>> = vec![None; function.results().len()];
        for index in 0..length {
            let elements: Vec<Value> = arguments
                .iter()
                .map(|&argument| match argument.ty().kind() {
                    Kind::Vector(_) => self.builder.extract_element(argument, index),
                    _ => argument,
                })
                .collect();
            let results = self.call_in(function, self.ty.scalar(), &elements)?;
            for (vector, result) in vectors.iter_mut().zip(results) {
                let so_far = vector.unwrap_or_else(|| Value::poison(result.ty().vector(length)));
                *vector = Some(self.builder.insert_element(so_far, result, index));
            }
        }
        Ok(vectors.into_iter().flatten().collect())
    }

    /// The intrinsic for a function, where LLVM lowers it for this type on every target served.
    fn intrinsic(&self, function: rules::Function, ty: Type, arguments: &[Value]) -> Option<Function> {
        let (name, since) = function.llvm_intrinsic()?;
        let sign_only = matches!(function, rules::Function::Fabs | rules::Function::Copysign);
        // LLVM calls the `long double` function for `fp128` even where that is another format.
        let is_quad = ty.scalar().raw_kind() == LLVMTypeKind::LLVMFP128TypeKind;
        // Newer intrinsics are used where they help: for vectors, which would be taken apart otherwise.
        let old_enough = since <= 15 || (since <= crate::LLVM_MAJOR && matches!(ty.kind(), Kind::Vector(_)));
        // On a GPU LLVM lowers few of them; the device library has them all.
        let on_host = dialect(self.module) == Dialect::Libm || sign_only;
        let simple = function.results() == [rules::Kind::Float];
        if !simple || !on_host || !old_enough || (is_quad && !sign_only) {
            return None;
        }
        let mut overloads = vec![ty];
        if let Some(integer) =
            arguments.iter().map(|argument| argument.ty()).find(|ty| ty.scalar().is_integer())
        {
            overloads.push(integer);
        }
        ir::intrinsic(self.module, name, &overloads)
    }

    /// A call without side effects: what is computed twice may be computed once, what is not used not at all.
    fn pure_call(&self, callee: Function, arguments: &[Value]) -> Value {
        let call = self.builder.float_call(callee, arguments);
        if !callee.is_intrinsic() {
            ffi::set_memory_effects(call.raw(), ffi::MemoryEffects::NONE);
            if let Some(instruction) = call.as_instruction() {
                instruction.add_call_attribute("nounwind");
                instruction.add_call_attribute("willreturn");
            }
        }
        call
    }
}

/// A partial derivative as a factor, where a product with 1 or -1 needs no multiplication.
pub(crate) enum Factor {
    /// 1.
    One,
    /// -1.
    MinusOne,
    /// Any other value.
    Other(Value),
}

impl Factor {
    /// Writes a partial.
    ///
    /// # Errors
    /// When a function that it calls is not available.
    pub(crate) fn of(partial: &Expr, folder: &mut Folder<'_, Emitter<'_>>) -> Result<Factor, Error> {
        Ok(if partial.is_one() {
            Factor::One
        } else if partial.is_minus_one() {
            Factor::MinusOne
        } else {
            Factor::Other(folder.float(partial)?)
        })
    }

    /// The factor, its value being replaced by what stands for it in several directions.
    pub(crate) fn in_every(&self, spread: impl FnOnce(Value) -> Value) -> Factor {
        match self {
            Factor::One => Factor::One,
            Factor::MinusOne => Factor::MinusOne,
            Factor::Other(value) => Factor::Other(spread(*value)),
        }
    }

    /// The product with a tangent or an adjoint.
    pub(crate) fn times(&self, builder: &Builder, derivative: Value, zero_products: ZeroProducts) -> Value {
        let factor = match self {
            Factor::One => return derivative,
            Factor::MinusOne => return builder.float_negate(derivative),
            Factor::Other(factor) => *factor,
        };
        let product = builder.float_multiply(factor, derivative);
        match zero_products {
            ZeroProducts::Ieee => product,
            ZeroProducts::Strong => {
                let zero = Value::zero(derivative.ty());
                let is_zero = builder.float_compare(LLVMRealPredicate::LLVMRealOEQ, derivative, zero);
                builder.select(is_zero, zero, product)
            }
        }
    }
}

/// The functions whose operands or results are complex numbers.
fn is_complex(function: rules::Function) -> bool {
    rules::rule(function).family() == rules::Family::Complex
}

/// C23 gives some functions a `long long` where a derivative computes with an `int`.
fn parameter_type(function: rules::Function, ty: Type) -> Type {
    match function {
        rules::Function::Compoundn if ty.is_integer() => Type::integer(ty.context(), 64),
        _ => ty,
    }
}

/// What compiler-rt and libgcc have for quadruples in place of an intrinsic.
fn quad_builtin(function: rules::Function, scalar: Type) -> Option<String> {
    let is_quad = scalar.raw_kind() == LLVMTypeKind::LLVMFP128TypeKind;
    (is_quad && function == rules::Function::Powi).then(|| "__powitf2".to_owned())
}

/// The precision of a scalar type.
pub(crate) fn precision(ty: Type, module: Module) -> Precision {
    match ty.raw_kind() {
        LLVMTypeKind::LLVMHalfTypeKind => Precision::Half,
        LLVMTypeKind::LLVMBFloatTypeKind => Precision::BFloat,
        LLVMTypeKind::LLVMFloatTypeKind => Precision::Single,
        LLVMTypeKind::LLVMX86_FP80TypeKind => Precision::X86Fp80,
        LLVMTypeKind::LLVMFP128TypeKind if has_quad_long_double(module) => Precision::LongDouble,
        LLVMTypeKind::LLVMFP128TypeKind => Precision::Fp128,
        LLVMTypeKind::LLVMPPC_FP128TypeKind => Precision::PpcFp128,
        _ => Precision::Double,
    }
}

/// The library that programs for the module's target link.
fn dialect(module: Module) -> Dialect {
    let triple = module.triple();
    if triple.starts_with("nvptx") {
        Dialect::Libdevice
    } else if triple.starts_with("amdgcn") {
        Dialect::Ocml
    } else {
        Dialect::Libm
    }
}

/// Whether C's `long double` is IEEE quadruple on the module's target.
fn has_quad_long_double(module: Module) -> bool {
    let triple = module.triple();
    let linux_like = !triple.contains("apple") && !triple.contains("windows");
    linux_like
        && ["aarch64", "riscv", "s390x", "loongarch", "mips64", "sparcv9"]
            .iter()
            .any(|arch| triple.starts_with(arch))
}

fn float_predicate(predicate: Predicate) -> LLVMRealPredicate {
    match predicate {
        Predicate::Equal => LLVMRealPredicate::LLVMRealOEQ,
        Predicate::NotEqual => LLVMRealPredicate::LLVMRealUNE,
        Predicate::Less => LLVMRealPredicate::LLVMRealOLT,
        Predicate::LessOrEqual => LLVMRealPredicate::LLVMRealOLE,
        Predicate::Greater => LLVMRealPredicate::LLVMRealOGT,
        Predicate::GreaterOrEqual => LLVMRealPredicate::LLVMRealOGE,
    }
}

fn integer_predicate(predicate: Predicate) -> LLVMIntPredicate {
    match predicate {
        Predicate::Equal => LLVMIntPredicate::LLVMIntEQ,
        Predicate::NotEqual => LLVMIntPredicate::LLVMIntNE,
        Predicate::Less => LLVMIntPredicate::LLVMIntSLT,
        Predicate::LessOrEqual => LLVMIntPredicate::LLVMIntSLE,
        Predicate::Greater => LLVMIntPredicate::LLVMIntSGT,
        Predicate::GreaterOrEqual => LLVMIntPredicate::LLVMIntSGE,
    }
}

impl Algebra for Emitter<'_> {
    type Float = Value;
    type Int = Value;
    type Bool = Value;
    type Error = Error;

    fn operand(&mut self, index: usize) -> Emitted {
        Ok(self.spread(self.builder.float_cast(self.operands[index], self.ty)))
    }

    fn result(&mut self, index: usize) -> Emitted {
        Ok(self.builder.float_cast(self.results[index], self.ty))
    }

    fn int_operand(&mut self, index: usize) -> Emitted {
        Ok(self.operands[index])
    }

    fn int_result(&mut self, index: usize) -> Emitted {
        Ok(self.results[index])
    }

    fn constant(&mut self, value: Constant) -> Emitted {
        Ok(match value {
            Constant::Exact(number) => Value::float(self.ty, &exact_decimal(number)),
            Constant::Irrational(name) => Value::float(self.ty, name.digits()),
        })
    }

    fn int_constant(&mut self, value: i64) -> Emitted {
        Ok(Value::integer(Type::integer(self.ty.context(), 32), value))
    }

    fn neg(&mut self, x: Value) -> Emitted {
        Ok(self.builder.float_negate(x))
    }

    fn add(&mut self, x: Value, y: Value) -> Emitted {
        Ok(self.builder.float_add(x, y))
    }

    fn sub(&mut self, x: Value, y: Value) -> Emitted {
        Ok(self.builder.float_subtract(x, y))
    }

    fn mul(&mut self, x: Value, y: Value) -> Emitted {
        Ok(self.builder.float_multiply(x, y))
    }

    fn div(&mut self, x: Value, y: Value) -> Emitted {
        Ok(self.builder.float_divide(x, y))
    }

    fn int_neg(&mut self, n: Value) -> Emitted {
        Ok(self.builder.binary(LLVMOpcode::LLVMSub, Value::zero(n.ty()), n))
    }

    fn int_add(&mut self, m: Value, n: Value) -> Emitted {
        let (m, n) = self.same_integers(m, n);
        Ok(self.builder.binary(LLVMOpcode::LLVMAdd, m, n))
    }

    fn int_to_float(&mut self, n: Value) -> Emitted {
        let scalar = n.ty().element_count() == 0;
        let wanted = if scalar { self.ty.scalar() } else { self.ty };
        Ok(self.spread(self.builder.cast(LLVMOpcode::LLVMSIToFP, n, wanted)))
    }

    fn compare(&mut self, predicate: Predicate, x: Value, y: Value) -> Emitted {
        Ok(self.builder.float_compare(float_predicate(predicate), x, y))
    }

    fn compare_int(&mut self, predicate: Predicate, m: Value, n: Value) -> Emitted {
        let (m, n) = self.same_integers(m, n);
        Ok(self.builder.integer_compare(integer_predicate(predicate), m, n))
    }

    fn is_nan(&mut self, x: Value) -> Emitted {
        Ok(self.builder.float_compare(LLVMRealPredicate::LLVMRealUNO, x, x))
    }

    fn sign_bit(&mut self, x: Value) -> Emitted {
        // copysign(1, x) < 0 reads the sign bit of any format, zeros and NaNs included.
        let one = Value::float(self.ty, "1.0");
        let signed = self.call_in(rules::Function::Copysign, self.ty, &[one, x])?;
        Ok(self.builder.float_compare(LLVMRealPredicate::LLVMRealOLT, signed[0], Value::zero(self.ty)))
    }

    fn and(&mut self, a: Value, b: Value) -> Emitted {
        let (a, b) = self.alike(a, b);
        Ok(self.builder.binary(LLVMOpcode::LLVMAnd, a, b))
    }

    fn or(&mut self, a: Value, b: Value) -> Emitted {
        let (a, b) = self.alike(a, b);
        Ok(self.builder.binary(LLVMOpcode::LLVMOr, a, b))
    }

    fn not(&mut self, a: Value) -> Emitted {
        let yes = if a.ty().element_count() == 0 {
            Value::integer(a.ty(), 1)
        } else {
            self.spread(Value::integer(self.bool_type().scalar(), 1))
        };
        Ok(self.builder.binary(LLVMOpcode::LLVMXor, a, yes))
    }

    fn select(&mut self, condition: Value, then: Value, otherwise: Value) -> Emitted {
        Ok(self.builder.select(condition, then, otherwise))
    }

    fn call(
        &mut self,
        function: rules::Function,
        arguments: Vec<rules::Value<Value, Value>>,
    ) -> Result<Vec<rules::Value<Value, Value>>, Error> {
        let int = Type::integer(self.ty.context(), 32);
        let flat: Vec<Value> = arguments
            .into_iter()
            .map(|argument| match argument {
                rules::Value::Float(value) => value,
                rules::Value::Int(value) if value.ty().element_count() == 0 => {
                    self.builder.signed_integer_cast(value, int)
                }
                rules::Value::Int(value) => value,
            })
            .collect();
        let results = self.call_in(function, self.ty, &flat)?;
        Ok(results
            .into_iter()
            .zip(function.results())
            .map(|(value, kind)| match kind {
                rules::Kind::Float => rules::Value::Float(value),
                rules::Kind::Int | rules::Kind::Opaque => rules::Value::Int(value),
            })
            .collect())
    }
}

/// A binary fraction in decimal, every digit of it, so that no precision sees it rounded.
fn exact_decimal(number: f64) -> String {
    if number.is_finite() { format!("{number:.*}", decimals(number)) } else { format!("{number}") }
}

/// How many decimals a binary fraction has: as many as its lowest set bit lies behind the point.
fn decimals(number: f64) -> usize {
    let mut count = 0;
    let mut rest = number.abs();
    while rest.fract() != 0.0 && count < 1100 {
        rest = rest.fract() * 2.0;
        count += 1;
    }
    count.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_keep_every_digit() {
        assert_eq!(exact_decimal(1.0), "1.0");
        assert_eq!(exact_decimal(0.5), "0.5");
        assert_eq!(exact_decimal(-0.375), "-0.375");
        assert_eq!(exact_decimal(0.1), "0.1000000000000000055511151231257827021181583404541015625");
    }
}
