// A compiled program's exit code decides, at each level of optimisation.
// REQUIRES: clang && lli
// DEFINE: %{build} = %clang -O0
// RUN: %{build} %s -o %t && %t
// REDEFINE: %{build} = %clang -O2
// RUN: %{build} %s -o %t && %t
// RUN: %clang -O1 -S -emit-llvm %s -o - | %lli -

int main(void) {
  return 0;
}
