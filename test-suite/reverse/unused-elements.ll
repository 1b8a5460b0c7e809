; Elements of vectors that nobody uses, and that have no value, leave the adjoints of others alone.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare double @__enzyme_autodiff(...)

; The product of both numbers, squared, with both in one vector.
define double @f(ptr %x) {
  %both = load <2 x double>, ptr %x, align 8
  %squares = fmul <2 x double> %both, %both
  %second = shufflevector <2 x double> %squares, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  %product = fmul <2 x double> %squares, %second
  %result = extractelement <2 x double> %product, i64 0
  ret double %result
}

@x = global [2 x double] [double 3.0, double 5.0]
@dx = global [2 x double] zeroinitializer

define i32 @main() {
  %nothing = call double (...) @__enzyme_autodiff(ptr @f, ptr @x, ptr @dx)
  %first = load double, ptr @dx, align 8
  %place = getelementptr i8, ptr @dx, i64 8
  %second = load double, ptr %place, align 8
  %wrong0 = fcmp une double %first, 150.0
  %wrong1 = fcmp une double %second, 90.0
  %wrong = or i1 %wrong0, %wrong1
  %result = zext i1 %wrong to i32
  ret i32 %result
}
