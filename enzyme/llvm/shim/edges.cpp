// Edits of the edges between blocks.

#include "shim.h"

#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

// A new block on the way from an invoke to where it goes when it does not throw.
ENZYME_SHIM LLVMBasicBlockRef enzyme_SplitEdge(LLVMValueRef Invoke) {
  auto *I = unwrap<InvokeInst>(Invoke);
  BasicBlock *From = I->getParent();
  BasicBlock *To = I->getNormalDest();
  BasicBlock *Between =
      BasicBlock::Create(From->getContext(), "", From->getParent(), To);
  BranchInst::Create(To, Between);
  I->setNormalDest(Between);
  To->replacePhiUsesWith(From, Between);
  return wrap(Between);
}
