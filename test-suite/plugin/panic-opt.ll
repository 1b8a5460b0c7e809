; A panic comes out of opt as one error, with status 1.

; RUN: %opt %loadEnzyme %enzyme -enzyme-debug-panic=frontend -S %s > %t.out 2> %t.err; test $? -eq 1
; RUN: %FileCheck %s < %t.err --implicit-check-not=error: --implicit-check-not=panicked
; RUN: test ! -s %t.out
; RUN: %not %opt %loadEnzyme %enzyme -enzyme-debug-panic=lunch -disable-output %s 2>&1 \
; RUN:   | %FileCheck %s --check-prefix=STAGE

; CHECK: error: internal error in EnzymeRS, please report: this panic was asked for by -enzyme-debug-panic
; CHECK-NEXT: note: in stage `frontend`
; CHECK-NEXT: note: at {{.*}}stage.rs:
; STAGE: error: -enzyme-debug-panic=lunch: the stages are frontend, prepare, read, types, activity, plan, write, tidy, verify, report
define double @f(double %x) {
  ret double %x
}
