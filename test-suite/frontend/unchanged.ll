; A module without a marker call comes out as it went in, byte for byte, markers and near misses included.

; RUN: %opt -S %s -o %t.before
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t.after
; RUN: cmp %t.before %t.after

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"

@enzyme_dup = external global i32
@table = internal constant [2 x ptr] [ptr @square, ptr @_enzyme_autodif]

declare double @__enzyme_fwddiff(ptr, ...)
declare double @_enzyme_autodif(ptr, ...)

define double @square(double %x) {
  %unused = load i32, ptr @enzyme_dup
  %r = fmul double %x, %x
  %dead = fadd double %r, %x
  ret double %r
}

define double @near_miss(double %x) {
  %r = call double (ptr, ...) @_enzyme_autodif(ptr @square, double %x)
  ret double %r
}
