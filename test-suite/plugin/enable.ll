; The pass can be switched off, by its own option and by not asking for it.

; RUN: %not %opt %loadEnzyme %enzyme -enzyme-debug-panic=frontend -disable-output %s 2>&1 | %FileCheck %s
; RUN: %opt %loadEnzyme %enzyme -enzyme-debug-panic=frontend -enzyme-enable=0 -disable-output %s
; RUN: %opt %loadEnzyme -passes=verify -enzyme-debug-panic=frontend -disable-output %s

; CHECK: error: internal error in EnzymeRS
define double @f(double %x) {
  ret double %x
}
