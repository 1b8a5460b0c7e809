target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%pair = type { double, i32 }

@counter = internal global i64 0, align 8

declare i32 @__gxx_personality_v0(...)
declare i32 @__CxxFrameHandler3(...)
declare double @callee(ptr nocapture, double) nounwind
declare void @may_throw()

define double @arithmetic(double %x, double %y, i32 %n, i64 %m, <4 x float> %v) {
entry:
  %neg = fneg nnan double %x
  %sum = fadd reassoc contract double %neg, %y
  %difference = fsub double %sum, 1.500000e+00
  %product = fmul fast double %difference, %x
  %quotient = fdiv arcp double %product, %y
  %remainder = frem double %quotient, 3.000000e+00
  %i0 = add nuw nsw i32 %n, 1
  %i1 = sub nsw i32 %i0, -3
  %i2 = mul i32 %i1, %n
  %i3 = udiv exact i32 %i2, 7
  %i4 = sdiv i32 %i3, 2
  %i5 = urem i32 %i4, 5
  %i6 = srem i32 %i5, 3
  %i7 = shl nuw i32 %i6, 1
  %i8 = lshr exact i32 %i7, 1
  %i9 = ashr i32 %i8, 1
  %i10 = and i32 %i9, 255
  %i11 = or i32 %i10, 1
  %i12 = xor i32 %i11, -1
  %less = icmp slt i32 %i12, %n
  %ordered = fcmp ninf olt double %remainder, %x
  %both = and i1 %less, %ordered
  %chosen = select nsz i1 %both, double %remainder, double %x
  %frozen = freeze double %chosen
  %wide = zext i32 %i12 to i64
  %signed = sext i32 %i12 to i64
  %narrow = trunc i64 %m to i8
  %single = fptrunc double %frozen to float
  %double = fpext float %single to double
  %unsigned_int = fptoui double %double to i32
  %signed_int = fptosi double %double to i32
  %from_unsigned = uitofp i32 %unsigned_int to double
  %from_signed = sitofp i32 %signed_int to double
  %address = inttoptr i64 %wide to ptr
  %number = ptrtoint ptr %address to i64
  %bits = bitcast double %from_signed to i64
  %other_space = addrspacecast ptr %address to ptr addrspace(3)
  %lane = extractelement <4 x float> %v, i32 2
  %changed = insertelement <4 x float> %v, float %lane, i64 1
  %shuffled = shufflevector <4 x float> %changed, <4 x float> poison, <2 x i32> <i32 3, i32 poison>
  %part = insertvalue %pair undef, double %from_unsigned, 0
  %result = extractvalue %pair %part, 0
  ret double %result
}

define void @memory(ptr noalias nocapture %p, ptr addrspace(1) %q, i64 %n) {
  %plain = alloca double, align 8
  %many = alloca %pair, i64 %n, align 16
  %value = load double, ptr %p, align 8
  %volatile = load volatile i32, ptr %p, align 4
  %atomic = load atomic i32, ptr %p syncscope("singlethread") acquire, align 4
  store double %value, ptr %plain, align 8
  store atomic i32 %atomic, ptr %p release, align 4
  store i32 %volatile, ptr addrspace(1) %q, align 1
  fence syncscope("singlethread") seq_cst
  %exchanged = cmpxchg weak volatile ptr %p, i32 1, i32 2 acq_rel monotonic, align 4
  %old = atomicrmw fadd ptr %p, double 1.000000e+00 seq_cst, align 8
  %larger = atomicrmw volatile umax ptr @counter, i64 %n monotonic, align 8
  %field = getelementptr inbounds %pair, ptr %many, i64 %n, i32 1
  %argument = va_arg ptr %p, i32
  ret void
}

define i32 @control(i32 %n, ptr %target) {
entry:
  switch i32 %n, label %loop [
    i32 0, label %done
    i32 -4, label %jump
  ]

loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %done

jump:                                             ; preds = %entry
  indirectbr ptr %target, [label %done, label %assembler]

assembler:                                        ; preds = %jump
  callbr void asm sideeffect "jmp ${0:l}", "!i"()
          to label %done [label %dead]

dead:                                             ; preds = %assembler
  unreachable

done:                                             ; preds = %assembler, %jump, %loop, %entry
  %result = phi i32 [ 1, %entry ], [ %i, %loop ], [ 2, %jump ], [ 3, %assembler ]
  %text = call i32 asm inteldialect "mov $0, $1", "=r,r"(i32 %result)
  ret i32 %text
}

define double @calls(ptr %p, double %x, ptr %function) "enzyme_math"="cosh" {
  %direct = tail call double @callee(ptr nonnull align 8 dereferenceable(16) %p, double %x) #0
  %indirect = notail call reassoc fastcc double %function(double %direct) [ "deopt"(i32 1, double %x), "align"(ptr %p) ]
  %variadic = call i32 (...) @__gxx_personality_v0(i32 5, ptr @callee)
  ret double %indirect
}

define void @landing() personality ptr @__gxx_personality_v0 {
  invoke void @may_throw()
          to label %normal unwind label %pad

normal:                                           ; preds = %0
  ret void

pad:                                              ; preds = %0
  %exception = landingpad { ptr, i32 }
          cleanup
          catch ptr @counter
          filter [1 x ptr] [ptr @counter]
  resume { ptr, i32 } %exception
}

define void @funclets() personality ptr @__CxxFrameHandler3 {
entry:
  invoke void @may_throw()
          to label %second unwind label %dispatch

second:                                           ; preds = %entry
  invoke void @may_throw()
          to label %done unwind label %cleanup

dispatch:                                         ; preds = %entry
  %switch = catchswitch within none [label %handler] unwind label %cleanup

handler:                                          ; preds = %dispatch
  %catch = catchpad within %switch [ptr null, i32 64, ptr null]
  catchret from %catch to label %done

cleanup:                                          ; preds = %second, %dispatch
  %clean = cleanuppad within none []
  cleanupret from %clean unwind to caller

done:                                             ; preds = %second, %handler
  ret void
}

attributes #0 = { nounwind "enzyme_inactive" "mode"="strict" }
