; The adjoints of atomicrmw on floats: what comes out is what was there.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare double @__enzyme_autodiff(...)

; Twice what was there comes out, so that both adjoints count.
define double @add(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw fadd ptr %p, double %square seq_cst
  %result = fmul double %old, 2.0
  ret double %result
}

define double @subtract(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw fsub ptr %p, double %square monotonic
  %result = fmul double %old, 2.0
  ret double %result
}

define double @exchange(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw xchg ptr %p, double %square seq_cst
  %result = fmul double %old, 2.0
  ret double %result
}

; The bits of a float, as C exchanges them.
define double @exchange_bits(ptr %p, double %x) {
  %square = fmul double %x, %x
  %bits = bitcast double %square to i64
  %old = atomicrmw xchg ptr %p, i64 %bits seq_cst
  %float = bitcast i64 %old to double
  %result = fmul double %float, 2.0
  ret double %result
}

define double @greater(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw fmax ptr %p, double %square seq_cst
  %result = fmul double %old, 2.0
  ret double %result
}

define double @smaller(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw fmin ptr %p, double %square seq_cst
  %result = fmul double %old, 2.0
  ret double %result
}

; A counter beside the float has no derivative.
define double @count(ptr %p, double %x) {
  %place = getelementptr i8, ptr %p, i64 8
  %old = atomicrmw add ptr %place, i64 1 seq_cst
  %number = sitofp i64 %old to double
  %product = fmul double %number, %x
  ret double %product
}

; An atomic load and an atomic store.
define double @accesses(ptr %p, double %x) {
  %old = load atomic double, ptr %p seq_cst, align 8
  %product = fmul double %old, %x
  store atomic double %product, ptr %p seq_cst, align 8
  ret double %old
}

@place = global { double, i64 } { double 7.0, i64 3 }
@shadow = global { double, i64 } { double 2.0, i64 3 }

define void @begin() {
  store double 7.0, ptr @place
  store double 100.0, ptr @shadow
  ret void
}

define i32 @is_not(double %got, double %wanted) {
  %wrong = fcmp une double %got, %wanted
  %result = zext i1 %wrong to i32
  ret i32 %result
}

; What memory holds afterwards, the adjoint of what it held before, and that of %x.
define i32 @end(double %dx, double %value.wanted, double %shadow.wanted, double %dx.wanted) {
  %value = load double, ptr @place
  %shadow = load double, ptr @shadow
  %a = call i32 @is_not(double %value, double %value.wanted)
  %b = call i32 @is_not(double %shadow, double %shadow.wanted)
  %c = call i32 @is_not(double %dx, double %dx.wanted)
  %ab = or i32 %a, %b
  %abc = or i32 %ab, %c
  ret i32 %abc
}

define i32 @main() {
  call void @begin()
  %add = call double (...) @__enzyme_autodiff(ptr @add, ptr @place, ptr @shadow, double 3.0)
  %a = call i32 @end(double %add, double 16.0, double 102.0, double 600.0)
  call void @begin()
  %subtract = call double (...) @__enzyme_autodiff(ptr @subtract, ptr @place, ptr @shadow, double 3.0)
  %b = call i32 @end(double %subtract, double -2.0, double 102.0, double -600.0)
  call void @begin()
  %exchange = call double (...) @__enzyme_autodiff(ptr @exchange, ptr @place, ptr @shadow, double 3.0)
  %c = call i32 @end(double %exchange, double 9.0, double 2.0, double 600.0)
  call void @begin()
  %bits = call double (...) @__enzyme_autodiff(ptr @exchange_bits, ptr @place, ptr @shadow, double 3.0)
  %d = call i32 @end(double %bits, double 9.0, double 2.0, double 600.0)
  call void @begin()
  %greater = call double (...) @__enzyme_autodiff(ptr @greater, ptr @place, ptr @shadow, double 3.0)
  %e = call i32 @end(double %greater, double 9.0, double 2.0, double 600.0)
  call void @begin()
  %smaller = call double (...) @__enzyme_autodiff(ptr @smaller, ptr @place, ptr @shadow, double 3.0)
  %f = call i32 @end(double %smaller, double 7.0, double 102.0, double 0.0)
  call void @begin()
  %count = call double (...) @__enzyme_autodiff(ptr @count, ptr @place, ptr @shadow, double 3.0)
  %g = call i32 @end(double %count, double 7.0, double 100.0, double 3.0)
  call void @begin()
  %accesses = call double (...) @__enzyme_autodiff(ptr @accesses, ptr @place, ptr @shadow, double 3.0)
  %h = call i32 @end(double %accesses, double 21.0, double 301.0, double 700.0)
  %ab = or i32 %a, %b
  %cd = or i32 %c, %d
  %ef = or i32 %e, %f
  %gh = or i32 %g, %h
  %abcd = or i32 %ab, %cd
  %efgh = or i32 %ef, %gh
  %all = or i32 %abcd, %efgh
  ret i32 %all
}
