; Markers that are variables declared where they are used (`int enzyme_dup;`), and one that was read on each of two ways.

; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s --implicit-check-not=@__enzyme

@enzyme_const = external constant i8

define double @product(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}

declare double @__enzyme_fwddiff(...)

; CHECK-LABEL: define double @local(
; CHECK: call double @[[TANGENT:fwddiffeproduct[^(]*]](double %x, double 1.000000e+00, double %y)
define double @local(double %x, double %y, i1 %way) {
entry:
  %enzyme_dup = alloca i32
  %dup = load i32, ptr %enzyme_dup
  br i1 %way, label %left, label %right
left:
  %one = load i8, ptr @enzyme_const
  br label %join
right:
  %other = load i8, ptr @enzyme_const
  br label %join
join:
  %const = phi i8 [ %one, %left ], [ %other, %right ]
  %r = call double (...) @__enzyme_fwddiff(ptr @product, i32 %dup, double %x, double 1.0, i8 %const, double %y)
  ret double %r
}

; CHECK-LABEL: define double @address_of_local(
; CHECK: call double @[[TANGENT]](double %x, double 1.000000e+00, double %y)
define double @address_of_local(double %x, double %y) {
  %enzyme_dup = alloca i32
  %r = call double (...) @__enzyme_fwddiff(ptr @product, ptr %enzyme_dup, double %x, double 1.0, ptr @enzyme_const, double %y)
  ret double %r
}
