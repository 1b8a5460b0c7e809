// What LLVM knows of loops, and edits of them.

#include "shim.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/CFG.h"
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

// The blocks from which a return can be reached.
SmallPtrSet<const BasicBlock *, 32> blocksBeforeReturn(const Function &F) {
  SmallPtrSet<const BasicBlock *, 32> Found;
  SmallVector<const BasicBlock *, 32> Pending;
  for (const BasicBlock &Block : F)
    if (isa<ReturnInst>(Block.getTerminator()))
      Pending.push_back(&Block);
  while (!Pending.empty()) {
    const BasicBlock *Block = Pending.pop_back_val();
    if (Found.insert(Block).second)
      Pending.append(pred_begin(Block), pred_end(Block));
  }
  return Found;
}

// How often a back edge is taken, if the loop is not left by an exception or for the end of the program.
const SCEV *
backedgeTakenCount(Loop &L, ScalarEvolution &SE,
                   const SmallPtrSetImpl<const BasicBlock *> &BeforeReturn) {
  SmallVector<Loop::Edge, 4> Exits;
  L.getExitEdges(Exits);
  SmallSetVector<const BasicBlock *, 4> Exiting;
  bool All = true;
  for (const auto &[From, To] : Exits) {
    bool Counts = !To->isEHPad() && BeforeReturn.contains(To);
    All &= Counts;
    if (Counts)
      Exiting.insert(From);
  }
  if (All || Exiting.size() != 1)
    return SE.getBackedgeTakenCount(&L);
  return SE.getExitCount(&L, Exiting.front());
}

// How often the loop's header runs, computed in its preheader; null when that is not known there.
Value *
expandTripCount(Loop &L, ScalarEvolution &SE, SCEVExpander &Expander,
                const SmallPtrSetImpl<const BasicBlock *> &BeforeReturn) {
  BasicBlock *Preheader = L.getLoopPreheader();
  const SCEV *Taken = backedgeTakenCount(L, SE, BeforeReturn);
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

// How values change from one iteration of a loop to the next, and what computes them.
struct Evolution {
  DominatorTree Dominators;
  LoopInfo Loops;
  AssumptionCache Assumptions;
  TargetLibraryInfoImpl Library;
  TargetLibraryInfo LibraryOfF;
  ScalarEvolution SE;
  SCEVExpander Expander;

  Evolution(Function &F, const char *Name)
      : Dominators(F), Loops(Dominators), Assumptions(F),
        Library(Triple(F.getParent()->getTargetTriple())),
        LibraryOfF(Library, &F),
        SE(F, LibraryOfF, Assumptions, Dominators, Loops),
#if LLVM_VERSION_MAJOR >= 22
        Expander(SE, Name)
#else
        Expander(SE, F.getParent()->getDataLayout(), Name)
#endif
  {
  }
};

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
  Evolution Known(F, "trips");
  auto BeforeReturn = blocksBeforeReturn(F);
  for (Loop *L : Known.Loops.getLoopsInPreorder()) {
    Value *Trips = expandTripCount(*L, Known.SE, Known.Expander, BeforeReturn);
    if (!Trips)
      continue;
    IRBuilder<> Builder(L->getLoopPreheader()->getTerminator());
    auto *Frozen = cast<Instruction>(
        Builder.CreateFreeze(Trips, L->getHeader()->getName() + ".trips"));
    Frozen->setMetadata(StringRef(Kind), MDNode::get(F.getContext(), {}));
  }
  Known.Expander.clear();
}

// The innermost loop around an instruction; its preheader and its latch are null where it has none, or several.
ENZYME_SHIM bool enzyme_GetLoopFor(LLVMValueRef At, LLVMBasicBlockRef *Header,
                                   LLVMBasicBlockRef *Preheader,
                                   LLVMBasicBlockRef *Latch) {
  BasicBlock *Block = unwrap<Instruction>(At)->getParent();
  DominatorTree Dominators(*Block->getParent());
  LoopInfo Loops(Dominators);
  const Loop *L = Loops.getLoopFor(Block);
  if (!L)
    return false;
  *Header = wrap(L->getHeader());
  *Preheader = wrap(L->getLoopPreheader());
  *Latch = wrap(L->getLoopLatch());
  return true;
}

namespace {

MDNode *numberedNode(LLVMContext &Context, StringRef Name, uint64_t Number) {
  auto *Constant = ConstantInt::get(Type::getInt64Ty(Context), Number);
  return MDNode::get(Context, {MDString::get(Context, Name),
                               ConstantAsMetadata::get(Constant)});
}

// Forbids LLVM to unroll or peel a loop, in which an annotation of that number stands. Programs write it without a number.
MDNode *annotatedNode(LLVMContext &Context, uint64_t Number) {
  return numberedNode(Context, "llvm.loop.unroll.disable", Number);
}

// Says of a loop that the annotation of that number is of one inside.
MDNode *aroundNode(LLVMContext &Context, uint64_t Number) {
  return numberedNode(Context, "enzyme.annotated.inside", Number);
}

bool hasNode(const Loop &L, const MDNode *Node) {
  const MDNode *ID = L.getLoopID();
  return ID && is_contained(drop_begin(ID->operands()), Node);
}

// Attaches a node to a loop, or takes it away.
void setNode(Loop &L, MDNode *Node, bool Attach) {
  if (hasNode(L, Node) == Attach)
    return;
  // The first operand is the node itself.
  SmallVector<Metadata *, 4> Operands = {nullptr};
  if (const MDNode *Old = L.getLoopID())
    for (const MDOperand &Operand : drop_begin(Old->operands()))
      if (Operand.get() != Node)
        Operands.push_back(Operand.get());
  if (Attach)
    Operands.push_back(Node);
  MDNode *New = MDNode::getDistinct(Node->getContext(), Operands);
  New->replaceOperandWith(0, New);
  L.setLoopID(New);
}

} // namespace

// Says of the innermost loop around an instruction that the annotation of that number is its own, and forbids LLVM to unroll or
// peel it; or takes that back. Whether there is such a loop.
ENZYME_SHIM bool enzyme_SetLoopAnnotated(LLVMValueRef At, uint64_t Number,
                                         bool Annotated) {
  BasicBlock *Block = unwrap<Instruction>(At)->getParent();
  DominatorTree Dominators(*Block->getParent());
  LoopInfo Loops(Dominators);
  Loop *Innermost = Loops.getLoopFor(Block);
  LLVMContext &Context = Block->getContext();
  for (Loop *L = Innermost; L; L = L->getParentLoop()) {
    if (L == Innermost || !Annotated)
      setNode(*L, annotatedNode(Context, Number), Annotated);
    if (L != Innermost || !Annotated)
      setNode(*L, aroundNode(Context, Number), Annotated);
  }
  return Innermost;
}

// Whether the innermost loop around an instruction is another one than the annotation of that number was written in: that one
// is a loop no more.
ENZYME_SHIM bool enzyme_IsAnnotatedLoopGone(LLVMValueRef At, uint64_t Number) {
  BasicBlock *Block = unwrap<Instruction>(At)->getParent();
  DominatorTree Dominators(*Block->getParent());
  LoopInfo Loops(Dominators);
  const Loop *L = Loops.getLoopFor(Block);
  return !L || hasNode(*L, aroundNode(Block->getContext(), Number));
}

// Computes what changes by the same amount in each iteration of a loop from an i64 that counts iterations from 0, and
// stands among the phis of the header. The loop has a preheader.
ENZYME_SHIM void enzyme_ExpandInductionVariables(LLVMBasicBlockRef RawHeader,
                                                 LLVMValueRef RawCounter) {
  BasicBlock *Header = unwrap(RawHeader);
  Function &F = *Header->getParent();
  Value *Counter = unwrap(RawCounter);
  Evolution Known(F, "step");
  ScalarEvolution &SE = Known.SE;
  SCEVExpander &Expander = Known.Expander;
  Loop *L = Known.Loops.getLoopFor(Header);
  BasicBlock *Preheader = L->getLoopPreheader();
  Instruction *End = Preheader->getTerminator();
  SmallVector<std::pair<PHINode *, Value *>, 4> Found;
  for (PHINode &Phi : Header->phis()) {
    if (&Phi == Counter || !SE.isSCEVable(Phi.getType()))
      continue;
    auto *Steps = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
    if (!Steps || Steps->getLoop() != L || !Steps->isAffine())
      continue;
    const SCEV *Step = Steps->getStepRecurrence(SE);
    if (SE.isLoopInvariant(Step, L) && Expander.isSafeToExpandAt(Step, End))
      Found.push_back(
          {&Phi, Expander.expandCodeFor(Step, Step->getType(), End)});
  }
  Expander.clear();
  IRBuilder<> Builder(Header, Header->getFirstInsertionPt());
  for (auto [Phi, Step] : Found) {
    Value *Distance = Builder.CreateMul(
        Builder.CreateSExtOrTrunc(Counter, Step->getType()), Step);
    Value *Start = Phi->getIncomingValueForBlock(Preheader);
    Value *Now = Phi->getType()->isPointerTy()
                     ? Builder.CreateGEP(Builder.getInt8Ty(), Start, Distance)
                     : Builder.CreateAdd(Start, Distance);
    Phi->replaceAllUsesWith(Now);
    Phi->eraseFromParent();
  }
}
