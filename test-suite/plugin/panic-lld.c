// A panic in link-time optimisation, full or thin, is an error of the linker: no abort, and no program.

// REQUIRES: clang, lld
// DEFINE: %{panic} = -Wl,-mllvm,-enzyme-debug-panic=frontend
// RUN: rm -f %t
// RUN: %not %clang %s %lldEnzyme %{panic} -o %t 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 %s %lldEnzyme %{panic} -o %t 2>&1 | %FileCheck %s
// RUN: %not %clang -O2 %s %lldEnzyme -flto=thin %{panic} -o %t 2>&1 | %FileCheck %s
// RUN: test ! -e %t
// RUN: %clang -O2 %s %lldEnzyme -o %t
// RUN: %t

// CHECK: error: internal error in EnzymeRS, please report: this panic was asked for by -enzyme-debug-panic
// CHECK-NOT: PLEASE submit a bug report
// CHECK: error: linker command failed with exit code 1
int main(void) { return 0; }
