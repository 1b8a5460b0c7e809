; Floats that travel as the integers of their bits, several in one vector.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare double @__enzyme_autodiff(...)

; The two numbers are copied as integers, and one of them is taken out on the way.
define double @copied(ptr %x, ptr %to) {
  %bits = load <2 x i64>, ptr %x, align 8, !tbaa !0
  %swapped = shufflevector <2 x i64> %bits, <2 x i64> poison, <2 x i32> <i32 1, i32 0>
  store <2 x i64> %swapped, ptr %to, align 8, !tbaa !0
  %first = extractelement <2 x i64> %bits, i32 0
  %float = bitcast i64 %first to double
  %result = fmul double %float, %float
  ret double %result
}

; One number fills both elements.
define double @spread(ptr %x, ptr %to) {
  %bits = load i64, ptr %x, align 8, !tbaa !0
  %one = insertelement <2 x i64> poison, i64 %bits, i32 0
  %floats = bitcast <2 x i64> %one to <2 x double>
  %both = shufflevector <2 x double> %floats, <2 x double> poison, <2 x i32> zeroinitializer
  %squares = fmul <2 x double> %both, %both
  store <2 x double> %squares, ptr %to, align 8
  ret double 0.0
}

@x = global [2 x double] [double 3.0, double 5.0]
@dx = global [2 x double] zeroinitializer
@y = global [2 x double] zeroinitializer
@dy = global [2 x double] zeroinitializer

define i32 @check(double %dx0, double %dx1) {
  %second = getelementptr double, ptr @dx, i64 1
  %got0 = load double, ptr @dx
  %got1 = load double, ptr %second
  %wrong0 = fcmp une double %got0, %dx0
  %wrong1 = fcmp une double %got1, %dx1
  %wrong = or i1 %wrong0, %wrong1
  %result = zext i1 %wrong to i32
  ret i32 %result
}

define void @begin() {
  store <2 x double> zeroinitializer, ptr @dx, align 8
  store <2 x double> <double 10.0, double 100.0>, ptr @dy, align 8
  ret void
}

define i32 @main() {
  call void @begin()
  %copied = call double (...) @__enzyme_autodiff(ptr @copied, ptr @x, ptr @dx, ptr @y, ptr @dy)
  %a = call i32 @check(double 106.0, double 10.0)
  call void @begin()
  %spread = call double (...) @__enzyme_autodiff(ptr @spread, ptr @x, ptr @dx, ptr @y, ptr @dy)
  %b = call i32 @check(double 660.0, double 0.0)
  %result = or i32 %a, %b
  ret i32 %result
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2}
!2 = !{!"omnipotent char"}
