; atomicrmw on floats: what comes out has the tangent of what was there; integers in the shadow stay the same.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare double @__enzyme_fwddiff(...)

define double @add(ptr %p, double %x) {
  %old = atomicrmw fadd ptr %p, double %x seq_cst
  ret double %old
}

define double @subtract(ptr %p, double %x) {
  %old = atomicrmw fsub ptr %p, double %x seq_cst
  ret double %old
}

define double @greater(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw fmax ptr %p, double %square seq_cst
  ret double %old
}

define double @smaller(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw fmin ptr %p, double %square seq_cst
  ret double %old
}

define double @exchange(ptr %p, double %x) {
  %square = fmul double %x, %x
  %old = atomicrmw xchg ptr %p, double %square seq_cst
  ret double %old
}

define double @count(ptr %p, double %x) {
  %place = getelementptr i8, ptr %p, i64 8
  %old = atomicrmw add ptr %place, i64 1 seq_cst
  %number = sitofp i64 %old to double
  %product = fmul double %number, %x
  ret double %product
}

@place = global { double, i64 } { double 7.0, i64 3 }
@shadow = global { double, i64 } { double 2.0, i64 3 }

define i32 @is_not(double %got, double %wanted) {
  %wrong = fcmp une double %got, %wanted
  %result = zext i1 %wrong to i32
  ret i32 %result
}

; The tangent that comes out, and the one that stays.
define i32 @check(double %out, double %out.wanted, double %wanted, double %shadow.wanted) {
  %value = load double, ptr @place
  %tangent = load double, ptr @shadow
  %a = call i32 @is_not(double %out, double %out.wanted)
  %b = call i32 @is_not(double %value, double %wanted)
  %c = call i32 @is_not(double %tangent, double %shadow.wanted)
  %ab = or i32 %a, %b
  %abc = or i32 %ab, %c
  ret i32 %abc
}

define i32 @main() {
  %add.out = call double (...) @__enzyme_fwddiff(ptr @add, ptr @place, ptr @shadow, double 3.0, double 1.0)
  %add = call i32 @check(double %add.out, double 2.0, double 10.0, double 3.0)
  %subtract.out = call double (...) @__enzyme_fwddiff(ptr @subtract, ptr @place, ptr @shadow, double 3.0, double 1.5)
  %subtract = call i32 @check(double %subtract.out, double 3.0, double 7.0, double 1.5)
  %stays.out = call double (...) @__enzyme_fwddiff(ptr @greater, ptr @place, ptr @shadow, double 2.0, double 1.0)
  %stays = call i32 @check(double %stays.out, double 1.5, double 7.0, double 1.5)
  %greater.out = call double (...) @__enzyme_fwddiff(ptr @greater, ptr @place, ptr @shadow, double 4.0, double 1.0)
  %greater = call i32 @check(double %greater.out, double 1.5, double 16.0, double 8.0)
  %smaller.out = call double (...) @__enzyme_fwddiff(ptr @smaller, ptr @place, ptr @shadow, double 3.0, double 2.0)
  %smaller = call i32 @check(double %smaller.out, double 8.0, double 9.0, double 12.0)
  %exchange.out = call double (...) @__enzyme_fwddiff(ptr @exchange, ptr @place, ptr @shadow, double 5.0, double 2.0)
  %exchange = call i32 @check(double %exchange.out, double 12.0, double 25.0, double 20.0)
  %count.out = call double (...) @__enzyme_fwddiff(ptr @count, ptr @place, ptr @shadow, double 5.0, double 2.0)
  %count = call i32 @check(double %count.out, double 6.0, double 25.0, double 20.0)
  %shadow.place = getelementptr i8, ptr @shadow, i64 8
  %shadow.count = load i64, ptr %shadow.place
  %miscounted = icmp ne i64 %shadow.count, 4
  %miscounted.number = zext i1 %miscounted to i32
  %1 = or i32 %add, %subtract
  %2 = or i32 %stays, %greater
  %3 = or i32 %smaller, %exchange
  %4 = or i32 %count, %miscounted.number
  %5 = or i32 %1, %2
  %6 = or i32 %3, %4
  %7 = or i32 %5, %6
  ret i32 %7
}
