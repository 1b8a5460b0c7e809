; What calls do: known functions, functions with a body, functions of which nothing is known, and those said to be inactive.
; RUN: %opt %loadEnzyme -passes=print-activity-analysis -activity-analysis-func=f -disable-output %s | %FileCheck %s

; CHECK: double %x: icv:0
; CHECK-NEXT: ptr %p: icv:0
; CHECK-NEXT: entry
; CHECK-NEXT: %sine = call double @sin(double %x): icv:0 ici:0
; CHECK-NEXT: %rounded = call double @floor(double %x): icv:1 ici:1
; CHECK-NEXT: %kept = call double @constant(double %x): icv:1 ici:1
; CHECK-NEXT: %passed = call double @identity(double %x): icv:0 ici:0
; CHECK-NEXT: %marked = call double @ignored(double %x): icv:1 ici:1
; CHECK-NEXT: %unknown = call double @unknown(ptr %p): icv:0 ici:0
; CHECK-NEXT: %printed = call i32 @puts(ptr @text): icv:1 ici:1
; CHECK-NEXT: %a = fadd double %sine, %rounded: icv:0 ici:0
; CHECK-NEXT: %b = fadd double %kept, %passed: icv:0 ici:0
; CHECK-NEXT: %c = fadd double %marked, %unknown: icv:0 ici:0
; CHECK-NEXT: %ab = fadd double %a, %b: icv:0 ici:0
; CHECK-NEXT: %abc = fadd double %ab, %c: icv:0 ici:0
; CHECK-NEXT: ret double %abc: icv:1 ici:1

define double @f(double %x, ptr %p) {
entry:
  %sine = call double @sin(double %x)
  %rounded = call double @floor(double %x)
  %kept = call double @constant(double %x)
  %passed = call double @identity(double %x)
  %marked = call double @ignored(double %x)
  %unknown = call double @unknown(ptr %p)
  %printed = call i32 @puts(ptr @text)
  %a = fadd double %sine, %rounded
  %b = fadd double %kept, %passed
  %c = fadd double %marked, %unknown
  %ab = fadd double %a, %b
  %abc = fadd double %ab, %c
  ret double %abc
}

define double @constant(double %x) {
  ret double 3.000000e+00
}

define double @identity(double %x) {
  ret double %x
}

@text = private constant [3 x i8] c"hi\00"

declare double @sin(double)
declare double @floor(double)
declare double @ignored(double) "enzyme_inactive"
declare double @unknown(ptr)
declare i32 @puts(ptr)
