// A symbolic link to the loader works from anywhere: the plugins are looked for beside the file itself.

// REQUIRES: loader, clang
// RUN: rm -rf %t && mkdir -p %t
// RUN: ln -s %loader %t/autodiff.so
// RUN: %clang -fpass-plugin=%t/autodiff.so -c %s -o %t/here.o

double square(double x) { return x * x; }
