// Cloning of functions and blocks, with the map from the old values to the new ones.

#include "shim.h"

#if LLVM_VERSION_MAJOR >= 17
#include "llvm/IR/AttributeMask.h"
#endif
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// Told of each argument, block and instruction of the old function, and what it became.
using Visitor = void (*)(void *State, LLVMValueRef Old, LLVMValueRef New);

void visitClone(const Value &Old, ValueToValueMapTy &Map, Visitor Visit,
                void *State) {
  if (Value *New = Map.lookup(&Old))
    Visit(State, wrap(&Old), wrap(New));
}

void visitMap(const BasicBlock &Old, ValueToValueMapTy &Map, Visitor Visit,
              void *State) {
  visitClone(Old, Map, Visit, State);
  for (const Instruction &I : Old)
    visitClone(I, Map, Visit, State);
}

void visitMap(const Function &Old, ValueToValueMapTy &Map, Visitor Visit,
              void *State) {
  for (const Argument &A : Old.args())
    visitClone(A, Map, Visit, State);
  for (const BasicBlock &BB : Old)
    visitMap(BB, Map, Visit, State);
}

// The clone may return another type and take other arguments than what it was cloned from.
void dropIncompatibleAttributes(Function &F) {
  AttributeList Attributes = F.getAttributes();
  LLVMContext &Context = F.getContext();
  auto Incompatible = [](Type *Ty, AttributeSet Set) {
#if LLVM_VERSION_MAJOR >= 20
    return AttributeFuncs::typeIncompatible(Ty, Set);
#else
    (void)Set;
    return AttributeFuncs::typeIncompatible(Ty);
#endif
  };
  Attributes = Attributes.removeRetAttributes(
      Context, Incompatible(F.getReturnType(), Attributes.getRetAttrs()));
  for (Argument &A : F.args()) {
    unsigned Index = A.getArgNo();
    Attributes = Attributes.removeParamAttributes(
        Context, Index,
        Incompatible(A.getType(), Attributes.getParamAttrs(Index)));
    if (A.getType() != F.getReturnType())
      Attributes = Attributes.removeParamAttribute(Context, Index,
                                                   Attribute::Returned);
  }
  F.setAttributes(Attributes);
}

} // namespace

ENZYME_SHIM void enzyme_CloneFunctionInto(LLVMValueRef RawNew,
                                          LLVMValueRef RawOld,
                                          const LLVMValueRef *Arguments,
                                          Visitor Visit, void *State) {
  auto &New = *unwrap<Function>(RawNew);
  auto &Old = *unwrap<Function>(RawOld);
  ValueToValueMapTy Map;
  for (Argument &A : Old.args())
    Map[&A] = unwrap(Arguments[A.getArgNo()]);

  // What cloning takes from the old function, but belongs to the new one.
  auto Linkage = New.getLinkage();
  auto Visibility = New.getVisibility();
  auto StorageClass = New.getDLLStorageClass();
  auto UnnamedAddr = New.getUnnamedAddr();
  bool DSOLocal = New.isDSOLocal();
  auto CallingConvention = New.getCallingConv();

  SmallVector<ReturnInst *, 8> Returns;
  CloneFunctionInto(&New, &Old, Map, CloneFunctionChangeType::LocalChangesOnly,
                    Returns);

  New.setDLLStorageClass(StorageClass);
  New.setVisibility(Visibility);
  New.setLinkage(Linkage);
  New.setUnnamedAddr(UnnamedAddr);
  New.setDSOLocal(DSOLocal);
  New.setCallingConv(CallingConvention);
  New.setComdat(nullptr);
  dropIncompatibleAttributes(New);
  visitMap(Old, Map, Visit, State);
}

ENZYME_SHIM LLVMValueRef enzyme_CloneFunction(LLVMValueRef RawOld,
                                              EnzymeText Name, Visitor Visit,
                                              void *State) {
  auto &Old = *unwrap<Function>(RawOld);
  ValueToValueMapTy Map;
  Function *New = CloneFunction(&Old, Map);
  New->setName(StringRef(Name));
  New->setComdat(nullptr);
  New->setDLLStorageClass(GlobalValue::DefaultStorageClass);
  New->setVisibility(GlobalValue::DefaultVisibility);
  New->setLinkage(GlobalValue::InternalLinkage);
  visitMap(Old, Map, Visit, State);
  return wrap(New);
}

// Clones blocks into a function. `Old` become `New` there; among them is all that the blocks use of what is around them. What
// describes the variables of the source stays behind.
ENZYME_SHIM void enzyme_CloneBasicBlocks(LLVMValueRef RawInto,
                                         const LLVMBasicBlockRef *Blocks,
                                         size_t Count, const LLVMValueRef *Old,
                                         const LLVMValueRef *New, size_t Known,
                                         Visitor Visit, void *State) {
  auto &Into = *unwrap<Function>(RawInto);
  ValueToValueMapTy Map;
  for (size_t Index = 0; Index < Known; ++Index)
    Map[unwrap(Old[Index])] = unwrap(New[Index]);
  SmallVector<BasicBlock *, 16> Clones;
  for (size_t Index = 0; Index < Count; ++Index) {
    BasicBlock *Block = unwrap(Blocks[Index]);
    BasicBlock *Clone = CloneBasicBlock(Block, Map, "", &Into);
    Map[Block] = Clone;
    Clones.push_back(Clone);
    for (Instruction &I : make_early_inc_range(*Clone)) {
#if LLVM_VERSION_MAJOR >= 19
      I.dropDbgRecords();
#endif
      I.setMetadata("DIAssignID", nullptr);
      if (isa<DbgInfoIntrinsic>(I))
        I.eraseFromParent();
    }
  }
  for (BasicBlock *Clone : Clones)
    for (PHINode &Phi : Clone->phis())
      for (unsigned Index = Phi.getNumIncomingValues(); Index-- > 0;)
        if (!Map.count(Phi.getIncomingBlock(Index)))
          Phi.removeIncomingValue(Index, /*DeletePHIIfEmpty=*/false);
  remapInstructionsInBlocks(Clones, Map);
  for (size_t Index = 0; Index < Count; ++Index)
    visitMap(*unwrap(Blocks[Index]), Map, Visit, State);
}
