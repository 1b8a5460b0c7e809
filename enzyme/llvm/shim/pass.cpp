// The pass as LLVM's pass manager knows it: its name, and the points of the pipeline where it runs.

#include "shim.h"

#include "llvm-c/Core.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace {

// Runs the engine on a module; returns whether it changed anything.
using RunOnModule = bool (*)(LLVMModuleRef);

class EnzymePass : public PassInfoMixin<EnzymePass> {
public:
  explicit EnzymePass(RunOnModule Run) : Run(Run) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    return Run(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }

  // What `-debug-pass-manager` and `-time-passes` print.
  static StringRef name() { return "EnzymePass"; }

  // A derivative is not an optimisation: it is computed at -O0 and under `optnone` too.
  static bool isRequired() { return true; }

private:
  RunOnModule Run;
};

} // namespace

ENZYME_SHIM void enzyme_RegisterPassBuilderCallbacks(void *Builder,
                                                     RunOnModule Run) {
  auto &PB = *static_cast<PassBuilder *>(Builder);

  PB.registerPipelineParsingCallback(
      [Run](StringRef Name, ModulePassManager &MPM,
            ArrayRef<PassBuilder::PipelineElement>) {
        if (Name != "enzyme")
          return false;
        MPM.addPass(EnzymePass(Run));
        return true;
      });

#if LLVM_VERSION_MAJOR >= 20
  PB.registerOptimizerEarlyEPCallback(
      [Run](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase) {
        MPM.addPass(EnzymePass(Run));
      });
#else
  PB.registerOptimizerEarlyEPCallback(
      [Run](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(EnzymePass(Run));
      });
#endif

  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [Run](ModulePassManager &MPM, OptimizationLevel) {
        MPM.addPass(EnzymePass(Run));
      });
}
