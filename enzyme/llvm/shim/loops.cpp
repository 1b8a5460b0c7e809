// What LLVM knows of loops.

#include "shim.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#if LLVM_VERSION_MAJOR >= 17
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#endif

using namespace llvm;

namespace {

// How often the loop's header runs, computed in its preheader; null when that is not known there.
Value *expandTripCount(Loop &L, ScalarEvolution &SE, SCEVExpander &Expander) {
  BasicBlock *Preheader = L.getLoopPreheader();
  const SCEV *Taken = SE.getBackedgeTakenCount(&L);
  if (!Preheader || isa<SCEVCouldNotCompute>(Taken) ||
      SE.getTypeSizeInBits(Taken->getType()) > 64)
    return nullptr;
  Type *Word = Type::getInt64Ty(Preheader->getContext());
  // Extended first: the count of a narrow counter that takes all its values does not fit its type.
  const SCEV *Trips =
      SE.getAddExpr(SE.getNoopOrZeroExtend(Taken, Word), SE.getOne(Word));
  Instruction *End = Preheader->getTerminator();
  if (!SE.isLoopInvariant(Trips, &L) || !Expander.isSafeToExpandAt(Trips, End))
    return nullptr;
  return Expander.expandCodeFor(Trips, Word, End);
}

} // namespace

ENZYME_SHIM bool enzyme_ContainsIrreducibleCFG(LLVMValueRef Raw) {
  auto &F = *unwrap<Function>(Raw);
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  ReversePostOrderTraversal<const Function *> Order(&F);
  return containsIrreducibleCFG<const BasicBlock *>(Order, Loops);
}

// Computes each trip count that is known on entry to its loop at the end of the preheader: a frozen i64 that carries
// the metadata `Kind`, which nothing else in the function carries.
ENZYME_SHIM void enzyme_ExpandTripCounts(LLVMValueRef Raw, EnzymeText Kind) {
  auto &F = *unwrap<Function>(Raw);
  for (Instruction &I : instructions(F))
    I.setMetadata(StringRef(Kind), nullptr);
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  AssumptionCache Assumptions(F);
  TargetLibraryInfoImpl Library{Triple(F.getParent()->getTargetTriple())};
  TargetLibraryInfo LibraryOfF(Library, &F);
  ScalarEvolution SE(F, LibraryOfF, Assumptions, Dominators, Loops);
#if LLVM_VERSION_MAJOR >= 22
  SCEVExpander Expander(SE, "trips");
#else
  SCEVExpander Expander(SE, F.getParent()->getDataLayout(), "trips");
#endif
  for (Loop *L : Loops.getLoopsInPreorder()) {
    Value *Trips = expandTripCount(*L, SE, Expander);
    if (!Trips)
      continue;
    IRBuilder<> Builder(L->getLoopPreheader()->getTerminator());
    auto *Frozen = cast<Instruction>(
        Builder.CreateFreeze(Trips, L->getHeader()->getName() + ".trips"));
    Frozen->setMetadata(StringRef(Kind), MDNode::get(F.getContext(), {}));
  }
  Expander.clear();
}
