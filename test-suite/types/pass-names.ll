; The pass stands alone, among others, in a manager for functions; what is not named is not printed.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=one -disable-output %s | %FileCheck %s
; RUN: %opt %loadEnzyme -passes='verify,print-type-analysis,globaldce' -type-analysis-func=one -disable-output %s \
; RUN:   | %FileCheck %s
; RUN: %opt %loadEnzyme -passes='mem2reg,print-type-analysis' -type-analysis-func=one -disable-output %s | %FileCheck %s
; RUN: %opt %loadEnzyme -passes='function(print-type-analysis,print-activity-analysis)' -type-analysis-func=one \
; RUN:   -activity-analysis-func=one -disable-output %s | %FileCheck %s --check-prefixes=CHECK,BOTH
; RUN: %opt %loadEnzyme -passes=print-type-analysis -disable-output %s | %FileCheck %s --check-prefixes=ALL
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=none -disable-output %s \
; RUN:   | %FileCheck %s --check-prefix=NONE --allow-empty

; CHECK: one - {[-1]:Float@double} |{[-1]:Float@double}:{}
; CHECK-NEXT: double %0: {[-1]:Float@double}
; CHECK-EMPTY:
; CHECK-NEXT: %2 = fadd double %0, %0: {[-1]:Float@double}
; CHECK-NEXT: ret double %2: {}
; CHECK-NOT: two
; BOTH: double %0: icv:0
; BOTH: %2 = fadd double %0, %0: icv:0 ici:0
; ALL: one - {[-1]:Float@double}
; ALL: two - {}
; NONE-NOT: {{.}}
define double @one(double %0) {
  %2 = fadd double %0, %0
  ret double %2
}

define void @two() {
  ret void
}
