; Loads and stores of some elements of a vector, and arithmetic under a mask.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare void @__enzyme_fwddiff(...)
declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, i32, <4 x i1>)
declare <4 x double> @llvm.masked.expandload.v4f64(ptr, <4 x i1>, <4 x double>)
declare void @llvm.masked.compressstore.v4f64(<4 x double>, ptr, <4 x i1>)
declare <4 x double> @llvm.vp.load.v4f64.p0(ptr, <4 x i1>, i32)
declare void @llvm.vp.store.v4f64.p0(<4 x double>, ptr, <4 x i1>, i32)
declare <4 x double> @llvm.vp.fmul.v4f64(<4 x double>, <4 x double>, <4 x i1>, i32)

; Elements 3 and 0 of what is gathered, squared, go to 0 and 3; the second is not touched, the third comes from %other.
define void @swap(ptr %x, <4 x double> %other) {
  %places = getelementptr double, ptr %x, <4 x i64> <i64 3, i64 2, i64 1, i64 0>
  %y = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %places, i32 8, <4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x double> %other)
  %squares = fmul <4 x double> %y, %y
  %ends = getelementptr double, ptr %x, <4 x i64> <i64 0, i64 1, i64 2, i64 3>
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %squares, <4 x ptr> %ends, i32 8, <4 x i1> <i1 true, i1 false, i1 true, i1 true>)
  ret void
}

; The first two numbers of memory become elements 1 and 2; elements 2 and 3 go to the beginning.
define void @spread(ptr %x, <4 x double> %other) {
  %y = call <4 x double> @llvm.masked.expandload.v4f64(ptr %x, <4 x i1> <i1 false, i1 true, i1 true, i1 false>, <4 x double> %other)
  %squares = fmul <4 x double> %y, %y
  call void @llvm.masked.compressstore.v4f64(<4 x double> %squares, ptr %x, <4 x i1> <i1 false, i1 false, i1 true, i1 true>)
  ret void
}

define void @predicated(ptr %x, <4 x double> %other) {
  %y = call <4 x double> @llvm.vp.load.v4f64.p0(ptr %x, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, i32 3)
  %product = call <4 x double> @llvm.vp.fmul.v4f64(<4 x double> %y, <4 x double> %other, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, i32 3)
  call void @llvm.vp.store.v4f64.p0(<4 x double> %product, ptr %x, <4 x i1> <i1 true, i1 false, i1 true, i1 true>, i32 3)
  ret void
}

define i32 @check(ptr %got, <4 x double> %wanted) {
  %vector = load <4 x double>, ptr %got, align 8
  %differs = fcmp une <4 x double> %vector, %wanted
  %bits = bitcast <4 x i1> %differs to i4
  %result = zext i4 %bits to i32
  ret i32 %result
}

define i32 @main() {
  %x = alloca [4 x double], align 8
  %dx = alloca [4 x double], align 8
  store <4 x double> <double 1.0, double 2.0, double 3.0, double 4.0>, ptr %x, align 8
  store <4 x double> <double 1.0, double 10.0, double 100.0, double 1000.0>, ptr %dx, align 8
  call void (...) @__enzyme_fwddiff(ptr @swap, ptr %x, ptr %dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>, <4 x double> <double 1.0, double 1.0, double 2.0, double 1.0>)
  %a = call i32 @check(ptr %x, <4 x double> <double 16.0, double 2.0, double 49.0, double 1.0>)
  %b = call i32 @check(ptr %dx, <4 x double> <double 8000.0, double 10.0, double 28.0, double 2.0>)

  store <4 x double> <double 1.0, double 2.0, double 3.0, double 4.0>, ptr %x, align 8
  store <4 x double> <double 1.0, double 10.0, double 100.0, double 1000.0>, ptr %dx, align 8
  call void (...) @__enzyme_fwddiff(ptr @spread, ptr %x, ptr %dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>, <4 x double> <double 1.0, double 1.0, double 1.0, double 2.0>)
  %c = call i32 @check(ptr %x, <4 x double> <double 4.0, double 64.0, double 3.0, double 4.0>)
  %d = call i32 @check(ptr %dx, <4 x double> <double 40.0, double 32.0, double 100.0, double 1000.0>)

  store <4 x double> <double 1.0, double 2.0, double 3.0, double 4.0>, ptr %x, align 8
  store <4 x double> <double 1.0, double 10.0, double 100.0, double 1000.0>, ptr %dx, align 8
  call void (...) @__enzyme_fwddiff(ptr @predicated, ptr %x, ptr %dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>, <4 x double> <double 1.0, double 1.0, double 2.0, double 1.0>)
  %e = call i32 @check(ptr %x, <4 x double> <double 5.0, double 2.0, double 21.0, double 4.0>)
  %f = call i32 @check(ptr %dx, <4 x double> <double 6.0, double 10.0, double 706.0, double 1000.0>)
  %ab = or i32 %a, %b
  %cd = or i32 %c, %d
  %ef = or i32 %e, %f
  %abcd = or i32 %ab, %cd
  %abcdef = or i32 %abcd, %ef
  ret i32 %abcdef
}
