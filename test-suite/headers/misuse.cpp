// What enzyme::autodiff refuses, with what to write instead.

// REQUIRES: clang
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=1 %s 2>&1 | %FileCheck %s --check-prefix=REFERENCE
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=2 %s 2>&1 | %FileCheck %s --check-prefix=REVERSE
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=3 %s 2>&1 | %FileCheck %s --check-prefix=FORWARD
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=4 %s 2>&1 | %FileCheck %s --check-prefix=BARE
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=5 %s 2>&1 | %FileCheck %s --check-prefix=TYPES
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=6 %s 2>&1 | %FileCheck %s --check-prefix=RETURN
// RUN: %not %clang++ -std=c++17 -I%include -fsyntax-only -DCASE=7 %s 2>&1 | %FileCheck %s --check-prefix=MODE

#include <enzyme/enzyme>

double f(double x) { return x * x; }
double g(const double &x) { return x * x; }

void wrong(double x, double dx) {
#if CASE == 1
  // REFERENCE: error: static assertion failed{{.*}}a reference or pointer has no derivative that could be returned; use enzyme::Duplicated
  enzyme::autodiff<enzyme::Reverse>(g, enzyme::Active<const double &>{x});
#elif CASE == 2
  // REVERSE: error: static assertion failed{{.*}}in reverse mode an argument by value has no shadow; use enzyme::Active, or a reference or pointer
  enzyme::autodiff<enzyme::Reverse>(f, enzyme::Duplicated<double>{x, dx});
#elif CASE == 3
  // FORWARD: error: static assertion failed{{.*}}enzyme::Active is for reverse mode; in forward mode give the tangent: enzyme::Duplicated{x, dx}
  enzyme::autodiff<enzyme::Forward>(f, enzyme::Active{x});
#elif CASE == 4
  // BARE: error: static assertion failed{{.*}}each argument is given as Active{x}, Duplicated{x, dx}, DuplicatedNoNeed{x, dx} or Const{x}
  enzyme::autodiff<enzyme::Forward>(f, x, dx);
#elif CASE == 5
  // TYPES: error: static assertion failed{{.*}}the arguments have to have the types of the function's parameters, as in Const<const double &>{x}
  enzyme::autodiff<enzyme::Forward>(g, enzyme::Duplicated{x, dx});
#elif CASE == 6
  // RETURN: error: static assertion failed{{.*}}the activity of the return is Active<T>, Duplicated<T>, DuplicatedNoNeed<T> or Const<T>
  enzyme::autodiff<enzyme::Forward, double>(f, enzyme::Duplicated{x, dx});
#else
  // MODE: error: static assertion failed{{.*}}the mode is enzyme::Forward, enzyme::Reverse or enzyme::ReverseWithPrimal
  enzyme::autodiff<double>(f, enzyme::Duplicated{x, dx});
#endif
}
