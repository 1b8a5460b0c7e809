; Markers as metadata strings, as globals and as loads of globals; the function through a cast and as an integer.

; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s --implicit-check-not=__enzyme --implicit-check-not=enzyme_

@enzyme_dup = external global i32
@enzyme_const = external constant i8

define double @product(double %x, double %y) {
  %r = fmul double %x, %y
  ret double %r
}

declare double @__enzyme_fwddiff(...)
declare double @__enzyme_autodiff(i64, ...)

; CHECK-LABEL: define double @globals(
; CHECK-NEXT: %[[RESULT:.*]] = call double @[[TANGENT:fwddiffeproduct[^(]*]](double %x, double 1.000000e+00, double %y)
; CHECK-NEXT: ret double %[[RESULT]]
define double @globals(double %x, double %y) {
  %r = call double (...) @__enzyme_fwddiff(ptr @product, ptr @enzyme_dup, double %x, double 1.0, ptr @enzyme_const, double %y)
  ret double %r
}

; CHECK-LABEL: define double @loads(
; CHECK-NEXT: %[[RESULT:.*]] = call double @[[TANGENT]](double %x, double 1.000000e+00, double %y)
; CHECK-NEXT: ret double %[[RESULT]]
define double @loads(double %x, double %y) {
  %dup = load i32, ptr @enzyme_dup
  %const = load i8, ptr @enzyme_const
  %wide = sext i8 %const to i32
  %r = call double (...) @__enzyme_fwddiff(ptr @product, i32 %dup, double %x, double 1.0, i32 %wide, double %y)
  ret double %r
}

; CHECK-LABEL: define double @strings(
; CHECK-NEXT: %[[RESULT:.*]] = call double @[[TANGENT]](double %x, double 1.000000e+00, double %y)
; CHECK-NEXT: ret double %[[RESULT]]
define double @strings(double %x, double %y) {
  %r = call double (...) @__enzyme_fwddiff(ptr @product, metadata !"enzyme_dup", double %x, double 1.0, metadata !"enzyme_const", double %y)
  ret double %r
}

; CHECK-LABEL: define double @integer(
; CHECK-NEXT: %[[RESULT:.*]] = call double @diffeproduct(double %x, double %y, double 1.000000e+00)
; CHECK-NEXT: ret double %[[RESULT]]
define double @integer(double %x, double %y) {
  %r = call double (i64, ...) @__enzyme_autodiff(i64 ptrtoint (ptr @product to i64), ptr @enzyme_const, double %x, double %y)
  ret double %r
}
