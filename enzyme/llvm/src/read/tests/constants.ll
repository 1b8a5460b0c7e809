%pair = type { double, i32 }
%opaque = type opaque

@bytes = private unnamed_addr constant [4 x i8] c"abc\00", align 1
@table = internal constant [3 x double] [double 1.000000e+00, double -0.000000e+00, double 0x7FF8000000000000], align 16
@records = constant [2 x %pair] [%pair { double 2.000000e+00, i32 1 }, %pair zeroinitializer]
@self = constant ptr @self
@next = constant ptr getelementptr inbounds (i8, ptr @table, i64 8)
@zeros = global [1000 x i64] zeroinitializer, section ".mine", align 64
@elsewhere = external thread_local(initialexec) global i32
@shared = extern_weak hidden global %opaque
@handlers = constant [2 x ptr] [ptr @defined, ptr @declared]
@second_name = alias double, getelementptr inbounds ([3 x double], ptr @table, i64 0, i64 1)
@resolved = ifunc void (), ptr @resolver

declare double @declared(double) "enzyme_inactive"

define internal fastcc double @defined(double %x) {
  ret double %x
}

define internal ptr @resolver() {
  ret ptr @declared
}

define void @numbers(ptr %p) {
  store i1 true, ptr %p, align 1
  store i128 -170141183460469231731687303715884105728, ptr %p, align 16
  store i77 75557863725914323419135, ptr %p, align 16
  store half 0xH3E00, ptr %p, align 2
  store bfloat 0xR3F80, ptr %p, align 2
  store float 0x3FB99999A0000000, ptr %p, align 4
  store double 0x7FF0000000000000, ptr %p, align 8
  store x86_fp80 0xK3FFF8000000000000000, ptr %p, align 16
  store fp128 0xL00000000000000003FFF000000000000, ptr %p, align 16
  store ppc_fp128 0xM3FF00000000000000000000000000000, ptr %p, align 16
  store ptr null, ptr %p, align 8
  store <4 x i32> <i32 1, i32 2, i32 undef, i32 4>, ptr %p, align 16
  store <2 x float> <float 1.000000e+00, float 2.000000e+00>, ptr %p, align 8
  store [2 x i16] [i16 1, i16 -1], ptr %p, align 2
  store { i32, <{ i8, i32 }> } { i32 1, <{ i8, i32 }> <{ i8 2, i32 3 }> }, ptr %p, align 4
  store <vscale x 4 x i32> zeroinitializer, ptr %p, align 16
  store i64 ptrtoint (ptr @bytes to i64), ptr %p, align 8
  store i32 undef, ptr %p, align 4
  store %pair poison, ptr %p, align 8
  store ptr dso_local_equivalent @defined, ptr %p, align 8
  store ptr no_cfi @declared, ptr %p, align 8
  ret void
}

define ptr @symbols() {
entry:
  store ptr @records, ptr @self, align 8
  store ptr @second_name, ptr @zeros, align 8
  store ptr @next, ptr @shared, align 8
  store ptr @handlers, ptr @elsewhere, align 8
  call void @resolved()
  br label %target

target:                                           ; preds = %entry
  store ptr blockaddress(@other, %inside), ptr @zeros, align 8
  ret ptr blockaddress(@symbols, %target)
}

define void @other() {
  br label %inside

inside:                                           ; preds = %0
  ret void
}
