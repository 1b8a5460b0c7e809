! A panic comes out of flang as an error with status 1.

! REQUIRES: flang, llvm-ge-22
! RUN: %not %flang -O1 -fpass-plugin=%plugin -mllvm -enzyme-debug-panic=frontend -c %s -o %t.o 2>&1 | %FileCheck %s
! RUN: %flang -O0 -fpass-plugin=%plugin -c %s -o %t.o
! RUN: %flang -O2 -fpass-plugin=%plugin -c %s -o %t.o

! CHECK: error: internal error in EnzymeRS, please report: this panic was asked for by -enzyme-debug-panic
real(8) function square(x)
  real(8) :: x
  square = x * x
end function
