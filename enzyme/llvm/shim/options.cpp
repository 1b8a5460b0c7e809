// Command-line options, made from the table in `options.rs`.

#include "shim.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace {

constexpr const char *CategoryName = "EnzymeRS options";

cl::OptionCategory &category() {
  // Never destroyed: LLVM's option parser may outlive the plugin's statics.
  static auto *Category = new cl::OptionCategory(CategoryName);
  return *Category;
}

bool isOurs(const cl::Option &Option) {
  for (const cl::OptionCategory *Category : Option.Categories)
    if (Category->getName() == CategoryName)
      return true;
  return false;
}

// The option of that name: a new one, or the one that another copy of this plugin in the same
// process registered (LLVM ends the process when a name is registered twice). Null when the name
// belongs to somebody else.
template <typename T, typename Default>
cl::opt<T> *addOption(StringRef Name, StringRef Doc, const Default &Initial,
                      bool Hidden) {
  auto &Registered = cl::getRegisteredOptions();
  auto Found = Registered.find(Name);
  if (Found != Registered.end())
    return isOurs(*Found->second) ? static_cast<cl::opt<T> *>(Found->second)
                                  : nullptr;
  return new cl::opt<T>(Name, cl::desc(Doc), cl::init(Initial),
                        Hidden ? cl::Hidden : cl::NotHidden,
                        cl::cat(category()));
}

} // namespace

ENZYME_SHIM void *enzyme_AddBoolOption(EnzymeText Name, EnzymeText Doc,
                                       bool Initial, bool Hidden) {
  return addOption<bool>(Name, Doc, Initial, Hidden);
}

ENZYME_SHIM void *enzyme_AddIntegerOption(EnzymeText Name, EnzymeText Doc,
                                          unsigned Initial, bool Hidden) {
  return addOption<unsigned>(Name, Doc, Initial, Hidden);
}

ENZYME_SHIM void *enzyme_AddTextOption(EnzymeText Name, EnzymeText Doc,
                                       EnzymeText Initial, bool Hidden) {
  return addOption<std::string>(Name, Doc, StringRef(Initial).str(), Hidden);
}

ENZYME_SHIM bool enzyme_GetBoolOption(const void *Option) {
  return *static_cast<const cl::opt<bool> *>(Option);
}

ENZYME_SHIM unsigned enzyme_GetIntegerOption(const void *Option) {
  return *static_cast<const cl::opt<unsigned> *>(Option);
}

ENZYME_SHIM char *enzyme_GetTextOption(const void *Option) {
  return enzymeMessage(
      static_cast<const cl::opt<std::string> *>(Option)->getValue());
}

// Parses a command line whose first word is the program's name. Null for success, else what is wrong with it.
ENZYME_SHIM char *enzyme_ParseOptions(int Count, const char *const *Words) {
  std::string Message;
  raw_string_ostream OS(Message);
  bool Understood = cl::ParseCommandLineOptions(Count, Words, "", &OS);
  return Understood ? nullptr : enzymeMessage(OS.str());
}
