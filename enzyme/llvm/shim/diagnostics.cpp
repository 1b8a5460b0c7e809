// Errors, warnings and remarks with the user's file, line and column.

#include "shim.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

// The function that a value belongs to; null for what lives outside of functions.
const Function *functionOf(const Value *At) {
  if (auto *F = dyn_cast<Function>(At))
    return F;
  if (auto *I = dyn_cast<Instruction>(At))
    return I->getParent() ? I->getFunction() : nullptr;
  if (auto *A = dyn_cast<Argument>(At))
    return A->getParent();
  if (auto *BB = dyn_cast<BasicBlock>(At))
    return BB->getParent();
  return nullptr;
}

// Where a value stands in the source: its own place if it has one, else its function's.
DiagnosticLocation locationOf(const Value *At, const Function *F) {
  if (auto *I = dyn_cast<Instruction>(At))
    if (const DebugLoc &Loc = I->getDebugLoc())
      return DiagnosticLocation(Loc);
  if (F && F->getSubprogram())
    return DiagnosticLocation(F->getSubprogram());
  return DiagnosticLocation();
}

// A warning of a class of our own: rustc takes a warning of LLVM's `Unsupported` class for an error.
class EnzymeWarning : public DiagnosticInfo {
public:
  EnzymeWarning(const Function *F, const DiagnosticLocation &Location,
                StringRef Message)
      : DiagnosticInfo(kind(), DS_Warning), F(F), Location(Location),
        Message(Message) {}

  void print(DiagnosticPrinter &Printer) const override {
    if (Location.isValid())
      Printer << Location.getRelativePath() << ":" << Location.getLine() << ":"
              << Location.getColumn() << ": ";
    if (F)
      Printer << "in function " << F->getName() << ": ";
    Printer << Message;
  }

private:
  static int kind() {
    static const int Kind = getNextAvailablePluginDiagnosticKind();
    return Kind;
  }

  const Function *F;
  DiagnosticLocation Location;
  StringRef Message;
};

} // namespace

ENZYME_SHIM void enzyme_EmitError(LLVMValueRef Raw, EnzymeText Message) {
  const Value *At = unwrap(Raw);
  LLVMContext &Context = At->getContext();
  const Function *F = functionOf(At);
  if (!F) {
    Context.emitError(StringRef(Message));
    return;
  }
  Context.diagnose(DiagnosticInfoUnsupported(*F, StringRef(Message),
                                             locationOf(At, F), DS_Error));
}

ENZYME_SHIM void enzyme_EmitModuleError(LLVMModuleRef M, EnzymeText Message) {
  unwrap(M)->getContext().emitError(StringRef(Message));
}

ENZYME_SHIM void enzyme_EmitWarning(LLVMValueRef Raw, EnzymeText Message) {
  const Value *At = unwrap(Raw);
  const Function *F = functionOf(At);
  At->getContext().diagnose(EnzymeWarning(F, locationOf(At, F), Message));
}

ENZYME_SHIM bool enzyme_WantsAnalysisRemarks(LLVMValueRef At) {
  return unwrap(At)->getContext().getDiagHandlerPtr()->isAnalysisRemarkEnabled(
      "enzyme");
}

ENZYME_SHIM void enzyme_EmitAnalysisRemark(LLVMValueRef Raw, EnzymeText Name,
                                           EnzymeText Message) {
  const Value *At = unwrap(Raw);
  const Function *F = functionOf(At);
  if (!F || F->isDeclaration())
    return;
  const BasicBlock *Region = &F->getEntryBlock();
  if (auto *I = dyn_cast<Instruction>(At))
    Region = I->getParent();
  OptimizationRemarkAnalysis Remark("enzyme", Name, locationOf(At, F), Region);
  Remark << StringRef(Message);
  At->getContext().diagnose(Remark);
}
