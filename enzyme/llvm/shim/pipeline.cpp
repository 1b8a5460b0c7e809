// LLVM's own passes, run by their names on one function or one module, and the verifier.

#include "shim.h"

#include "llvm-c/TargetMachine.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#if LLVM_VERSION_MAJOR >= 17
#include "llvm/TargetParser/Triple.h"
#else
#include "llvm/ADT/Triple.h"
#endif

using namespace llvm;

namespace {

// The analysis managers of one run, wired to one another.
struct Analyses {
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder;

  Analyses(const Module &M, TargetMachine *Target) : Builder(Target) {
    Functions.registerPass([&] { return Builder.buildDefaultAAPipeline(); });
    // The library functions are those of the module's target, whoever the host is.
    TargetLibraryInfoImpl Library{Triple(M.getTargetTriple())};
    Functions.registerPass([&] { return TargetLibraryAnalysis(Library); });
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }
};

TargetMachine *target(LLVMTargetMachineRef Raw) {
  return reinterpret_cast<TargetMachine *>(Raw);
}

} // namespace

ENZYME_SHIM char *enzyme_RunFunctionPipeline(LLVMValueRef Raw,
                                             EnzymeText Pipeline,
                                             LLVMTargetMachineRef Target) {
  auto &F = *unwrap<Function>(Raw);
  Analyses All(*F.getParent(), target(Target));
  FunctionPassManager Passes;
  if (Error E = All.Builder.parsePassPipeline(Passes, StringRef(Pipeline)))
    return enzymeMessage(toString(std::move(E)));
  Passes.run(F, All.Functions);
  return nullptr;
}

ENZYME_SHIM char *enzyme_RunModulePipeline(LLVMModuleRef Raw,
                                           EnzymeText Pipeline,
                                           LLVMTargetMachineRef Target) {
  Module &M = *unwrap(Raw);
  Analyses All(M, target(Target));
  ModulePassManager Passes;
  if (Error E = All.Builder.parsePassPipeline(Passes, StringRef(Pipeline)))
    return enzymeMessage(toString(std::move(E)));
  Passes.run(M, All.Modules);
  return nullptr;
}

ENZYME_SHIM void enzyme_EraseUnusedAllocations(LLVMValueRef Raw) {
  auto &F = *unwrap<Function>(Raw);
  TargetLibraryInfoImpl Known{Triple(F.getParent()->getTargetTriple())};
  TargetLibraryInfo Library(Known, &F);
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<CallInst>(&I);
    LibFunc Which;
    if (Call && Call->use_empty() && Library.getLibFunc(*Call, Which) &&
        (Which == LibFunc_malloc || Which == LibFunc_calloc))
      Call->eraseFromParent();
  }
}

ENZYME_SHIM char *enzyme_VerifyFunction(LLVMValueRef Raw) {
  std::string Text;
  raw_string_ostream Stream(Text);
  if (!verifyFunction(*unwrap<Function>(Raw), &Stream))
    return nullptr;
  return enzymeMessage(Stream.str());
}

ENZYME_SHIM char *enzyme_VerifyModule(LLVMModuleRef Raw) {
  std::string Text;
  raw_string_ostream Stream(Text);
  if (!verifyModule(*unwrap(Raw), &Stream))
    return nullptr;
  return enzymeMessage(Stream.str());
}
