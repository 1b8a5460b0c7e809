//! Random functions come back from their text as they were.

use enzyme::model::{
    BlockId, CastFlags, CastOp, ConstantId, Context, ElementPointerFlags, FastMath, FloatBinaryOp, FloatBits,
    FloatPredicate, FloatType, Function, IntBinaryOp, IntFlags, IntPredicate, Integer, MemoryAccess,
    Metadata, MetadataIdentity, Module, Opcode, SwitchCase, TypeId, ValueId, Variadic,
};
use proptest::prelude::*;

/// Takes decisions from a list of random numbers; zeros when it is used up.
struct Choices<'a> {
    numbers: std::slice::Iter<'a, u64>,
}

impl Choices<'_> {
    fn number(&mut self) -> u64 {
        self.numbers.next().copied().unwrap_or(0)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.number() as usize % bound
    }

    fn of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn name(&mut self, index: usize) -> Option<String> {
        let special = ["", "x", "1", "with blank", "quo\"te", "bäm", "a.b-c$", "\\"];
        self.flag().then(|| format!("{}{index}", self.of(&special)))
    }

    fn fast_math(&mut self) -> FastMath {
        let mut flags = FastMath::NONE;
        flags.reassociate = self.flag();
        flags.no_nans = self.flag();
        flags.no_infinities = self.flag();
        flags.no_signed_zeros = self.flag();
        flags.allow_reciprocal = self.flag();
        flags.allow_contract = self.flag();
        flags.approximate_functions = self.flag();
        flags
    }
}

struct Types {
    integers: [TypeId; 3],
    floats: [TypeId; 3],
    pointer: TypeId,
    boolean: TypeId,
    void: TypeId,
}

impl Types {
    fn new(context: &mut Context) -> Self {
        Self {
            integers: [context.int_type(8), context.int_type(32), context.int_type(200)],
            floats: [FloatType::Half, FloatType::Float, FloatType::Double].map(|ty| context.float_type(ty)),
            pointer: context.pointer_type(),
            boolean: context.int_type(1),
            void: context.void_type(),
        }
    }
}

struct Generator<'a> {
    choices: Choices<'a>,
    types: Types,
    function: Function,
    /// What may be used: parameters, results of the entry and of the block that is made.
    values: Vec<ValueId>,
}

fn random_function(numbers: &[u64]) -> Function {
    let mut context = Context::default();
    let types = Types::new(&mut context);
    let parameters = [types.integers, types.floats].concat();
    let ty = context.function_type(types.void, parameters, Variadic::No);
    let function = Function::new("f", context, ty);
    let mut generator = Generator {
        choices: Choices { numbers: numbers.iter() },
        types,
        values: function.parameters.clone(),
        function,
    };
    generator.run();
    generator.function
}

impl Generator<'_> {
    fn run(&mut self) {
        for (index, parameter) in self.function.parameters.clone().into_iter().enumerate() {
            self.function.values[parameter].name = self.choices.name(index);
        }
        let count = 1 + self.choices.below(5);
        for index in 0..count {
            let name = self.choices.name(100 + index);
            self.function.add_block(name.as_deref());
        }
        for block in self.function.blocks.keys().collect::<Vec<_>>() {
            let known = self.values.len();
            for _ in 0..self.choices.below(8) {
                self.instruction(block);
            }
            self.terminator(block);
            // Only the entry dominates all others.
            if Some(block) != self.function.entry() {
                self.values.truncate(known);
            }
        }
    }

    /// A value of a type: one that is known, or a constant.
    fn value(&mut self, ty: TypeId) -> ValueId {
        let known: Vec<ValueId> =
            self.values.iter().copied().filter(|value| self.function.values[*value].ty == ty).collect();
        if !known.is_empty() && self.choices.below(3) > 0 {
            return self.choices.of(&known);
        }
        let constant = self.constant(ty);
        self.function.constant_value(constant)
    }

    fn constant(&mut self, ty: TypeId) -> ConstantId {
        let (low, high) = (self.choices.number(), self.choices.number());
        let context = &mut self.function.context;
        match (self.choices.below(8), context.ty(ty).clone()) {
            (0, _) => context.undef(ty),
            (1, _) => context.poison(ty),
            (_, enzyme::model::Type::Integer { bits }) => {
                context.integer(Integer::from_words(bits, &[low, high, low]))
            }
            (_, enzyme::model::Type::Float(float)) => {
                let bits = u128::from(low) & ((1 << float.bits()) - 1);
                context.float(ty, FloatBits(bits))
            }
            _ => context.zero(ty).expect("every type here has a zero"),
        }
    }

    fn instruction(&mut self, block: BlockId) {
        let (integer, float) = (self.choices.of(&self.types.integers), self.choices.of(&self.types.floats));
        let (opcode, operands, result) = match self.choices.below(10) {
            0 => {
                let op = self.choices.of(IntBinaryOp::ALL);
                let wraps = matches!(op, IntBinaryOp::Add | IntBinaryOp::Subtract | IntBinaryOp::Multiply);
                let flags = IntFlags {
                    no_unsigned_wrap: wraps && self.choices.flag(),
                    no_signed_wrap: wraps && self.choices.flag(),
                    exact: op == IntBinaryOp::SignedDivide && self.choices.flag(),
                    disjoint: op == IntBinaryOp::Or && self.choices.flag(),
                };
                (Opcode::IntBinary { op, flags }, vec![self.value(integer), self.value(integer)], integer)
            }
            1 | 2 => {
                let (op, fast_math) = (self.choices.of(FloatBinaryOp::ALL), self.choices.fast_math());
                (Opcode::FloatBinary { op, fast_math }, vec![self.value(float), self.value(float)], float)
            }
            3 => {
                let predicate = self.choices.of(IntPredicate::ALL);
                let opcode = Opcode::IntCompare { predicate, same_sign: self.choices.flag() };
                (opcode, vec![self.value(integer), self.value(integer)], self.types.boolean)
            }
            4 => {
                let predicate = self.choices.of(FloatPredicate::ALL);
                let opcode = Opcode::FloatCompare { predicate, fast_math: self.choices.fast_math() };
                (opcode, vec![self.value(float), self.value(float)], self.types.boolean)
            }
            5 => {
                let fast_math = self.choices.fast_math();
                let operands = vec![self.value(self.types.boolean), self.value(float), self.value(float)];
                (Opcode::Select { fast_math }, operands, float)
            }
            6 => {
                let opcode = Opcode::Cast { op: CastOp::SignedToFloat, flags: CastFlags::default() };
                (opcode, vec![self.value(integer)], float)
            }
            7 => {
                let access = MemoryAccess {
                    volatile: self.choices.flag(),
                    atomic: None,
                    alignment: self.choices.of(&[None, Some(1), Some(16)]),
                };
                (Opcode::Load { access }, vec![self.value(self.types.pointer)], float)
            }
            8 => {
                let access = MemoryAccess { volatile: self.choices.flag(), ..MemoryAccess::default() };
                (
                    Opcode::Store { access },
                    vec![self.value(float), self.value(self.types.pointer)],
                    self.types.void,
                )
            }
            _ => {
                let flags =
                    ElementPointerFlags { in_bounds: self.choices.flag(), ..ElementPointerFlags::default() };
                let opcode = Opcode::GetElementPointer { source: float, flags };
                (opcode, vec![self.value(self.types.pointer), self.value(integer)], self.types.pointer)
            }
        };
        let inst = self.function.add_inst(block, opcode, operands, result);
        if self.choices.below(4) == 0 {
            let node = Metadata::String(self.choices.of(&["plain", "quo\"te", ""]).to_owned());
            let element = self.function.context.metadata.push(node);
            let identity = self.choices.of(&[MetadataIdentity::Uniqued, MetadataIdentity::Distinct]);
            let node = self
                .function
                .context
                .metadata
                .push(Metadata::Node { identity, elements: vec![None, Some(element)] });
            self.function.insts[inst].metadata.push(("enzyme_random".to_owned(), node));
        }
        if let Some(result) = self.function.insts[inst].result {
            self.function.values[result].name = self.choices.name(1000 + result.as_u32() as usize);
            self.values.push(result);
        }
    }

    fn terminator(&mut self, block: BlockId) {
        let later: Vec<BlockId> = self.function.blocks.keys().skip(1).collect();
        let void = self.types.void;
        if later.is_empty() {
            self.function.add_inst(block, Opcode::Return, [], void);
            return;
        }
        let (first, second) = (self.choices.of(&later), self.choices.of(&later));
        match self.choices.below(4) {
            0 => self.function.add_inst(block, Opcode::Return, [], void),
            1 => self.function.add_inst(block, Opcode::Branch { target: first }, [], void),
            2 => {
                let condition = self.value(self.types.boolean);
                let opcode = Opcode::ConditionalBranch { then_block: first, else_block: second };
                self.function.add_inst(block, opcode, [condition], void)
            }
            _ => {
                let value = self.value(self.types.integers[1]);
                let case = self.function.context.integer(Integer::from_i64(32, -7));
                let cases = vec![SwitchCase { value: case, target: second }];
                self.function.add_inst(block, Opcode::Switch { default: first, cases }, [value], void)
            }
        };
    }
}

proptest! {
    #[test]
    fn functions(numbers in prop::collection::vec(any::<u64>(), 0..400)) {
        let function = random_function(&numbers);
        prop_assert_eq!(function.verify(), Ok(()));
        let text = function.to_string();
        let again = match Function::parse(&text) {
            Ok(again) => again,
            Err(error) => return Err(TestCaseError::fail(format!("{error}\n{text}"))),
        };
        prop_assert!(again == function, "{}", text);
        prop_assert_eq!(again.to_string(), text);
        prop_assert_eq!(again.verify(), Ok(()));
    }

    #[test]
    fn renumbering_changes_nothing(numbers in prop::collection::vec(any::<u64>(), 0..200)) {
        let function = random_function(&numbers);
        let renumbered = function.renumbered();
        prop_assert_eq!(renumbered.to_string(), function.to_string());
        prop_assert_eq!(renumbered.renumbered(), renumbered);
    }

    /// Whatever the text is, the parser answers; most texts here are almost right.
    #[test]
    fn broken_texts_give_errors(numbers in prop::collection::vec(any::<u64>(), 20..100), at in any::<u64>(), put in 0..8_usize) {
        let mut text = random_function(&numbers).to_string();
        let mut position = at as usize % text.len();
        while !text.is_char_boundary(position) {
            position -= 1;
        }
        text.insert_str(position, ["(", ")", "!", " 0", "%", "\"", "[", ","][put]);
        if let Ok(module) = Module::parse(&text) {
            prop_assert_eq!(Module::parse(&module.to_string()), Ok(module));
        }
    }

    #[test]
    fn any_text_gets_an_answer(text in "[a-z0-9%@!#{}()<>*,=\" .:$^;-]{0,80}") {
        if let Err(error) = Module::parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1);
        }
    }
}
