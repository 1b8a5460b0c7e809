; Addresses that are read from memory as integers lead to shadows, whatever is computed from the integers beside that; and
; signs of some elements of a vector change.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare double @__enzyme_autodiff(...)
declare double @__enzyme_fwddiff(...)

; The square of the first number behind the address, or of the second where the address is odd, which it never is.
define double @behind(ptr %place) {
  %address = load i64, ptr %place, align 8
  %pointer = inttoptr i64 %address to ptr
  %odd = and i64 %address, 1
  %chosen = getelementptr inbounds double, ptr %pointer, i64 %odd
  %x = load double, ptr %chosen, align 8
  %square = fmul double %x, %x
  ret double %square
}

define double @signs(double %x, double %y) {
  %one = insertelement <2 x double> poison, double %x, i32 0
  %both = insertelement <2 x double> %one, double %y, i32 1
  %bits = bitcast <2 x double> %both to <2 x i64>
  %changed = xor <2 x i64> %bits, <i64 -9223372036854775808, i64 0>
  %floats = bitcast <2 x i64> %changed to <2 x double>
  %first = extractelement <2 x double> %floats, i32 0
  %second = extractelement <2 x double> %floats, i32 1
  %cube = fmul double %first, %first
  %sum = fadd double %cube, %second
  %result = fmul double %sum, %first
  ret double %result
}

define double @signs_of_one(double %x) {
  %result = call double @signs(double %x, double 2.0)
  ret double %result
}

@x = global [2 x double] [double 3.0, double 5.0]
@dx = global [2 x double] zeroinitializer
@place = global ptr @x
@dplace = global ptr @dx

define i32 @differs(double %got, double %wanted) {
  %wrong = fcmp une double %got, %wanted
  %result = zext i1 %wrong to i32
  ret i32 %result
}

define i32 @main() {
  %nothing = call double (...) @__enzyme_autodiff(ptr @behind, ptr @place, ptr @dplace)
  %got = load double, ptr @dx
  %a = call i32 @differs(double %got, double 6.0)
  store double 1.0, ptr @dx
  %tangent = call double (...) @__enzyme_fwddiff(ptr @behind, ptr @place, ptr @dplace)
  %b = call i32 @differs(double %tangent, double 6.0)
  ; ((-x)^2 + 2) (-x): -3 x^2 - 2.
  %adjoint = call double (...) @__enzyme_autodiff(ptr @signs_of_one, double 3.0)
  %c = call i32 @differs(double %adjoint, double -29.0)
  %forward = call double (...) @__enzyme_fwddiff(ptr @signs_of_one, double 3.0, double 1.0)
  %d = call i32 @differs(double %forward, double -29.0)
  %ab = or i32 %a, %b
  %cd = or i32 %c, %d
  %result = or i32 %ab, %cd
  ret i32 %result
}
