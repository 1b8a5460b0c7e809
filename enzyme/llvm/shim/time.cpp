// LLVM's time profiler: what `-ftime-trace` and `-time-trace` show.

#include "shim.h"

#include "llvm/Support/TimeProfiler.h"

using namespace llvm;

ENZYME_SHIM bool enzyme_TimeTraceProfilerEnabled() {
  return timeTraceProfilerEnabled();
}

ENZYME_SHIM void enzyme_TimeTraceProfilerBegin(EnzymeText Name,
                                               EnzymeText Detail) {
  timeTraceProfilerBegin(Name, StringRef(Detail));
}

ENZYME_SHIM void enzyme_TimeTraceProfilerEnd() { timeTraceProfilerEnd(); }
