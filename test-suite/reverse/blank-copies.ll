; A copy of memory to which nothing but a zero was written, and of which nobody knows what it is for: adjoints end there.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare double @__enzyme_autodiff(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare ptr @malloc(i64)
declare void @free(ptr)

; The square of x, then nothing.
define void @forget(ptr %to, double %x) {
  %square = fmul double %x, %x
  store double %square, ptr %to
  %new = call ptr @malloc(i64 16)
  store i8 0, ptr %new
  %next = getelementptr i8, ptr %to, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %next, ptr %new, i64 16, i1 false)
  call void @free(ptr %new)
  ret void
}

define i32 @main() {
  %y = alloca [3 x double]
  %dy = alloca [3 x double]
  %second = getelementptr double, ptr %dy, i64 1
  %third = getelementptr double, ptr %dy, i64 2
  store double 2.0, ptr %dy
  store double 3.0, ptr %second
  store double 4.0, ptr %third
  %dx = call double (...) @__enzyme_autodiff(ptr @forget, ptr %y, ptr %dy, double 5.0)
  %wrong.dx = fcmp une double %dx, 20.0
  %left.second = load double, ptr %second
  %left.third = load double, ptr %third
  %wrong.second = fcmp une double %left.second, 0.0
  %wrong.third = fcmp une double %left.third, 0.0
  %one = or i1 %wrong.second, %wrong.third
  %any = or i1 %one, %wrong.dx
  %result = zext i1 %any to i32
  ret i32 %result
}
