; A contradiction is an error with both statements and a way out.
; RUN: %not %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=f -disable-output %s 2>&1 | %FileCheck %s

; CHECK: error: {{.*}}%p at [-1,0]: Float@double and Pointer cannot both be true
; CHECK-NEXT: help: {{.*}}`-enzyme-strict-aliasing=0`
define void @f(ptr %p) {
  store double 1.000000e+00, ptr %p, align 8, !tbaa !2
  %q = load ptr, ptr %p, align 8, !tbaa !4
  ret void
}

!0 = !{!"Simple C/C++ TBAA"}
!1 = !{!"omnipotent char", !0, i64 0}
!2 = !{!3, !3, i64 0}
!3 = !{!"double", !1, i64 0}
!4 = !{!5, !5, i64 0}
!5 = !{!"any pointer", !1, i64 0}
