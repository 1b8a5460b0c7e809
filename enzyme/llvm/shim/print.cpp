// LLVM's own text of the parts of a function, and the way to its standard output.

#include "shim.h"

#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

// Given one line at a time.
using LineVisitor = void (*)(void *State, const char *Data, size_t Length);

// Whether printing an instruction alone numbers the metadata of the whole module.
bool namesMetadata(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && any_of(Call->operands(), [](const Use &Operand) {
           auto *Wrapped = dyn_cast<MetadataAsValue>(Operand.get());
           return Wrapped && isa<MDNode>(Wrapped->getMetadata());
         });
}

// Prints many values of one function, each as if it were printed alone, without numbering everything for each.
class Printer {
public:
  Printer(const Function &F, LineVisitor Visit, void *State)
      : Own(F.getParent(), false), All(F.getParent(), true), Visit(Visit),
        State(State) {
    Own.incorporateFunction(F);
  }

  void print(const Value &V, bool NamesMetadata) {
    Line.clear();
    raw_string_ostream OS(Line);
    V.print(OS, NamesMetadata ? All : Own);
    OS.flush();
    Visit(State, Line.data(), Line.size());
  }

private:
  ModuleSlotTracker Own;
  ModuleSlotTracker All;
  LineVisitor Visit;
  void *State;
  std::string Line;
};

} // namespace

// The parameters and then the instructions, in order.
ENZYME_SHIM void enzyme_VisitFunctionText(LLVMValueRef Raw, LineVisitor Visit,
                                          void *State) {
  const auto &F = *unwrap<Function>(Raw);
  Printer P(F, Visit, State);
  for (const Argument &A : F.args())
    P.print(A, false);
  for (const Instruction &I : instructions(F))
    P.print(I, namesMetadata(I));
}

ENZYME_SHIM void enzyme_PrintToOutput(EnzymeText Text) {
  outs() << StringRef(Text);
  outs().flush();
}
