; Functions that allocate and free by their attributes: those of users, and those that Rust gives its allocator.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme %enzyme -S %s | %FileCheck %s

declare double @__enzyme_fwddiff(...)
declare noalias ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)

@used = global i64 0
@arena = global [1000 x i8] zeroinitializer, align 16

; Takes memory from an arena, where all bits are set.
define ptr @take(i32 %kind, i64 %size) "enzyme_allocator"="1" {
  %before = load i64, ptr @used
  %after = add i64 %before, %size
  store i64 %after, ptr @used
  %place = getelementptr i8, ptr @arena, i64 %before
  call void @llvm.memset.p0.i64(ptr %place, i8 -1, i64 %size, i1 false)
  ret ptr %place
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; Gives all back.
define void @give_back(i32 %kind, ptr %place) "enzyme_frees"="1" {
  %offset.address = ptrtoint ptr %place to i64
  store i64 0, ptr @used
  ret void
}

define double @through_arena(double %x) {
  %p = call ptr @take(i32 3, i64 16)
  store double %x, ptr %p
  %y = load double, ptr %p
  %square = fmul double %y, %y
  %q = getelementptr i8, ptr %p, i64 8
  store double %square, ptr %q
  %z = load double, ptr %q
  call void @give_back(i32 3, ptr %p)
  ret double %z
}

; As Rust declares its allocator, whatever the names.
define noalias ptr @_RNvCs123_7___rustc12___rust_alloc(i64 %size, i64 allocalign %align) allockind("alloc,uninitialized,aligned") allocsize(0) "alloc-family"="__rust_alloc" noinline {
  %p = call ptr @malloc(i64 %size)
  ret ptr %p
}
define noalias ptr @_RNvCs123_7___rustc14___rust_realloc(ptr allocptr %old, i64 %old.size, i64 allocalign %align, i64 %size) allockind("realloc,aligned") allocsize(3) "alloc-family"="__rust_alloc" noinline {
  %p = call ptr @realloc(ptr %old, i64 %size)
  ret ptr %p
}
define void @_RNvCs123_7___rustc14___rust_dealloc(ptr allocptr %p, i64 %size, i64 %align) allockind("free") "alloc-family"="__rust_alloc" noinline {
  call void @free(ptr %p)
  ret void
}

; CHECK-LABEL: define internal double @fwddiffein_rust(
; CHECK-COUNT-2: call {{.*}}@_RNvCs123_7___rustc12___rust_alloc(
; CHECK-COUNT-2: call {{.*}}@_RNvCs123_7___rustc14___rust_realloc(
; CHECK-COUNT-2: call {{.*}}@_RNvCs123_7___rustc14___rust_dealloc(
define double @in_rust(double %x, i64 %more) {
  %p = call ptr @_RNvCs123_7___rustc12___rust_alloc(i64 8, i64 8)
  store double %x, ptr %p
  %size = add i64 %more, 8
  %q = call ptr @_RNvCs123_7___rustc14___rust_realloc(ptr %p, i64 8, i64 8, i64 %size)
  %next = getelementptr i8, ptr %q, i64 8
  %y = load double, ptr %q
  %cube.part = fmul double %y, %y
  store double %cube.part, ptr %next
  %again = load double, ptr %next
  %cube = fmul double %again, %y
  call void @_RNvCs123_7___rustc14___rust_dealloc(ptr %q, i64 %size, i64 8)
  ret double %cube
}

define i32 @is_not(double %got, double %wanted) {
  %wrong = fcmp une double %got, %wanted
  %result = zext i1 %wrong to i32
  ret i32 %result
}

define i32 @main() {
  %arena = call double (...) @__enzyme_fwddiff(ptr @through_arena, double 3.0, double 2.0)
  %a = call i32 @is_not(double %arena, double 12.0)
  %rust = call double (...) @__enzyme_fwddiff(ptr @in_rust, double 2.0, double 1.0, i64 8)
  %b = call i32 @is_not(double %rust, double 12.0)
  %ab = or i32 %a, %b
  ret i32 %ab
}
