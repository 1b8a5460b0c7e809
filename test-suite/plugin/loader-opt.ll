; The loader finds the plugin of the opt that it is loaded into, with its options.

; REQUIRES: loader
; RUN: %opt -load-pass-plugin=%loader %enzyme -enzyme-preopt=0 -disable-output %s
; RUN: %opt -load=%loader -load-pass-plugin=%loader %enzyme -enzyme-preopt=0 -disable-output %s
; RUN: %not %opt -load-pass-plugin=%loader %enzyme -enzyme-debug-panic=frontend -disable-output %s 2>&1 | %FileCheck %s

; CHECK: error: internal error in EnzymeRS
define double @f(double %x) {
  ret double %x
}
