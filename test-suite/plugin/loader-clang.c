// The loader finds the plugin of the clang, and of the lld, that it is loaded into.

// REQUIRES: loader, clang, lld
// DEFINE: %{lto} = -flto -fuse-ld=lld -Wl,-mllvm,-load=%loader -Wl,--load-pass-plugin=%loader
// RUN: %clang -O2 -fpass-plugin=%loader -c %s -o %t.o
// RUN: %not %clang -fplugin=%loader -fpass-plugin=%loader -mllvm -enzyme-debug-panic=frontend -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %clang %s %{lto} -o %t
// RUN: %t
// RUN: %not %clang %s %{lto} -Wl,-mllvm,-enzyme-debug-panic=frontend -o %t 2>&1 | %FileCheck %s

// CHECK: error: internal error in EnzymeRS
int main(void) { return 0; }
