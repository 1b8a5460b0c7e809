; What is known of a function's values when it is differentiated.
; RUN: %opt %loadEnzyme %enzyme -enzyme-print-type -disable-output %s 2>&1 | %FileCheck %s

; CHECK: weigh - {} |{[-1]:Pointer, [-1,0]:Float@double}:{} {[-1]:Integer}:{}
; CHECK-NEXT: ptr %p: {[-1]:Pointer, [-1,0]:Float@double}
; CHECK-NEXT: i32 %n: {[-1]:Integer}
; CHECK: %x = load double, ptr %p, align 8: {[-1]:Float@double}
; CHECK-NEXT: %times = sitofp i32 %n to double: {[-1]:Float@double}
define double @weigh(ptr %p, i32 %n) {
entry:
  %x = load double, ptr %p, align 8
  %times = sitofp i32 %n to double
  %product = fmul double %x, %times
  ret double %product
}

define double @derivative(ptr %p, ptr %q, i32 %n) {
  %d = call double (ptr, ...) @__enzyme_fwddiff(ptr @weigh, ptr %p, ptr %q, i32 %n)
  ret double %d
}

declare double @__enzyme_fwddiff(ptr, ...)
