; A module that asks for no derivative comes out as it went in, whatever it holds.

; RUN: %opt %loadEnzyme -passes=enzyme,enzyme -S %s -o %t.once
; RUN: %opt -passes=verify -S %s -o %t.never
; RUN: cmp %t.once %t.never

target triple = "x86_64-unknown-linux-gnu"

@table = constant [2 x ptr] [ptr @scale, ptr null]

define <4 x float> @scale(<4 x float> %v, i128 %n) personality ptr @personality {
  %is_odd = trunc i128 %n to i1
  br i1 %is_odd, label %odd, label %even

odd:
  %result = invoke <4 x float> @scale(<4 x float> %v, i128 1) [ "mine"(i32 1) ]
          to label %even unwind label %failed

even:
  %picked = phi <4 x float> [ %v, %0 ], [ %result, %odd ]
  ret <4 x float> %picked

failed:
  %caught = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %caught
}

declare i32 @personality(...)
