// The passes as LLVM's pass manager knows them: their names, and the points of the pipeline where they run.

#include "shim.h"

#include "llvm-c/Core.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

// Changes a module; returns whether it did.
using RunOnModule = bool (*)(LLVMModuleRef);

// Mirrored by `Phase` in Rust.
enum Phase : unsigned { Compiling, Linking };

// Runs the engine on a module; returns whether it changed anything.
using Differentiate = bool (*)(LLVMModuleRef, unsigned);

class EnzymePass : public PassInfoMixin<EnzymePass> {
public:
  EnzymePass(Differentiate Run, Phase When) : Run(Run), When(When) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return Run(wrap(&M), When) ? PreservedAnalyses::none()
                               : PreservedAnalyses::all();
  }

  // What `-debug-pass-manager` and `-time-passes` print.
  static StringRef name() { return "EnzymePass"; }

  // A derivative is not an optimisation: it is computed at -O0 and under `optnone` too.
  static bool isRequired() { return true; }

private:
  Differentiate Run;
  Phase When;
};

// Keeps the functions that users have a rule for from being optimised away, or lets go of them.
class EnzymeRulesPass : public PassInfoMixin<EnzymeRulesPass> {
public:
  explicit EnzymeRulesPass(RunOnModule Run) : Run(Run) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return Run(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  static StringRef name() { return "EnzymeRulesPass"; }
  static bool isRequired() { return true; }

private:
  RunOnModule Run;
};

// Mirrored by `Printed` in Rust.
enum Printed : unsigned { TypeAnalysis, ActivityAnalysis };

// Prints what an analysis says of a function, or, when that is null, of a module's functions.
using Print = void (*)(LLVMModuleRef, LLVMValueRef FunctionOrNull, unsigned);

class PrintingPass : public PassInfoMixin<PrintingPass> {
public:
  PrintingPass(Print Run, Printed What) : Run(Run), What(What) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    Run(wrap(&M), nullptr, What);
    return PreservedAnalyses::all();
  }

  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    Run(wrap(F.getParent()), wrap(&F), What);
    return PreservedAnalyses::all();
  }

  static StringRef name() { return "EnzymePrintingPass"; }
  static bool isRequired() { return true; }

private:
  Print Run;
  Printed What;
};

// Adds the printing pass of that name to a pass manager for modules or for functions.
template <typename Manager>
bool addPrintingPass(StringRef Name, Manager &PM, Print Run) {
  if (Name == "print-type-analysis")
    PM.addPass(PrintingPass(Run, TypeAnalysis));
  else if (Name == "print-activity-analysis")
    PM.addPass(PrintingPass(Run, ActivityAnalysis));
  else
    return false;
  return true;
}

} // namespace

ENZYME_SHIM void enzyme_RegisterPassBuilderCallbacks(void *Builder,
                                                     Differentiate Run,
                                                     RunOnModule Hold,
                                                     RunOnModule Release,
                                                     Print RunPrint) {
  auto &PB = *static_cast<PassBuilder *>(Builder);

  PB.registerPipelineParsingCallback(
      [Run, Hold, RunPrint](StringRef Name, ModulePassManager &MPM,
                            ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "preserve-nvvm") {
          MPM.addPass(EnzymeRulesPass(Hold));
          return true;
        }
        if (Name != "enzyme")
          return addPrintingPass(Name, MPM, RunPrint);
        MPM.addPass(EnzymePass(Run, Compiling));
        return true;
      });

  PB.registerPipelineParsingCallback(
      [RunPrint](StringRef Name, FunctionPassManager &FPM,
                 ArrayRef<PassBuilder::PipelineElement>) {
        return addPrintingPass(Name, FPM, RunPrint);
      });

  PB.registerPipelineStartEPCallback(
      [Hold](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(EnzymeRulesPass(Hold));
      });

  // Every pipeline that begins as above ends as below; not all of them differentiate in between.
#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerEarlyEPCallback(
      [Run](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(EnzymePass(Run, Compiling));
      });
  PB.registerOptimizerLastEPCallback(
      [Release](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(EnzymeRulesPass(Release));
      });
#else
  PB.registerOptimizerEarlyEPCallback(
      [Run](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(EnzymePass(Run, Compiling));
      });
  PB.registerOptimizerLastEPCallback(
      [Release](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(EnzymeRulesPass(Release));
      });
#endif

  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [Run](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(EnzymePass(Run, Linking));
      });
}
