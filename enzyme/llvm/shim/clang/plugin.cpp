// What clang does with the plugin: it opens the pass plugin, adds the passes, and defines our version.

#include "plugin.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#if LLVM_VERSION_MAJOR >= 22
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

#include <dlfcn.h>
#include <string>
#include <unistd.h>

using namespace clang;

namespace {

#define ENZYME_TEXT_OF(Tokens) #Tokens
#define ENZYME_TEXT(Macro) ENZYME_TEXT_OF(Macro)

constexpr char PassPluginName[] = "LLVMEnzymeRS-" ENZYME_TEXT(LLVM_VERSION_MAJOR) ".so";

constexpr char Predefined[] = "#define ENZYME_VERSION_MAJOR " ENZYME_TEXT(ENZYME_VERSION_MAJOR) "\n"
                              "#define ENZYME_VERSION_MINOR " ENZYME_TEXT(ENZYME_VERSION_MINOR) "\n"
                              "#define ENZYME_VERSION_PATCH " ENZYME_TEXT(ENZYME_VERSION_PATCH) "\n";

// To go on without the passes would compile a program whose derivatives are missing.
[[noreturn]] void refuse(const llvm::Twine &Why) {
  llvm::errs() << "EnzymeRS: " << Why << "\n";
  llvm::errs().flush();
  _exit(1);
}

// The folder that this file lies in.
std::string folder() {
  Dl_info Us;
  llvm::SmallString<256> Path;
  // A symbolic link to us does not lie beside the pass plugin.
  if (!dladdr(reinterpret_cast<void *>(&refuse), &Us) || llvm::sys::fs::real_path(Us.dli_fname, Path))
    refuse("the folder of the clang plugin cannot be found out");
  return llvm::sys::path::parent_path(Path).str();
}

// The pass plugin, open.
struct PassPlugin {
  using Describe = llvm::PassPluginLibraryInfo (*)();

  std::string Folder = folder();
  std::string Path = Folder + "/" + PassPluginName;
  Describe Info = nullptr;

  PassPlugin() {
    if (void *Opened = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL))
      Info = reinterpret_cast<Describe>(dlsym(Opened, "llvmGetPassPluginInfo"));
    if (!Info)
      refuse(llvm::Twine("the pass plugin, which belongs beside the clang plugin, cannot be loaded: ") + dlerror());
  }
};

// Opened while clang loads us: it reads the options of the passes right afterwards.
const PassPlugin Passes;

// Whether `-fpass-plugin` asks for the passes already, by whichever of the files beside us.
bool hasPasses(const CodeGenOptions &Options) {
  for (const std::string &Given : Options.PassPlugins) {
    llvm::SmallString<256> Path;
    if (!llvm::sys::fs::real_path(Given, Path) && llvm::sys::path::parent_path(Path) == Passes.Folder)
      return true;
  }
  return false;
}

void addPasses(CodeGenOptions &Options) {
  if (hasPasses(Options))
    return;
#if LLVM_VERSION_MAJOR >= 18
  Options.PassBuilderCallbacks.push_back(Passes.Info().RegisterPassBuilderCallbacks);
#else
  Options.PassPlugins.push_back(Passes.Path);
#endif
}

// An installed plugin knows where its headers are.
void addHeaders(CompilerInstance &CI) {
  std::string Headers = Passes.Folder + "/../../include";
  if (!llvm::sys::fs::exists(Headers + "/enzyme/attributes.h"))
    return;
  if (auto Folder = CI.getFileManager().getOptionalDirectoryRef(Headers))
    CI.getPreprocessor().getHeaderSearchInfo().AddSearchPath(
        DirectoryLookup(*Folder, SrcMgr::C_User, /*isFramework=*/false), /*isAngled=*/true);
}

class Consumer : public ASTConsumer {
public:
  explicit Consumer(CompilerInstance &CI) : CI(CI) {}

  void HandleTranslationUnit(ASTContext &) override { enzyme::declareAttributesByName(CI); }

private:
  CompilerInstance &CI;
};

class Action : public PluginASTAction {
protected:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI, llvm::StringRef) override {
    addPasses(CI.getCodeGenOpts());
    addHeaders(CI);
    Preprocessor &PP = CI.getPreprocessor();
    PP.setPredefines(PP.getPredefines() + Predefined);
    enzyme::AttributeWasMet = false;
    return std::make_unique<Consumer>(CI);
  }

  bool ParseArgs(const CompilerInstance &, const std::vector<std::string> &) override { return true; }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

const FrontendPluginRegistry::Add<Action> AddAction("enzyme", "differentiates programs");

} // namespace

// For `-fpass-plugin`, which clang needs when it compiles LLVM IR.
extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return Passes.Info();
}
