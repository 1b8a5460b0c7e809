; Copies whose bytes nothing but the copy itself speaks of: by the attribute of an argument where memory may change its
; types, and by metadata, field by field, of more bytes than are told apart otherwise.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -enzyme-strict-aliasing=0 -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -enzyme-strict-aliasing=0 -S %s -o %t && %lli %t

declare void @__enzyme_autodiff(...)
declare void @__enzyme_fwddiff(...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @sometimes(i1 %copies, ptr %to, ptr %from) {
entry:
  br i1 %copies, label %copy, label %done
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr "enzyme_type"="{[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Float@double}" %to, ptr %from, i64 16, i1 false)
  br label %done
done:
  ret void
}

; A double, a hundred integers, and a double.
define void @fields(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 816, i1 false), !enzyme_truetype !0
  ret void
}

!0 = !{!"Float@double", i64 0, !"Integer", i64 8, !"Float@double", i64 808}

define double @at(ptr %array, i64 %index) {
  %place = getelementptr double, ptr %array, i64 %index
  %x = load double, ptr %place
  ret double %x
}

define void @put(ptr %array, i64 %index, double %x) {
  %place = getelementptr double, ptr %array, i64 %index
  store double %x, ptr %place
  ret void
}

define i32 @equal(double %got, double %wanted) {
  %same = fcmp oeq double %got, %wanted
  %wrong = xor i1 %same, true
  %count = zext i1 %wrong to i32
  ret i32 %count
}

define i32 @main() {
  %x = alloca [102 x double]
  %y = alloca [102 x double]
  %dx = alloca [102 x double]
  %dy = alloca [102 x double]
  call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 816, i1 false)
  call void @llvm.memset.p0.i64(ptr %y, i8 0, i64 816, i1 false)
  call void @llvm.memset.p0.i64(ptr %dx, i8 0, i64 816, i1 false)
  call void @llvm.memset.p0.i64(ptr %dy, i8 0, i64 816, i1 false)
  call void @put(ptr %dx, i64 1, double 5.0)
  call void @put(ptr %dy, i64 0, double 2.0)
  call void @put(ptr %dy, i64 1, double 3.0)

  ; Not copied: the adjoints stay where they are.
  call void (...) @__enzyme_autodiff(ptr @sometimes, i1 false, ptr %y, ptr %dy, ptr %x, ptr %dx)
  %dx1 = call double @at(ptr %dx, i64 1)
  %wrong1 = call i32 @equal(double %dx1, double 5.0)
  %dy1 = call double @at(ptr %dy, i64 1)
  %wrong2 = call i32 @equal(double %dy1, double 3.0)

  call void (...) @__enzyme_autodiff(ptr @sometimes, i1 true, ptr %y, ptr %dy, ptr %x, ptr %dx)
  %dx0 = call double @at(ptr %dx, i64 0)
  %wrong3 = call i32 @equal(double %dx0, double 2.0)
  %added = call double @at(ptr %dx, i64 1)
  %wrong4 = call i32 @equal(double %added, double 8.0)
  %ended = call double @at(ptr %dy, i64 1)
  %wrong5 = call i32 @equal(double %ended, double 0.0)

  ; Of the integers nothing is added and nothing is cleared.
  call void @put(ptr %dy, i64 0, double 1.0)
  call void @put(ptr %dy, i64 50, double 7.0)
  call void @put(ptr %dy, i64 101, double 4.0)
  call void (...) @__enzyme_autodiff(ptr @fields, ptr %y, ptr %dy, ptr %x, ptr %dx)
  %first = call double @at(ptr %dx, i64 0)
  %wrong6 = call i32 @equal(double %first, double 3.0)
  %last = call double @at(ptr %dx, i64 101)
  %wrong7 = call i32 @equal(double %last, double 4.0)
  %middle = call double @at(ptr %dx, i64 50)
  %wrong8 = call i32 @equal(double %middle, double 0.0)
  %gone = call double @at(ptr %dy, i64 101)
  %wrong9 = call i32 @equal(double %gone, double 0.0)

  ; Forward, from memory without a shadow: what is copied has no tangent.
  call void @put(ptr %dy, i64 101, double 9.0)
  call void (...) @__enzyme_fwddiff(ptr @fields, ptr %y, ptr %dy, metadata !"enzyme_const", ptr %x)
  %constant = call double @at(ptr %dy, i64 101)
  %wrong10 = call i32 @equal(double %constant, double 0.0)

  %sum1 = add i32 %wrong1, %wrong2
  %sum2 = add i32 %sum1, %wrong3
  %sum3 = add i32 %sum2, %wrong4
  %sum4 = add i32 %sum3, %wrong5
  %sum5 = add i32 %sum4, %wrong6
  %sum6 = add i32 %sum5, %wrong7
  %sum7 = add i32 %sum6, %wrong8
  %sum8 = add i32 %sum7, %wrong9
  %sum9 = add i32 %sum8, %wrong10
  ret i32 %sum9
}
