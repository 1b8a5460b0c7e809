; The terms of an adjoint may be added in any order, which lets a loop that adds them be vectorised; what the program itself
; adds is added as it says, and so is everything with -enzyme-reassociate=0.

; RUN: %opt %s %loadEnzyme %enzyme -S | %FileCheck %s --check-prefixes=CHECK,ANY
; RUN: %opt %s %loadEnzyme %enzyme -enzyme-reassociate=0 -S | %FileCheck %s --check-prefixes=CHECK,ORDER

; The adjoint of %scale is a sum over the elements.
define double @f(ptr noalias %x, double %scale, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sums, %loop ]
  %place = getelementptr double, ptr %x, i64 %i
  %element = load double, ptr %place
  %product = fmul double %element, %scale
  %sums = fadd double %sum, %product
  %next = add i64 %i, 1
  %is_end = icmp eq i64 %next, %n
  br i1 %is_end, label %exit, label %loop

exit:
  ret double %sums
}

declare double @__enzyme_autodiff(ptr, ...)

@enzyme_const = external global i32
@enzyme_out = external global i32

define double @df(ptr %x, double %scale, i64 %n) {
  %enzyme_const = load i32, ptr @enzyme_const
  %enzyme_out = load i32, ptr @enzyme_out
  %slope = call double (ptr, ...) @__enzyme_autodiff(ptr @f, i32 %enzyme_const, ptr %x, i32 %enzyme_out, double %scale, i32 %enzyme_const, i64 %n)
  ret double %slope
}

; CHECK: define {{.*}} @diffef(
; CHECK-NOT: fadd reassoc {{.*}}%product
; ANY: fadd reassoc double
; ORDER-NOT: reassoc
; CHECK: ret
