// What every file of the shim shares.
//
// The shim holds only what LLVM's C API lacks in one of the versions served. Each function is
// `extern "C"`, takes and gives the C API's own handles, and is named for what LLVM calls it.
// Texts it returns are freed with `LLVMDisposeMessage`; a null text stands for success.

#ifndef ENZYME_SHIM_H
#define ENZYME_SHIM_H

#include "llvm-c/Core.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Config/llvm-config.h"

#include <string>

#define ENZYME_SHIM extern "C"

// A piece of UTF-8 as Rust hands it over: not ended by a zero byte.
struct EnzymeText {
  const char *Data;
  size_t Length;

  operator llvm::StringRef() const { return {Data, Length}; }
};

// A text for Rust to keep.
inline char *enzymeMessage(const std::string &Text) {
  return LLVMCreateMessage(Text.c_str());
}

#endif
