; A copy of more bytes than are known to be floats or something else ends the program.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %not --crash %lli %t 2>&1 | %FileCheck %s
; CHECK: EnzymeRS: 24 bytes of floats and other things are copied at once, and only of the first 16 it is known which are floats

declare double @__enzyme_autodiff(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define double @f(ptr %x, i64 %bytes) {
  %to = alloca [24 x i8], align 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %x, i64 %bytes, i1 false)
  %count = load i64, ptr %to, align 8, !tbaa !0
  %place = getelementptr i8, ptr %to, i64 8
  %float = load double, ptr %place, align 8
  %number = sitofp i64 %count to double
  %result = fmul double %float, %number
  ret double %result
}

@x = global [3 x i64] [i64 2, i64 0, i64 0]
@dx = global [3 x i64] zeroinitializer

define i32 @main() {
  %right = call double (...) @__enzyme_autodiff(ptr @f, ptr @x, ptr @dx, i64 16)
  %wrong = call double (...) @__enzyme_autodiff(ptr @f, ptr @x, ptr @dx, i64 24)
  ret i32 0
}

!0 = !{!1, !1, i64 0}
!1 = !{!"long", !2}
!2 = !{!"omnipotent char"}
