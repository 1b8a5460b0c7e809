// Edits of functions and modules.

#include "shim.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace {

// Takes away all that a global refers to, so that globals may then be erased in any order.
void dropReferences(GlobalValue &G) {
  if (auto *F = dyn_cast<Function>(&G))
    F->dropAllReferences();
  else if (auto *Variable = dyn_cast<GlobalVariable>(&G))
    Variable->dropAllReferences();
}

void replaceByPoison(Value &V) {
  if (!V.use_empty())
    V.replaceAllUsesWith(PoisonValue::get(V.getType()));
}

} // namespace

// Why the call cannot be inlined, or null when it was.
ENZYME_SHIM char *enzyme_InlineFunction(LLVMValueRef Call) {
  InlineFunctionInfo Info;
  InlineResult Result = InlineFunction(*unwrap<CallBase>(Call), Info);
  if (Result.isSuccess())
    return nullptr;
  return enzymeMessage(Result.getFailureReason());
}

// The call that an invoke becomes.
ENZYME_SHIM LLVMValueRef enzyme_ChangeToCall(LLVMValueRef Invoke) {
  return wrap(changeToCall(unwrap<InvokeInst>(Invoke)));
}

// What stands from `At` on goes to a new block, which the old one branches to.
ENZYME_SHIM LLVMBasicBlockRef enzyme_SplitBlock(LLVMValueRef At,
                                                EnzymeText Name) {
  auto *I = unwrap<Instruction>(At);
  return wrap(SplitBlock(I->getParent(), I,
                         static_cast<DomTreeUpdater *>(nullptr), nullptr,
                         nullptr, StringRef(Name)));
}

ENZYME_SHIM void enzyme_MoveInstructionBefore(LLVMValueRef Moved,
                                              LLVMValueRef Before) {
  auto *Position = unwrap<Instruction>(Before);
#if LLVM_VERSION_MAJOR >= 20
  unwrap<Instruction>(Moved)->moveBefore(Position->getIterator());
#else
  unwrap<Instruction>(Moved)->moveBefore(Position);
#endif
}

// The function becomes a declaration.
ENZYME_SHIM void enzyme_DeleteBody(LLVMValueRef F) {
  unwrap<Function>(F)->deleteBody();
}

// For instructions and for globals.
ENZYME_SHIM void enzyme_ReplaceAllUsesWithPoisonAndErase(LLVMValueRef Raw) {
  Value *V = unwrap(Raw);
  if (auto *G = dyn_cast<GlobalValue>(V)) {
    dropReferences(*G);
    replaceByPoison(*G);
    G->eraseFromParent();
    return;
  }
  replaceByPoison(*V);
  cast<Instruction>(V)->eraseFromParent();
}

// Erases every function, variable, alias and ifunc of the module but those in `Kept`.
ENZYME_SHIM void enzyme_EraseGlobalsExcept(LLVMModuleRef RawModule,
                                           const LLVMValueRef *Kept,
                                           size_t KeptCount) {
  Module &M = *unwrap(RawModule);
  SmallPtrSet<const Value *, 32> Known;
  for (size_t Index = 0; Index < KeptCount; ++Index)
    Known.insert(unwrap(Kept[Index]));

  SmallVector<GlobalValue *, 16> Doomed;
  for (GlobalValue &G : M.global_values())
    if (!Known.count(&G))
      Doomed.push_back(&G);
  for (GlobalValue *G : Doomed)
    dropReferences(*G);
  for (GlobalValue *G : Doomed)
    replaceByPoison(*G);
  for (GlobalValue *G : Doomed)
    G->eraseFromParent();
}

ENZYME_SHIM void enzyme_CopyFunctionAttributes(LLVMValueRef To,
                                               LLVMValueRef From) {
  unwrap<Function>(To)->setAttributes(unwrap<Function>(From)->getAttributes());
}

ENZYME_SHIM void enzyme_AppendToCompilerUsed(LLVMValueRef Raw) {
  auto *G = unwrap<GlobalValue>(Raw);
  appendToCompilerUsed(*G->getParent(), {G});
}

// New alias scopes, in a domain of their own.
ENZYME_SHIM void enzyme_NewAliasScopes(LLVMContextRef Context, size_t Count,
                                       LLVMMetadataRef *Scopes) {
  MDBuilder Builder(*unwrap(Context));
  MDNode *Domain = Builder.createAnonymousAliasScopeDomain();
  for (size_t Index = 0; Index < Count; ++Index)
    Scopes[Index] = wrap(Builder.createAnonymousAliasScope(Domain));
}

// Says of an access that it is in some scopes, and touches nothing of others, besides what is said of it.
ENZYME_SHIM void enzyme_AddAliasScopes(LLVMValueRef Raw, const LLVMMetadataRef *In,
                                       size_t InCount, const LLVMMetadataRef *Not,
                                       size_t NotCount) {
  auto *I = unwrap<Instruction>(Raw);
  auto Add = [&](unsigned Kind, const LLVMMetadataRef *Scopes, size_t Count) {
    SmallVector<Metadata *, 8> All;
    for (size_t Index = 0; Index < Count; ++Index)
      All.push_back(unwrap(Scopes[Index]));
    MDNode *New = MDNode::get(I->getContext(), All);
    I->setMetadata(Kind, MDNode::concatenate(I->getMetadata(Kind), New));
  };
  Add(LLVMContext::MD_alias_scope, In, InCount);
  Add(LLVMContext::MD_noalias, Not, NotCount);
}

// The program calls the function when it ends, or a library when it is unloaded.
ENZYME_SHIM void enzyme_AppendToGlobalDestructors(LLVMValueRef Raw) {
  auto *F = unwrap<Function>(Raw);
  appendToGlobalDtors(*F->getParent(), F, /*Priority=*/0);
}

#if LLVM_VERSION_MAJOR < 16
/// What `removeFromUsedLists` does from LLVM 16 on, for one of the lists.
static void removeFromUsedList(Module &M, GlobalValue *G, bool CompilerUsed) {
  SmallVector<GlobalValue *, 16> Used;
  GlobalVariable *List = collectUsedGlobalVariables(M, Used, CompilerUsed);
  if (!List)
    return;
  llvm::erase_value(Used, G);
  List->eraseFromParent();
  if (CompilerUsed)
    appendToCompilerUsed(M, Used);
  else
    appendToUsed(M, Used);
}
#endif

ENZYME_SHIM void enzyme_RemoveFromUsedLists(LLVMValueRef Raw) {
  auto *G = unwrap<GlobalValue>(Raw);
#if LLVM_VERSION_MAJOR < 16
  removeFromUsedList(*G->getParent(), G, /*CompilerUsed=*/false);
  removeFromUsedList(*G->getParent(), G, /*CompilerUsed=*/true);
#else
  removeFromUsedLists(*G->getParent(), [&](Constant *C) {
    return C->stripPointerCasts() == G;
  });
#endif
  // The list that was replaced is a constant, which nobody uses any more.
  G->removeDeadConstantUsers();
}
