// Names as people write them.

#include "shim.h"

#include "llvm/Demangle/Demangle.h"

ENZYME_SHIM char *enzyme_Demangle(EnzymeText Name) {
  return enzymeMessage(llvm::demangle(std::string(Name.Data, Name.Length)));
}
