; The shadow that a variable's metadata names is used; of several directions it is an array.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %FileCheck %s < %t

declare double @__enzyme_fwddiff(...)
declare [2 x double] @__enzyme_fwddiff_two(...)
@enzyme_width = external global i32

@value = global double 3.0, !enzyme_shadow !0
@shadow = global [2 x double] [double 10.0, double 20.0]
!0 = !{ptr @shadow}

; CHECK-NOT: __enzyme_shadow_of_value

define double @update(double %x) {
  %old = load double, ptr @value
  %new = fmul double %old, %x
  store double %new, ptr @value
  ret double %new
}

define i32 @is_not(double %got, double %wanted) {
  %wrong = fcmp une double %got, %wanted
  %result = zext i1 %wrong to i32
  ret i32 %result
}

define i32 @main() {
  %one = call double (...) @__enzyme_fwddiff(ptr @update, double 2.0, double 1.0)
  %a = call i32 @is_not(double %one, double 23.0)
  %first = load double, ptr @shadow
  %b = call i32 @is_not(double %first, double 23.0)
  %width = load i32, ptr @enzyme_width
  %two = call [2 x double] (...) @__enzyme_fwddiff_two(ptr @update, i32 %width, i32 2, double 2.0, double 1.0, double 0.0)
  %two.first = extractvalue [2 x double] %two, 0
  %two.second = extractvalue [2 x double] %two, 1
  %c = call i32 @is_not(double %two.first, double 52.0)
  %d = call i32 @is_not(double %two.second, double 40.0)
  %ab = or i32 %a, %b
  %cd = or i32 %c, %d
  %abcd = or i32 %ab, %cd
  ret i32 %abcd
}
