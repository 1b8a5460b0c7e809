// Attributes whose form differs between the versions of LLVM.

#include "shim.h"

#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#if LLVM_VERSION_MAJOR >= 16
#include "llvm/Support/ModRef.h"
#endif

using namespace llvm;

namespace {

// What `enzyme_GetMemoryEffects` tells, whatever the version: two bits (1 reads, 2 writes) for each
// kind of memory.
enum MemoryShift : unsigned {
  ArgumentShift = 0,
  InaccessibleShift = 2,
  OtherShift = 4,
};

constexpr unsigned Reads = 1;
constexpr unsigned Writes = 2;
constexpr unsigned ReadsAndWrites = Reads | Writes;

constexpr unsigned everywhere(unsigned Access) {
  return Access << ArgumentShift | Access << InaccessibleShift |
         Access << OtherShift;
}

#if LLVM_VERSION_MAJOR >= 16

unsigned bitsOf(ModRefInfo Access) {
  return (isRefSet(Access) ? Reads : 0) | (isModSet(Access) ? Writes : 0);
}

ModRefInfo accessOf(unsigned Bits) {
  ModRefInfo Access = ModRefInfo::NoModRef;
  if (Bits & Reads)
    Access |= ModRefInfo::Ref;
  if (Bits & Writes)
    Access |= ModRefInfo::Mod;
  return Access;
}

// Kinds of memory that only newer versions tell apart (errno, target state) count as `Other`.
unsigned normalise(MemoryEffects Effects) {
  unsigned Bits = 0;
  for (auto Location : MemoryEffects::locations()) {
    unsigned Access = bitsOf(Effects.getModRef(Location));
    if (Location == MemoryEffects::Location::ArgMem)
      Bits |= Access << ArgumentShift;
    else if (Location == MemoryEffects::Location::InaccessibleMem)
      Bits |= Access << InaccessibleShift;
    else
      Bits |= Access << OtherShift;
  }
  return Bits;
}

MemoryEffects effectsOf(unsigned Bits) {
  MemoryEffects Effects =
      MemoryEffects(accessOf(Bits >> OtherShift & ReadsAndWrites));
  Effects = Effects.getWithModRef(
      MemoryEffects::Location::ArgMem,
      accessOf(Bits >> ArgumentShift & ReadsAndWrites));
  return Effects.getWithModRef(
      MemoryEffects::Location::InaccessibleMem,
      accessOf(Bits >> InaccessibleShift & ReadsAndWrites));
}

template <typename FunctionOrCall>
unsigned memoryEffects(const FunctionOrCall &At) {
  return normalise(At.getMemoryEffects());
}

template <typename FunctionOrCall>
void setMemoryEffects(FunctionOrCall &At, unsigned Bits) {
  At.setMemoryEffects(effectsOf(Bits));
}

#else

constexpr Attribute::AttrKind MemoryAttributes[] = {
    Attribute::ReadNone,
    Attribute::ReadOnly,
    Attribute::WriteOnly,
    Attribute::ArgMemOnly,
    Attribute::InaccessibleMemOnly,
    Attribute::InaccessibleMemOrArgMemOnly,
};

template <typename FunctionOrCall> unsigned memoryEffects(FunctionOrCall &At) {
  if (At.doesNotAccessMemory())
    return 0;
  unsigned Access = ReadsAndWrites;
  if (At.onlyReadsMemory())
    Access = Reads;
  else if (At.onlyWritesMemory())
    Access = Writes;
  if (At.onlyAccessesArgMemory())
    return Access << ArgumentShift;
  if (At.onlyAccessesInaccessibleMemory())
    return Access << InaccessibleShift;
  if (At.onlyAccessesInaccessibleMemOrArgMem())
    return Access << ArgumentShift | Access << InaccessibleShift;
  return everywhere(Access);
}

// The access attribute that covers every kind of memory named, and the place attribute likewise.
template <typename FunctionOrCall>
void setMemoryEffects(FunctionOrCall &At, unsigned Bits) {
  for (Attribute::AttrKind Kind : MemoryAttributes)
    At.removeFnAttr(Kind);
  unsigned Argument = Bits >> ArgumentShift & ReadsAndWrites;
  unsigned Inaccessible = Bits >> InaccessibleShift & ReadsAndWrites;
  unsigned Other = Bits >> OtherShift & ReadsAndWrites;
  switch (Argument | Inaccessible | Other) {
  case 0:
    At.addFnAttr(Attribute::ReadNone);
    return;
  case Reads:
    At.addFnAttr(Attribute::ReadOnly);
    break;
  case Writes:
    At.addFnAttr(Attribute::WriteOnly);
    break;
  default:
    break;
  }
  if (Other)
    return;
  if (!Inaccessible)
    At.addFnAttr(Attribute::ArgMemOnly);
  else if (!Argument)
    At.addFnAttr(Attribute::InaccessibleMemOnly);
  else
    At.addFnAttr(Attribute::InaccessibleMemOrArgMemOnly);
}

#endif

} // namespace

// For a function or a call; anything else may do everything.
ENZYME_SHIM unsigned enzyme_GetMemoryEffects(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  if (auto *F = dyn_cast<Function>(V))
    return memoryEffects(*F);
  if (auto *Call = dyn_cast<CallBase>(V))
    return memoryEffects(*Call);
  return everywhere(ReadsAndWrites);
}

// For a function or a call. Where the version's attributes cannot say it exactly, they say more.
ENZYME_SHIM void enzyme_SetMemoryEffects(LLVMValueRef Raw, unsigned Bits) {
  Value *V = unwrap(Raw);
  if (auto *F = dyn_cast<Function>(V))
    setMemoryEffects(*F, Bits);
  else if (auto *Call = dyn_cast<CallBase>(V))
    setMemoryEffects(*Call, Bits);
}

// For a clone that is to be optimised although its original forbids it.
ENZYME_SHIM void enzyme_AllowOptimisation(LLVMValueRef Raw) {
  auto *F = unwrap<Function>(Raw);
  F->removeFnAttr(Attribute::OptimizeNone);
  F->removeFnAttr(Attribute::NoInline);
}

// For a derivative that was cloned from its primal: drops what the primal promises and the derivative,
// which also reads and writes shadows and keeps values in memory of its own, need not hold.
ENZYME_SHIM void enzyme_DropPrimalPromises(LLVMValueRef Raw) {
  auto *F = unwrap<Function>(Raw);
  setMemoryEffects(*F, everywhere(ReadsAndWrites));
  for (Attribute::AttrKind Kind :
       {Attribute::AllocKind, Attribute::AllocSize, Attribute::NoFree,
        Attribute::Speculatable, Attribute::NoRecurse})
    F->removeFnAttr(Kind);
  F->removeFnAttr("alloc-family");
  for (Argument &A : F->args())
    F->removeParamAttr(A.getArgNo(), Attribute::Returned);
}
