// Flags of instructions that the C API learnt of late, or not at all.

#include "shim.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace {

// The bits of `enzyme_GetFastMathFlags`, as in the C API's `LLVMFastMathFlags` (LLVM 18).
enum FastMathBit : unsigned {
  AllowReassociation = 1 << 0,
  NoNaNs = 1 << 1,
  NoInfinities = 1 << 2,
  NoSignedZeros = 1 << 3,
  AllowReciprocal = 1 << 4,
  AllowContraction = 1 << 5,
  ApproximateFunctions = 1 << 6,
};

// The bits of `enzyme_GetPoisonFlags`: what makes a result poison when it does not hold.
enum PoisonBit : unsigned {
  NoUnsignedWrap = 1 << 0,
  NoSignedWrap = 1 << 1,
  Exact = 1 << 2,
  NonNegative = 1 << 3,
  Disjoint = 1 << 4,
  SameSign = 1 << 5,
  InBounds = 1 << 6,
  NoUnsignedSignedWrap = 1 << 7,
};

unsigned bit(bool Set, unsigned Bit) { return Set ? Bit : 0; }

} // namespace

// 0 for what cannot carry fast-math flags.
ENZYME_SHIM unsigned enzyme_GetFastMathFlags(LLVMValueRef Raw) {
  auto *Operation = dyn_cast<FPMathOperator>(unwrap(Raw));
  if (!Operation)
    return 0;
  FastMathFlags Flags = Operation->getFastMathFlags();
  return bit(Flags.allowReassoc(), AllowReassociation) |
         bit(Flags.noNaNs(), NoNaNs) | bit(Flags.noInfs(), NoInfinities) |
         bit(Flags.noSignedZeros(), NoSignedZeros) |
         bit(Flags.allowReciprocal(), AllowReciprocal) |
         bit(Flags.allowContract(), AllowContraction) |
         bit(Flags.approxFunc(), ApproximateFunctions);
}

// Leaves alone what cannot carry fast-math flags, a folded constant for example.
ENZYME_SHIM void enzyme_SetFastMathFlags(LLVMValueRef Raw, unsigned Bits) {
  auto *I = dyn_cast<Instruction>(unwrap(Raw));
  if (!I || !isa<FPMathOperator>(I))
    return;
  FastMathFlags Flags;
  Flags.setAllowReassoc(Bits & AllowReassociation);
  Flags.setNoNaNs(Bits & NoNaNs);
  Flags.setNoInfs(Bits & NoInfinities);
  Flags.setNoSignedZeros(Bits & NoSignedZeros);
  Flags.setAllowReciprocal(Bits & AllowReciprocal);
  Flags.setAllowContract(Bits & AllowContraction);
  Flags.setApproxFunc(Bits & ApproximateFunctions);
  // `setFastMathFlags` only adds flags; `copyFastMathFlags` takes them as given.
  I->copyFastMathFlags(Flags);
}

ENZYME_SHIM unsigned enzyme_GetPoisonFlags(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  unsigned Bits = 0;
  if (auto *Wrapping = dyn_cast<OverflowingBinaryOperator>(V))
    Bits |= bit(Wrapping->hasNoUnsignedWrap(), NoUnsignedWrap) |
            bit(Wrapping->hasNoSignedWrap(), NoSignedWrap);
  if (auto *Division = dyn_cast<PossiblyExactOperator>(V))
    Bits |= bit(Division->isExact(), Exact);
  if (auto *GEP = dyn_cast<GEPOperator>(V)) {
    Bits |= bit(GEP->isInBounds(), InBounds);
#if LLVM_VERSION_MAJOR >= 19
    Bits |= bit(GEP->hasNoUnsignedWrap(), NoUnsignedWrap) |
            bit(GEP->hasNoUnsignedSignedWrap(), NoUnsignedSignedWrap);
#endif
  }
#if LLVM_VERSION_MAJOR >= 18
  if (auto *I = dyn_cast<PossiblyNonNegInst>(V))
    Bits |= bit(I->hasNonNeg(), NonNegative);
  if (auto *I = dyn_cast<PossiblyDisjointInst>(V))
    Bits |= bit(I->isDisjoint(), Disjoint);
#endif
#if LLVM_VERSION_MAJOR >= 19
  if (auto *I = dyn_cast<TruncInst>(V))
    Bits |= bit(I->hasNoUnsignedWrap(), NoUnsignedWrap) |
            bit(I->hasNoSignedWrap(), NoSignedWrap);
#endif
#if LLVM_VERSION_MAJOR >= 20
  if (auto *I = dyn_cast<ICmpInst>(V))
    Bits |= bit(I->hasSameSign(), SameSign);
#endif
  return Bits;
}

// Sets the flags that the instruction can carry in this LLVM, and leaves out the others: a flag only
// ever narrows what is defined.
ENZYME_SHIM void enzyme_SetPoisonFlags(LLVMValueRef Raw, unsigned Bits) {
  auto *I = dyn_cast<Instruction>(unwrap(Raw));
  if (!I)
    return;
  bool CanWrap = isa<OverflowingBinaryOperator>(I);
#if LLVM_VERSION_MAJOR >= 19
  CanWrap |= isa<TruncInst>(I);
#endif
  if (CanWrap) {
    I->setHasNoUnsignedWrap(Bits & NoUnsignedWrap);
    I->setHasNoSignedWrap(Bits & NoSignedWrap);
  }
  if (isa<PossiblyExactOperator>(I))
    I->setIsExact(Bits & Exact);
  if (auto *GEP = dyn_cast<GetElementPtrInst>(I)) {
#if LLVM_VERSION_MAJOR >= 19
    GEPNoWrapFlags Flags = GEPNoWrapFlags::none();
    if (Bits & InBounds)
      Flags |= GEPNoWrapFlags::inBounds();
    if (Bits & NoUnsignedWrap)
      Flags |= GEPNoWrapFlags::noUnsignedWrap();
    if (Bits & NoUnsignedSignedWrap)
      Flags |= GEPNoWrapFlags::noUnsignedSignedWrap();
    GEP->setNoWrapFlags(Flags);
#else
    GEP->setIsInBounds(Bits & InBounds);
#endif
  }
#if LLVM_VERSION_MAJOR >= 18
  if (isa<PossiblyNonNegInst>(I))
    I->setNonNeg(Bits & NonNegative);
  if (auto *Or = dyn_cast<PossiblyDisjointInst>(I))
    Or->setIsDisjoint(Bits & Disjoint);
#endif
#if LLVM_VERSION_MAJOR >= 20
  if (auto *Compare = dyn_cast<ICmpInst>(I))
    Compare->setSameSign(Bits & SameSign);
#endif
}

// 0 none, 1 tail, 2 musttail, 3 notail, as in the C API's `LLVMTailCallKind` (LLVM 18).
ENZYME_SHIM unsigned enzyme_GetTailCallKind(LLVMValueRef Call) {
  return unwrap<CallInst>(Call)->getTailCallKind();
}

ENZYME_SHIM void enzyme_SetTailCallKind(LLVMValueRef Call, unsigned Kind) {
  unwrap<CallInst>(Call)->setTailCallKind(
      static_cast<CallInst::TailCallKind>(Kind));
}

ENZYME_SHIM unsigned enzyme_GetNumOperandBundles(LLVMValueRef Call) {
  return unwrap<CallBase>(Call)->getNumOperandBundles();
}

ENZYME_SHIM const char *enzyme_GetOperandBundleTag(LLVMValueRef Call,
                                                   unsigned Index,
                                                   size_t *Length) {
  StringRef Tag =
      unwrap<CallBase>(Call)->getOperandBundleAt(Index).getTagName();
  *Length = Tag.size();
  return Tag.data();
}

ENZYME_SHIM unsigned enzyme_GetNumOperandBundleArgs(LLVMValueRef Call,
                                                    unsigned Index) {
  return unwrap<CallBase>(Call)->getOperandBundleAt(Index).Inputs.size();
}

ENZYME_SHIM LLVMValueRef enzyme_GetOperandBundleArg(LLVMValueRef Call,
                                                    unsigned Index,
                                                    unsigned Input) {
  return wrap(
      unwrap<CallBase>(Call)->getOperandBundleAt(Index).Inputs[Input].get());
}
