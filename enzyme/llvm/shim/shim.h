// What every file of the shim shares.
//
// The shim holds only what LLVM's C API lacks in one of the versions served. Each function is
// `extern "C"`, takes and gives the C API's own handles, and is named for what LLVM calls it.

#ifndef ENZYME_SHIM_H
#define ENZYME_SHIM_H

#include "llvm/Config/llvm-config.h"

#define ENZYME_SHIM extern "C"

#endif
