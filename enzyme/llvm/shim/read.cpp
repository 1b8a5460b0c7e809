// What the reader asks about IR: classes of values and types, and the parts of them that LLVM's C API
// does not show, or shows differently, in one of the versions served.
//
// Words (of opcodes, predicates, orderings) are those of the text form, which change less than numbers.

#include "shim.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Comdat.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/AtomicOrdering.h"

using namespace llvm;

namespace {

EnzymeText text(StringRef Text) { return {Text.data(), Text.size()}; }

// Mirrored by `ValueClass` in Rust.
enum ValueClass : unsigned {
  ParameterClass,
  InstructionClass,
  BlockClass,
  MetadataClass,
  InlineAsmClass,
  VariableClass,
  FunctionClass,
  AliasClass,
  IndirectFunctionClass,
  IntegerClass,
  FloatClass,
  NullClass,
  UndefClass,
  PoisonClass,
  ZeroClass,
  NoneTokenClass,
  AggregateClass,
  DataClass,
  ExpressionClass,
  BlockAddressClass,
  DsoLocalEquivalentClass,
  NoCfiClass,
  PointerAuthenticationClass,
  UnknownValueClass,
};

// Mirrored by `TypeClass` in Rust.
enum TypeClass : unsigned {
  VoidType,
  HalfType,
  BFloatType,
  FloatType,
  DoubleType,
  X86Fp80Type,
  Fp128Type,
  PpcFp128Type,
  LabelType,
  MetadataType,
  X86MmxType,
  X86AmxType,
  TokenType,
  IntegerTypeClass,
  FunctionTypeClass,
  PointerTypeClass,
  StructTypeClass,
  ArrayTypeClass,
  FixedVectorTypeClass,
  ScalableVectorTypeClass,
  TargetTypeClass,
  UnknownType,
};

// Mirrored by `MetadataClass` in Rust.
enum NodeClass : unsigned {
  StringNode,
  ConstantNode,
  LocalValueNode,
  UniquedTuple,
  DistinctTuple,
  OtherNode,
};

// Given one text at a time.
using TextVisitor = void (*)(void *State, EnzymeText Text);
// Given one attribute at a time.
using AttributeVisitor = void (*)(void *State, LLVMAttributeRef Attribute);

template <typename Instruction> StringRef scopeName(const Instruction &I) {
  SmallVector<StringRef, 8> Names;
  I.getContext().getSyncScopeNames(Names);
  return Names[I.getSyncScopeID()];
}

} // namespace

ENZYME_SHIM unsigned enzyme_GetValueClass(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  if (isa<Argument>(V))
    return ParameterClass;
  if (isa<Instruction>(V))
    return InstructionClass;
  if (isa<BasicBlock>(V))
    return BlockClass;
  if (isa<MetadataAsValue>(V))
    return MetadataClass;
  if (isa<InlineAsm>(V))
    return InlineAsmClass;
  if (isa<GlobalVariable>(V))
    return VariableClass;
  if (isa<Function>(V))
    return FunctionClass;
  if (isa<GlobalAlias>(V))
    return AliasClass;
  if (isa<GlobalIFunc>(V))
    return IndirectFunctionClass;
  if (isa<ConstantInt>(V))
    return IntegerClass;
  if (isa<ConstantFP>(V))
    return FloatClass;
  if (isa<ConstantPointerNull>(V))
    return NullClass;
  // Poison is a kind of undef.
  if (isa<PoisonValue>(V))
    return PoisonClass;
  if (isa<UndefValue>(V))
    return UndefClass;
  if (isa<ConstantAggregateZero>(V))
    return ZeroClass;
#if LLVM_VERSION_MAJOR >= 16
  if (isa<ConstantTargetNone>(V))
    return ZeroClass;
#endif
  if (isa<ConstantTokenNone>(V))
    return NoneTokenClass;
  if (isa<ConstantAggregate>(V))
    return AggregateClass;
  if (isa<ConstantDataSequential>(V))
    return DataClass;
  if (isa<ConstantExpr>(V))
    return ExpressionClass;
  if (isa<BlockAddress>(V))
    return BlockAddressClass;
  if (isa<DSOLocalEquivalent>(V))
    return DsoLocalEquivalentClass;
  if (isa<NoCFIValue>(V))
    return NoCfiClass;
#if LLVM_VERSION_MAJOR >= 19
  if (isa<ConstantPtrAuth>(V))
    return PointerAuthenticationClass;
#endif
  return UnknownValueClass;
}

ENZYME_SHIM unsigned enzyme_GetTypeClass(LLVMTypeRef Raw) {
  switch (unwrap(Raw)->getTypeID()) {
  case Type::VoidTyID:
    return VoidType;
  case Type::HalfTyID:
    return HalfType;
  case Type::BFloatTyID:
    return BFloatType;
  case Type::FloatTyID:
    return FloatType;
  case Type::DoubleTyID:
    return DoubleType;
  case Type::X86_FP80TyID:
    return X86Fp80Type;
  case Type::FP128TyID:
    return Fp128Type;
  case Type::PPC_FP128TyID:
    return PpcFp128Type;
  case Type::LabelTyID:
    return LabelType;
  case Type::MetadataTyID:
    return MetadataType;
#if LLVM_VERSION_MAJOR < 20
  case Type::X86_MMXTyID:
    return X86MmxType;
#endif
  case Type::X86_AMXTyID:
    return X86AmxType;
  case Type::TokenTyID:
    return TokenType;
  case Type::IntegerTyID:
    return IntegerTypeClass;
  case Type::FunctionTyID:
    return FunctionTypeClass;
  case Type::PointerTyID:
    return PointerTypeClass;
  case Type::StructTyID:
    return StructTypeClass;
  case Type::ArrayTyID:
    return ArrayTypeClass;
  case Type::FixedVectorTyID:
    return FixedVectorTypeClass;
  case Type::ScalableVectorTyID:
    return ScalableVectorTypeClass;
#if LLVM_VERSION_MAJOR >= 16
  case Type::TargetExtTyID:
    return TargetTypeClass;
#endif
  default:
    return UnknownType;
  }
}

ENZYME_SHIM uint64_t enzyme_GetArrayLength(LLVMTypeRef Raw) {
  return unwrap<ArrayType>(Raw)->getNumElements();
}

// The name of a target type and its parameters; `Types` and `Integers` point into the type.
struct EnzymeTargetType {
  EnzymeText Name;
  const LLVMTypeRef *Types;
  size_t TypeCount;
  const unsigned *Integers;
  size_t IntegerCount;
};

ENZYME_SHIM EnzymeTargetType enzyme_GetTargetType(LLVMTypeRef Raw) {
#if LLVM_VERSION_MAJOR >= 16
  auto *Target = unwrap<TargetExtType>(Raw);
  ArrayRef<Type *> Types = Target->type_params();
  ArrayRef<unsigned> Integers = Target->int_params();
  // The C API's handles are pointers to what they stand for.
  return {text(Target->getName()),
          reinterpret_cast<const LLVMTypeRef *>(Types.data()), Types.size(),
          Integers.data(), Integers.size()};
#else
  (void)Raw;
  return {text(""), nullptr, 0, nullptr, 0};
#endif
}

// The word of an instruction or constant expression: `fadd`, `getelementptr` …
ENZYME_SHIM EnzymeText enzyme_GetOpcodeName(LLVMValueRef Raw) {
  return text(Instruction::getOpcodeName(unwrap<Operator>(Raw)->getOpcode()));
}

// The word of a comparison, as an instruction or (up to LLVM 18) a constant expression.
ENZYME_SHIM EnzymeText enzyme_GetPredicateName(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  if (auto *Compare = dyn_cast<CmpInst>(V))
    return text(CmpInst::getPredicateName(Compare->getPredicate()));
#if LLVM_VERSION_MAJOR < 19
  return text(CmpInst::getPredicateName(static_cast<CmpInst::Predicate>(
      cast<ConstantExpr>(V)->getPredicate())));
#else
  return text("");
#endif
}

// The mask of a `shufflevector`, instruction or constant expression; -1 stands for poison.
ENZYME_SHIM const int *enzyme_GetShuffleMask(LLVMValueRef Raw, size_t *Length) {
  Value *V = unwrap(Raw);
  ArrayRef<int> Mask = isa<ShuffleVectorInst>(V)
                           ? cast<ShuffleVectorInst>(V)->getShuffleMask()
                           : cast<ConstantExpr>(V)->getShuffleMask();
  *Length = Mask.size();
  return Mask.data();
}

// How many bytes a `getelementptr` leads away from where it starts, where that is constant.
ENZYME_SHIM bool enzyme_AccumulateConstantOffset(LLVMValueRef Raw,
                                                 int64_t *Distance) {
  auto *GEP = unwrap<GetElementPtrInst>(Raw);
  const DataLayout &Layout = GEP->getModule()->getDataLayout();
  APInt Offset(Layout.getIndexTypeSizeInBits(GEP->getType()), 0);
  if (!GEP->accumulateConstantOffset(Layout, Offset))
    return false;
  *Distance = Offset.getSExtValue();
  return true;
}

// What `inrange` says of a `getelementptr`; mirrored in Rust.
struct EnzymeInRange {
  // 0 nothing, 1 `Start` to `End` in bytes, 2 the index `Start`.
  unsigned Kind;
  int64_t Start;
  int64_t End;
};

ENZYME_SHIM EnzymeInRange enzyme_GetInRange(LLVMValueRef Raw) {
  auto *GEP = unwrap<GEPOperator>(Raw);
#if LLVM_VERSION_MAJOR >= 19
  if (auto Range = GEP->getInRange())
    return {1, Range->getLower().getSExtValue(),
            Range->getUpper().getSExtValue()};
#else
  if (auto Index = GEP->getInRangeIndex())
    return {2, *Index, 0};
#endif
  return {0, 0, 0};
}

// How an instruction touches memory; mirrored in Rust. Texts are empty where they say nothing.
struct EnzymeMemoryAccess {
  EnzymeText Operation;
  EnzymeText Ordering;
  EnzymeText FailureOrdering;
  EnzymeText Scope;
  uint64_t Alignment;
  bool Volatile;
  bool Weak;
};

// For `load`, `store`, `fence`, `cmpxchg`, `atomicrmw`.
ENZYME_SHIM EnzymeMemoryAccess enzyme_GetMemoryAccess(LLVMValueRef Raw) {
  EnzymeMemoryAccess Access = {text(""), text(""), text(""), text(""), 0, false, false};
  auto *I = unwrap<Instruction>(Raw);
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    Access.Alignment = Load->getAlign().value();
    Access.Volatile = Load->isVolatile();
    if (Load->isAtomic()) {
      Access.Ordering = text(toIRString(Load->getOrdering()));
      Access.Scope = text(scopeName(*Load));
    }
  } else if (auto *Store = dyn_cast<StoreInst>(I)) {
    Access.Alignment = Store->getAlign().value();
    Access.Volatile = Store->isVolatile();
    if (Store->isAtomic()) {
      Access.Ordering = text(toIRString(Store->getOrdering()));
      Access.Scope = text(scopeName(*Store));
    }
  } else if (auto *Fence = dyn_cast<FenceInst>(I)) {
    Access.Ordering = text(toIRString(Fence->getOrdering()));
    Access.Scope = text(scopeName(*Fence));
  } else if (auto *Exchange = dyn_cast<AtomicCmpXchgInst>(I)) {
    Access.Alignment = Exchange->getAlign().value();
    Access.Volatile = Exchange->isVolatile();
    Access.Weak = Exchange->isWeak();
    Access.Ordering = text(toIRString(Exchange->getSuccessOrdering()));
    Access.FailureOrdering = text(toIRString(Exchange->getFailureOrdering()));
    Access.Scope = text(scopeName(*Exchange));
  } else if (auto *Update = dyn_cast<AtomicRMWInst>(I)) {
    Access.Operation =
        text(AtomicRMWInst::getOperationName(Update->getOperation()));
    Access.Alignment = Update->getAlign().value();
    Access.Volatile = Update->isVolatile();
    Access.Ordering = text(toIRString(Update->getOrdering()));
    Access.Scope = text(scopeName(*Update));
  }
  return Access;
}

// 0 ordinary, 1 `inalloca`, 2 `swifterror`.
ENZYME_SHIM unsigned enzyme_GetAllocaStorage(LLVMValueRef Raw) {
  auto *Alloca = unwrap<AllocaInst>(Raw);
  return Alloca->isUsedWithInAlloca() ? 1 : Alloca->isSwiftError() ? 2 : 0;
}

// The integer of a switch's case, counted from 0, the default left out.
ENZYME_SHIM LLVMValueRef enzyme_GetSwitchCaseValue(LLVMValueRef Raw,
                                                   unsigned Index) {
  auto *Switch = unwrap<SwitchInst>(Raw);
  return wrap((Switch->case_begin() + Index)->getCaseValue());
}

// The words of an integer constant, least significant first; they belong to the constant.
ENZYME_SHIM const uint64_t *enzyme_GetIntegerWords(LLVMValueRef Raw,
                                                   unsigned *Bits,
                                                   size_t *Count) {
  const APInt &Integer = unwrap<ConstantInt>(Raw)->getValue();
  *Bits = Integer.getBitWidth();
  *Count = Integer.getNumWords();
  return Integer.getRawData();
}

// The bits of a floating-point constant, of at most 128 bits.
ENZYME_SHIM void enzyme_GetFloatBits(LLVMValueRef Raw, uint64_t Words[2]) {
  APInt Bits = unwrap<ConstantFP>(Raw)->getValueAPF().bitcastToAPInt();
  Words[0] = Bits.getRawData()[0];
  Words[1] = Bits.getNumWords() > 1 ? Bits.getRawData()[1] : 0;
}

// The elements' bytes of a data array or vector, in the machine's order; they belong to the constant.
ENZYME_SHIM EnzymeText enzyme_GetConstantData(LLVMValueRef Raw) {
  return text(unwrap<ConstantDataSequential>(Raw)->getRawDataValues());
}

// The element that all places of a vector constant hold; null when they differ.
ENZYME_SHIM LLVMValueRef enzyme_GetSplatValue(LLVMValueRef Raw) {
  return wrap(unwrap<Constant>(Raw)->getSplatValue());
}

ENZYME_SHIM void enzyme_GetBlockAddress(LLVMValueRef Raw,
                                        LLVMValueRef *FunctionOut,
                                        LLVMBasicBlockRef *BlockOut) {
  auto *Address = unwrap<BlockAddress>(Raw);
  *FunctionOut = wrap(Address->getFunction());
  *BlockOut = wrap(Address->getBasicBlock());
}

// The global that a `dso_local_equivalent` or `no_cfi` is about.
ENZYME_SHIM LLVMValueRef enzyme_GetWrappedGlobal(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  if (auto *Equivalent = dyn_cast<DSOLocalEquivalent>(V))
    return wrap(Equivalent->getGlobalValue());
  return wrap(cast<NoCFIValue>(V)->getGlobalValue());
}

// Assembler as a callee; mirrored in Rust.
struct EnzymeInlineAsm {
  EnzymeText Template;
  EnzymeText Constraints;
  bool SideEffect;
  bool AlignStack;
  bool IntelDialect;
  bool MayUnwind;
};

ENZYME_SHIM EnzymeInlineAsm enzyme_GetInlineAsm(LLVMValueRef Raw) {
  auto *Asm = unwrap<InlineAsm>(Raw);
  return {text(Asm->getAsmString()),   text(Asm->getConstraintString()),
          Asm->hasSideEffects(),       Asm->isAlignStack(),
          Asm->getDialect() == InlineAsm::AD_Intel, Asm->canThrow()};
}

// What the C API does not tell of a global; mirrored in Rust. Texts are empty where there is none.
struct EnzymeGlobalTraits {
  EnzymeText Section;
  EnzymeText Partition;
  EnzymeText Comdat;
  // 0 when none is given.
  uint64_t Alignment;
  // As the text form has it: left out where linkage or visibility imply it.
  bool DsoLocal;
};

ENZYME_SHIM EnzymeGlobalTraits enzyme_GetGlobalTraits(LLVMValueRef Raw) {
  auto *Global = unwrap<GlobalValue>(Raw);
  EnzymeGlobalTraits Traits = {text(""), text(Global->getPartition()), text(""),
                               0,
                               Global->isDSOLocal() &&
                                   !Global->isImplicitDSOLocal()};
  if (auto *Object = dyn_cast<GlobalObject>(Global)) {
    Traits.Section = text(Object->getSection());
    if (const Comdat *Group = Object->getComdat())
      Traits.Comdat = text(Group->getName());
    MaybeAlign Alignment;
    if (auto *F = dyn_cast<Function>(Object))
      Alignment = F->getAlign();
    else if (auto *Variable = dyn_cast<GlobalVariable>(Object))
      Alignment = Variable->getAlign();
    Traits.Alignment = Alignment ? Alignment->value() : 0;
  }
  return Traits;
}

ENZYME_SHIM void enzyme_VisitVariableAttributes(LLVMValueRef Raw,
                                                AttributeVisitor Visit,
                                                void *State) {
  for (Attribute A : unwrap<GlobalVariable>(Raw)->getAttributes())
    Visit(State, wrap(A));
}

// The target of an alias, or the resolver of an ifunc.
ENZYME_SHIM LLVMValueRef enzyme_GetIndirectSymbol(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  if (auto *Alias = dyn_cast<GlobalAlias>(V))
    return wrap(Alias->getAliasee());
  return wrap(cast<GlobalIFunc>(V)->getResolver());
}

// Null for a function without.
ENZYME_SHIM LLVMValueRef enzyme_GetPersonality(LLVMValueRef Raw) {
  auto *F = unwrap<Function>(Raw);
  return F->hasPersonalityFn() ? wrap(F->getPersonalityFn()) : nullptr;
}

// Null for a function without.
ENZYME_SHIM LLVMValueRef enzyme_GetPrologueData(LLVMValueRef Raw) {
  auto *F = unwrap<Function>(Raw);
  return F->hasPrologueData() ? wrap(F->getPrologueData()) : nullptr;
}

// Null for a function without.
ENZYME_SHIM LLVMValueRef enzyme_GetPrefixData(LLVMValueRef Raw) {
  auto *F = unwrap<Function>(Raw);
  return F->hasPrefixData() ? wrap(F->getPrefixData()) : nullptr;
}

// An attribute as the text form has it.
ENZYME_SHIM char *enzyme_PrintAttribute(LLVMAttributeRef Raw) {
  return enzymeMessage(unwrap(Raw).getAsString());
}

// The names of the kinds of metadata, in the order of their numbers.
ENZYME_SHIM void enzyme_VisitMetadataKinds(LLVMContextRef Raw,
                                           TextVisitor Visit, void *State) {
  SmallVector<StringRef, 64> Names;
  unwrap(Raw)->getMDKindNames(Names);
  for (StringRef Name : Names)
    Visit(State, text(Name));
}

ENZYME_SHIM LLVMMetadataRef enzyme_GetWrappedMetadata(LLVMValueRef Raw) {
  return wrap(unwrap<MetadataAsValue>(Raw)->getMetadata());
}

ENZYME_SHIM unsigned enzyme_GetMetadataClass(LLVMMetadataRef Raw) {
  Metadata *Node = unwrap(Raw);
  if (isa<MDString>(Node))
    return StringNode;
  if (isa<ConstantAsMetadata>(Node))
    return ConstantNode;
  if (isa<LocalAsMetadata>(Node))
    return LocalValueNode;
  if (auto *Tuple = dyn_cast<MDTuple>(Node))
    return Tuple->isDistinct() ? DistinctTuple : UniquedTuple;
  return OtherNode;
}

ENZYME_SHIM EnzymeText enzyme_GetMetadataText(LLVMMetadataRef Raw) {
  return text(unwrap<MDString>(Raw)->getString());
}

ENZYME_SHIM LLVMValueRef enzyme_GetMetadataValue(LLVMMetadataRef Raw) {
  return wrap(unwrap<ValueAsMetadata>(Raw)->getValue());
}

ENZYME_SHIM size_t enzyme_GetTupleLength(LLVMMetadataRef Raw) {
  return unwrap<MDTuple>(Raw)->getNumOperands();
}

// Null for an empty place.
ENZYME_SHIM LLVMMetadataRef enzyme_GetTupleElement(LLVMMetadataRef Raw,
                                                   size_t Index) {
  return wrap(unwrap<MDTuple>(Raw)->getOperand(Index).get());
}
