// Without a plugin for its host, the loader says in one sentence what is missing, and the host fails.

// REQUIRES: loader, clang, lld
// DEFINE: %{load} = -fpass-plugin=%t/EnzymeRS.so
// RUN: rm -rf %t && mkdir -p %t && cp %loader %t/EnzymeRS.so

// RUN: %clang %{load} -c %s -o %t/out.o 2> %t/err; test $? -eq 1
// RUN: %FileCheck %s -DVERSION=%llvmver --check-prefix=NONE < %t/err
// NONE: EnzymeRS: this clang{{[-0-9]*}} carries LLVM [[VERSION]]{{[.0-9]*}}, but no plugin is installed here (in {{.*}}); the plugins LLVMEnzymeRS-<major>.so belong beside EnzymeRS.so

// RUN: touch %t/LLVMEnzymeRS-7.so %t/LLVMEnzymeRS-99.so %t/LLVMEnzymeRS-8.so
// RUN: %clang %{load} -c %s -o %t/out.o 2> %t/err; test $? -eq 1
// RUN: %FileCheck %s -DVERSION=%llvmver --check-prefix=OTHERS < %t/err
// OTHERS: EnzymeRS: this clang{{[-0-9]*}} carries LLVM [[VERSION]]{{[.0-9]*}}, but plugins are installed here only for LLVM 7, 8 and 99 (in {{.*}}); use a program of such a version, or install LLVMEnzymeRS-[[VERSION]].so

// RUN: touch %t/LLVMEnzymeRS-%llvmver.so
// RUN: %clang %{load} -c %s -o %t/out.o 2> %t/err; test $? -eq 1
// RUN: %FileCheck %s -DVERSION=%llvmver --check-prefix=BROKEN < %t/err
// BROKEN: EnzymeRS: {{.*}}LLVMEnzymeRS-[[VERSION]].so cannot be loaded into this clang{{[-0-9]*}}, which carries LLVM [[VERSION]]{{[.0-9]*}}: {{.+}}

// RUN: test ! -e %t/out.o
// RUN: rm %t/LLVMEnzymeRS-*.so
// RUN: %not %clang -flto -fuse-ld=lld -Wl,--load-pass-plugin=%t/EnzymeRS.so %s -o %t/out 2>&1 \
// RUN:   | %FileCheck %s -DVERSION=%llvmver --check-prefix=LLD
// LLD: EnzymeRS: this lld{{[-0-9]*}} carries LLVM [[VERSION]]{{[.0-9]*}}, but no plugin is installed here

int main(void) { return 0; }
