; The adjoints of loads and stores of some elements of a vector.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare <4 x double> @__enzyme_autodiff(...)
declare <4 x double> @llvm.masked.load.v4f64.p0(ptr, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, i32, <4 x i1>)
declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, i32, <4 x i1>, <4 x double>)
declare void @llvm.masked.scatter.v4f64.v4p0(<4 x double>, <4 x ptr>, i32, <4 x i1>)
declare <4 x double> @llvm.masked.expandload.v4f64(ptr, <4 x i1>, <4 x double>)
declare void @llvm.masked.compressstore.v4f64(<4 x double>, ptr, <4 x i1>)
declare <4 x double> @llvm.vp.load.v4f64.p0(ptr, <4 x i1>, i32)
declare void @llvm.vp.store.v4f64.p0(<4 x double>, ptr, <4 x i1>, i32)

; Elements 0 and 2 come from memory, the others from %other; elements 1 and 2 go back, squared.
define void @masked(ptr %x, <4 x double> %other) {
  %y = call <4 x double> @llvm.masked.load.v4f64.p0(ptr %x, i32 8, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x double> %other)
  %squares = fmul <4 x double> %y, %y
  call void @llvm.masked.store.v4f64.p0(<4 x double> %squares, ptr %x, i32 8, <4 x i1> <i1 false, i1 true, i1 true, i1 false>)
  ret void
}

; Elements 3 and 0 of what is gathered, squared, go to 0 and 3; the second is not touched, the third comes from %other.
define void @swap(ptr %x, <4 x double> %other) {
  %places = getelementptr double, ptr %x, <4 x i64> <i64 3, i64 2, i64 1, i64 0>
  %y = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %places, i32 8, <4 x i1> <i1 true, i1 true, i1 false, i1 true>, <4 x double> %other)
  %squares = fmul <4 x double> %y, %y
  %ends = getelementptr double, ptr %x, <4 x i64> <i64 0, i64 1, i64 2, i64 3>
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %squares, <4 x ptr> %ends, i32 8, <4 x i1> <i1 true, i1 false, i1 true, i1 true>)
  ret void
}

; Twice the first number, the second one, and an element of %other.
define void @twice(ptr %x, <4 x double> %other) {
  %places = getelementptr double, ptr %x, <4 x i64> <i64 0, i64 0, i64 1, i64 1>
  %y = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %places, i32 8, <4 x i1> <i1 true, i1 true, i1 true, i1 false>, <4 x double> %other)
  store <4 x double> %y, ptr %x, align 8
  ret void
}

; Two elements go to the same place: the last one stays.
define void @collide(ptr %x, <4 x double> %value) {
  %places = getelementptr double, ptr %x, <4 x i64> <i64 0, i64 0, i64 1, i64 1>
  call void @llvm.masked.scatter.v4f64.v4p0(<4 x double> %value, <4 x ptr> %places, i32 8, <4 x i1> <i1 true, i1 true, i1 true, i1 true>)
  ret void
}

; The first two numbers of memory become elements 1 and 2; elements 2 and 3 go to the beginning.
define void @spread(ptr %x, <4 x double> %other) {
  %y = call <4 x double> @llvm.masked.expandload.v4f64(ptr %x, <4 x i1> <i1 false, i1 true, i1 true, i1 false>, <4 x double> %other)
  %squares = fmul <4 x double> %y, %y
  call void @llvm.masked.compressstore.v4f64(<4 x double> %squares, ptr %x, <4 x i1> <i1 false, i1 false, i1 true, i1 true>)
  ret void
}

; Three numbers, of which the first and the third go back; the fourth is left alone.
define void @counted(ptr %x, <4 x double> %other) {
  %y = call <4 x double> @llvm.vp.load.v4f64.p0(ptr %x, <4 x i1> <i1 true, i1 true, i1 true, i1 true>, i32 3)
  %sum = fadd <4 x double> %y, %other
  call void @llvm.vp.store.v4f64.p0(<4 x double> %sum, ptr %x, <4 x i1> <i1 true, i1 false, i1 true, i1 true>, i32 3)
  ret void
}

@x = global [4 x double] zeroinitializer
@dx = global [4 x double] zeroinitializer

; One bit for each wrong number.
define i32 @differ(<4 x double> %got, <4 x double> %wanted) {
  %differs = fcmp une <4 x double> %got, %wanted
  %bits = bitcast <4 x i1> %differs to i4
  %result = zext i4 %bits to i32
  ret i32 %result
}

define void @begin() {
  store <4 x double> <double 1.0, double 2.0, double 3.0, double 4.0>, ptr @x, align 8
  store <4 x double> <double 1.0, double 10.0, double 100.0, double 1000.0>, ptr @dx, align 8
  ret void
}

define i32 @end(<4 x double> %other, <4 x double> %dx.wanted, <4 x double> %other.wanted) {
  %dx = load <4 x double>, ptr @dx, align 8
  %a = call i32 @differ(<4 x double> %dx, <4 x double> %dx.wanted)
  %b = call i32 @differ(<4 x double> %other, <4 x double> %other.wanted)
  %result = or i32 %a, %b
  ret i32 %result
}

define i32 @main() {
  call void @begin()
  %masked = call <4 x double> (...) @__enzyme_autodiff(ptr @masked, ptr @x, ptr @dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>)
  %a = call i32 @end(<4 x double> %masked, <4 x double> <double 1.0, double 0.0, double 600.0, double 1000.0>, <4 x double> <double 0.0, double 120.0, double 0.0, double 0.0>)

  call void @begin()
  %swap = call <4 x double> (...) @__enzyme_autodiff(ptr @swap, ptr @x, ptr @dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>)
  %b = call i32 @end(<4 x double> %swap, <4 x double> <double 2000.0, double 10.0, double 0.0, double 8.0>, <4 x double> <double 0.0, double 0.0, double 1400.0, double 0.0>)

  call void @begin()
  %twice = call <4 x double> (...) @__enzyme_autodiff(ptr @twice, ptr @x, ptr @dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>)
  %c = call i32 @end(<4 x double> %twice, <4 x double> <double 11.0, double 100.0, double 0.0, double 0.0>, <4 x double> <double 0.0, double 0.0, double 0.0, double 1000.0>)

  call void @begin()
  %collide = call <4 x double> (...) @__enzyme_autodiff(ptr @collide, ptr @x, ptr @dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>)
  %d = call i32 @end(<4 x double> %collide, <4 x double> <double 0.0, double 0.0, double 100.0, double 1000.0>, <4 x double> <double 0.0, double 1.0, double 0.0, double 10.0>)

  call void @begin()
  %spread = call <4 x double> (...) @__enzyme_autodiff(ptr @spread, ptr @x, ptr @dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>)
  %e = call i32 @end(<4 x double> %spread, <4 x double> <double 0.0, double 4.0, double 100.0, double 1000.0>, <4 x double> <double 0.0, double 0.0, double 0.0, double 160.0>)

  call void @begin()
  %counted = call <4 x double> (...) @__enzyme_autodiff(ptr @counted, ptr @x, ptr @dx, <4 x double> <double 5.0, double 6.0, double 7.0, double 8.0>)
  %f = call i32 @end(<4 x double> %counted, <4 x double> <double 1.0, double 10.0, double 100.0, double 1000.0>, <4 x double> <double 1.0, double 0.0, double 100.0, double 0.0>)

  %ab = or i32 %a, %b
  %cd = or i32 %c, %d
  %ef = or i32 %e, %f
  %abcd = or i32 %ab, %cd
  %abcdef = or i32 %abcd, %ef
  ret i32 %abcdef
}
