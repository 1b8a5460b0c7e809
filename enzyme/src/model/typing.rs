//! The types that operands must have, and the type of the result that follows.

use super::{
    Call, CastOp, Context, FunctionType, Opcode, Packing, StructBody, StructType, Type, TypeId, Variadic,
    VectorLength,
};

/// What is known of the result of an instruction from its opcode and the types of its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ResultType {
    /// There is none.
    Nothing,
    /// A type that is known by its id.
    Known(TypeId),
    /// A type that follows from the operands.
    Derived(Type),
    /// Any: the instruction itself names it.
    Free,
}

/// Checks the operands of an operation and gives its result; says what is wrong with them otherwise.
/// The type `i1` must have been interned.
pub(super) fn result_type(
    context: &Context,
    opcode: &Opcode,
    operands: &[TypeId],
) -> Result<ResultType, String> {
    let typing = Typing { context, operands };
    match opcode {
        Opcode::Return => match operands.len() {
            0 | 1 => Ok(ResultType::Nothing),
            _ => Err("`ret` has at most one operand".to_owned()),
        },
        Opcode::Branch { .. } | Opcode::Unreachable | Opcode::Fence { .. } => {
            typing.count(0)?;
            Ok(ResultType::Nothing)
        }
        Opcode::ConditionalBranch { .. } => {
            typing.count(1)?;
            typing.require(0, "`i1`", |ty| *ty == Type::Integer { bits: 1 })?;
            Ok(ResultType::Nothing)
        }
        Opcode::Switch { .. } => {
            typing.count(1)?;
            typing.require(0, "an integer", Type::is_integer)?;
            Ok(ResultType::Nothing)
        }
        Opcode::IndirectBranch { .. } => {
            typing.count(1)?;
            typing.require(0, "a pointer", Type::is_pointer)?;
            Ok(ResultType::Nothing)
        }
        Opcode::Resume => {
            typing.count(1)?;
            Ok(ResultType::Nothing)
        }
        Opcode::CleanupReturn { .. } | Opcode::CatchReturn { .. } => {
            typing.count(1)?;
            typing.require(0, "a token", |ty| *ty == Type::Token)?;
            Ok(ResultType::Nothing)
        }
        Opcode::CatchSwitch { .. } => {
            typing.count(1)?;
            typing.require(0, "a token", |ty| *ty == Type::Token)?;
            Ok(ResultType::Derived(Type::Token))
        }
        Opcode::CatchPad | Opcode::CleanupPad => {
            typing.require(0, "a token", |ty| *ty == Type::Token)?;
            Ok(ResultType::Derived(Type::Token))
        }
        Opcode::LandingPad { clauses, .. } => {
            typing.count(clauses.len())?;
            Ok(ResultType::Free)
        }
        Opcode::Call(call) | Opcode::Invoke { call, .. } | Opcode::CallBranch { call, .. } => {
            typing.call(call)
        }
        Opcode::FloatNegate { .. } => {
            typing.count(1)?;
            typing.floats()
        }
        Opcode::FloatBinary { .. } => {
            typing.count(2)?;
            typing.same(0, 1)?;
            typing.floats()
        }
        Opcode::IntBinary { .. } => {
            typing.count(2)?;
            typing.same(0, 1)?;
            typing.require_scalar(0, "an integer or a vector of integers", Type::is_integer)?;
            Ok(ResultType::Known(operands[0]))
        }
        Opcode::IntCompare { .. } => {
            typing.count(2)?;
            typing.same(0, 1)?;
            let comparable = |ty: &Type| ty.is_integer() || ty.is_pointer();
            typing.require_scalar(0, "integers, pointers or vectors of them", comparable)?;
            typing.truth()
        }
        Opcode::FloatCompare { .. } => {
            typing.count(2)?;
            typing.same(0, 1)?;
            typing.floats()?;
            typing.truth()
        }
        Opcode::Cast { .. } | Opcode::VaArg => {
            typing.count(1)?;
            Ok(ResultType::Free)
        }
        Opcode::Alloca { .. } => {
            typing.count(1)?;
            typing.require(0, "an integer", Type::is_integer)?;
            Ok(ResultType::Free)
        }
        Opcode::Load { .. } => {
            typing.count(1)?;
            typing.require(0, "a pointer", Type::is_pointer)?;
            Ok(ResultType::Free)
        }
        Opcode::Store { .. } => {
            typing.count(2)?;
            typing.require(1, "a pointer", Type::is_pointer)?;
            Ok(ResultType::Nothing)
        }
        Opcode::CompareExchange(_) => {
            typing.count(3)?;
            typing.require(0, "a pointer", Type::is_pointer)?;
            typing.same(1, 2)?;
            let fields = vec![operands[1], typing.bool_type()?];
            let body = Some(StructBody { fields, packing: Packing::Padded });
            Ok(ResultType::Derived(Type::Struct(StructType { name: None, body })))
        }
        Opcode::AtomicReadModifyWrite(_) => {
            typing.count(2)?;
            typing.require(0, "a pointer", Type::is_pointer)?;
            Ok(ResultType::Known(operands[1]))
        }
        Opcode::GetElementPointer { .. } => typing.element_pointer(),
        Opcode::ExtractElement => {
            typing.count(2)?;
            typing.require(1, "an integer", Type::is_integer)?;
            Ok(ResultType::Known(typing.vector(0)?.1))
        }
        Opcode::InsertElement => {
            typing.count(3)?;
            typing.require(2, "an integer", Type::is_integer)?;
            if typing.vector(0)?.1 != operands[1] {
                return Err("the element is not of the vector's element type".to_owned());
            }
            Ok(ResultType::Known(operands[0]))
        }
        Opcode::ShuffleVector { mask } => {
            typing.count(2)?;
            typing.same(0, 1)?;
            let (length, element) = typing.vector(0)?;
            let lanes = u32::try_from(mask.len()).map_err(|_| "the mask is too long".to_owned())?;
            let length = match length {
                VectorLength::Fixed(_) => VectorLength::Fixed(lanes),
                VectorLength::Scalable(_) => VectorLength::Scalable(lanes),
            };
            Ok(ResultType::Derived(Type::Vector { length, element }))
        }
        Opcode::ExtractValue { indices } => {
            typing.count(1)?;
            typing.member(operands[0], indices).map(ResultType::Known)
        }
        Opcode::InsertValue { indices } => {
            typing.count(2)?;
            if typing.member(operands[0], indices)? != operands[1] {
                return Err("the element is not of the member's type".to_owned());
            }
            Ok(ResultType::Known(operands[0]))
        }
        Opcode::Phi { incoming, .. } => {
            typing.count(incoming.len())?;
            if operands.windows(2).any(|pair| pair[0] != pair[1]) {
                return Err("the incoming values are of different types".to_owned());
            }
            Ok(ResultType::Free)
        }
        Opcode::Select { .. } => {
            typing.count(3)?;
            typing.same(1, 2)?;
            typing.require_scalar(0, "`i1` or a vector of it", |ty| *ty == Type::Integer { bits: 1 })?;
            Ok(ResultType::Known(operands[1]))
        }
        Opcode::Freeze => {
            typing.count(1)?;
            Ok(ResultType::Known(operands[0]))
        }
    }
}

/// Whether a conversion from one type to another exists; says what is wrong otherwise.
pub(super) fn check_cast(context: &Context, op: CastOp, from: TypeId, to: TypeId) -> Result<(), String> {
    let (from_length, from_scalar) = lanes(context, from);
    let (to_length, to_scalar) = lanes(context, to);
    let (from_type, to_type) = (context.ty(from_scalar), context.ty(to_scalar));
    let narrower = |from: Option<u32>, to: Option<u32>| from.zip(to).is_some_and(|(from, to)| to < from);
    let (from_int, to_int) = (integer_bits(from_type), integer_bits(to_type));
    let (from_float, to_float) = (float_bits(from_type), float_bits(to_type));
    let same_lanes = from_length == to_length;
    let valid = match op {
        CastOp::Truncate => same_lanes && narrower(from_int, to_int),
        CastOp::ZeroExtend | CastOp::SignExtend => same_lanes && narrower(to_int, from_int),
        CastOp::FloatTruncate => same_lanes && narrower(from_float, to_float),
        CastOp::FloatExtend => same_lanes && narrower(to_float, from_float),
        CastOp::FloatToUnsigned | CastOp::FloatToSigned => {
            same_lanes && from_type.is_float() && to_type.is_integer()
        }
        CastOp::UnsignedToFloat | CastOp::SignedToFloat => {
            same_lanes && from_type.is_integer() && to_type.is_float()
        }
        CastOp::PointerToInteger | CastOp::PointerToAddress => {
            same_lanes && from_type.is_pointer() && to_type.is_integer()
        }
        CastOp::IntegerToPointer => same_lanes && from_type.is_integer() && to_type.is_pointer(),
        CastOp::AddressSpaceCast => {
            same_lanes && from_type.is_pointer() && to_type.is_pointer() && from_type != to_type
        }
        CastOp::Bitcast => {
            let pointers = from_type.is_pointer() && to_type.is_pointer() && from_type == to_type;
            pointers || bits(context, from).zip(bits(context, to)).is_some_and(|(from, to)| from == to)
        }
    };
    if valid { Ok(()) } else { Err(format!("`{op}` cannot convert between these types")) }
}

struct Typing<'a> {
    context: &'a Context,
    operands: &'a [TypeId],
}

impl Typing<'_> {
    fn count(&self, expected: usize) -> Result<(), String> {
        if self.operands.len() == expected {
            return Ok(());
        }
        Err(format!("expected {expected} operands, found {}", self.operands.len()))
    }

    fn operand(&self, index: usize) -> Result<TypeId, String> {
        self.operands.get(index).copied().ok_or_else(|| format!("operand {index} is missing"))
    }

    fn require(&self, index: usize, what: &str, accept: impl Fn(&Type) -> bool) -> Result<(), String> {
        let ty = self.context.ty(self.operand(index)?);
        if accept(ty) { Ok(()) } else { Err(format!("operand {index} must be {what}")) }
    }

    fn require_scalar(&self, index: usize, what: &str, accept: impl Fn(&Type) -> bool) -> Result<(), String> {
        let (_, scalar) = lanes(self.context, self.operand(index)?);
        if accept(self.context.ty(scalar)) { Ok(()) } else { Err(format!("operand {index} must be {what}")) }
    }

    fn same(&self, left: usize, right: usize) -> Result<(), String> {
        if self.operand(left)? == self.operand(right)? {
            return Ok(());
        }
        Err(format!("operands {left} and {right} must be of the same type"))
    }

    fn floats(&self) -> Result<ResultType, String> {
        // Arrays and structures of floats may be negated, added … nowhere: only scalars and vectors.
        self.require_scalar(0, "a float or a vector of floats", Type::is_float)?;
        Ok(ResultType::Known(self.operands[0]))
    }

    fn bool_type(&self) -> Result<TypeId, String> {
        self.context
            .find_type(&Type::Integer { bits: 1 })
            .ok_or_else(|| "the type `i1` is missing".to_owned())
    }

    /// `i1`, or a vector of it, as long as the first operand.
    fn truth(&self) -> Result<ResultType, String> {
        let element = self.bool_type()?;
        Ok(match lanes(self.context, self.operands[0]).0 {
            Some(length) => ResultType::Derived(Type::Vector { length, element }),
            None => ResultType::Known(element),
        })
    }

    fn vector(&self, index: usize) -> Result<(VectorLength, TypeId), String> {
        match self.context.ty(self.operand(index)?) {
            Type::Vector { length, element } => Ok((*length, *element)),
            _ => Err(format!("operand {index} must be a vector")),
        }
    }

    fn element_pointer(&self) -> Result<ResultType, String> {
        self.require_scalar(0, "a pointer or a vector of pointers", Type::is_pointer)?;
        for index in 1..self.operands.len() {
            self.require_scalar(index, "an integer or a vector of integers", Type::is_integer)?;
        }
        let pointer = self.operands[0];
        let mut lengths = self.operands.iter().filter_map(|operand| lanes(self.context, *operand).0);
        Ok(match (lanes(self.context, pointer).0, lengths.next()) {
            (None, Some(length)) => ResultType::Derived(Type::Vector { length, element: pointer }),
            _ => ResultType::Known(pointer),
        })
    }

    fn member(&self, aggregate: TypeId, path: &[u32]) -> Result<TypeId, String> {
        if path.is_empty() {
            return Err("at least one index is needed".to_owned());
        }
        path.iter().try_fold(aggregate, |ty, index| {
            let member = match self.context.ty(ty) {
                Type::Array { length, element } => (u64::from(*index) < *length).then_some(*element),
                Type::Struct(_) => self.context.ty(ty).parts().get(*index as usize).copied(),
                _ => None,
            };
            member.ok_or_else(|| format!("there is no member {index} at this place"))
        })
    }

    fn call(&self, call: &Call) -> Result<ResultType, String> {
        let Type::Function(FunctionType { result, parameters, variadic }) =
            self.context.ty(call.function_type)
        else {
            return Err("the type of the callee is not a function type".to_owned());
        };
        let bundled: u32 = call.bundles.iter().map(|bundle| bundle.operand_count).sum();
        self.count((call.argument_count + bundled + 1) as usize)?;
        self.require(self.operands.len() - 1, "a pointer to a function", Type::is_pointer)?;
        let arguments = &self.operands[..call.argument_count as usize];
        let enough = match variadic {
            Variadic::No => arguments.len() == parameters.len(),
            Variadic::Yes => arguments.len() >= parameters.len(),
        };
        if !enough {
            return Err(format!(
                "the callee takes {} arguments, {} are given",
                parameters.len(),
                arguments.len()
            ));
        }
        if let Some(index) = parameters.iter().zip(arguments).position(|(expected, given)| expected != given)
        {
            return Err(format!("argument {index} is not of the type the callee takes"));
        }
        Ok(if self.context.ty(*result).is_void() { ResultType::Nothing } else { ResultType::Known(*result) })
    }
}

/// The length of a vector and its element; a scalar has no length.
fn lanes(context: &Context, ty: TypeId) -> (Option<VectorLength>, TypeId) {
    match context.ty(ty) {
        Type::Vector { length, element } => (Some(*length), *element),
        _ => (None, ty),
    }
}

fn integer_bits(ty: &Type) -> Option<u32> {
    match ty {
        Type::Integer { bits } => Some(*bits),
        _ => None,
    }
}

fn float_bits(ty: &Type) -> Option<u32> {
    match ty {
        Type::Float(float) => Some(float.bits()),
        _ => None,
    }
}

/// The size of a scalar or vector in bits; pointers, whose size the target decides, have none. Scalable
/// vectors are told from fixed ones.
fn bits(context: &Context, ty: TypeId) -> Option<(u64, bool)> {
    let (length, scalar) = lanes(context, ty);
    let scalar = match context.ty(scalar) {
        Type::Integer { bits } => *bits,
        Type::Float(float) => float.bits(),
        Type::X86Mmx => 64,
        Type::X86Amx => 8192,
        _ => return None,
    };
    Some(match length {
        None => (scalar.into(), false),
        Some(VectorLength::Fixed(length)) => (u64::from(length) * u64::from(scalar), false),
        Some(VectorLength::Scalable(length)) => (u64::from(length) * u64::from(scalar), true),
    })
}
