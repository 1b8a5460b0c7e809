// Cloning of functions, with the map from the old values to the new ones.

#include "shim.h"

#if LLVM_VERSION_MAJOR >= 17
#include "llvm/IR/AttributeMask.h"
#endif
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;

namespace {

// Told of each argument, block and instruction of the old function, and what it became.
using Visitor = void (*)(void *State, LLVMValueRef Old, LLVMValueRef New);

void visitMap(const Function &Old, ValueToValueMapTy &Map, Visitor Visit,
              void *State) {
  auto VisitOne = [&](const Value &V) {
    if (Value *New = Map.lookup(&V))
      Visit(State, wrap(&V), wrap(New));
  };
  for (const Argument &A : Old.args())
    VisitOne(A);
  for (const BasicBlock &BB : Old) {
    VisitOne(BB);
    for (const Instruction &I : BB)
      VisitOne(I);
  }
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
