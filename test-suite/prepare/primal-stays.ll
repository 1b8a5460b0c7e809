; The user's functions stay as they are: what is canonicalised for the derivative is a copy, and the copy is gone.

; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s --implicit-check-not=preprocess --implicit-check-not=__enzyme

declare double @__enzyme_fwddiff(ptr, ...)
declare double @__enzyme_autodiff(ptr, ...)

; CHECK-LABEL: define double @helper(double %x)
; CHECK-NEXT:    %slot = alloca double
; CHECK-NEXT:    store double %x, ptr %slot
; CHECK-NEXT:    %copy = load double, ptr %slot
; CHECK-NEXT:    %same = fadd double %copy, -0.0
; CHECK-NEXT:    ret double %same
define double @helper(double %x) noinline optnone {
  %slot = alloca double
  store double %x, ptr %slot
  %copy = load double, ptr %slot
  %same = fadd double %copy, -0.0
  ret double %same
}

; CHECK-LABEL: define double @f(double %x)
; CHECK-NEXT:    %y = call double @helper(double %x)
; CHECK-NEXT:    %z = call double @helper(double %y)
; CHECK-NEXT:    %r = fmul double %z, %x
; CHECK-NEXT:    ret double %r
define double @f(double %x) {
  %y = call double @helper(double %x)
  %z = call double @helper(double %y)
  %r = fmul double %z, %x
  ret double %r
}

define double @forward(double %x) {
  %r = call double (ptr, ...) @__enzyme_fwddiff(ptr @f, double %x, double 1.0)
  ret double %r
}

define double @reverse(double %x) {
  %r = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %r
}
