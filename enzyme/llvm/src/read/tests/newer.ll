declare void @use(ptr, i64) memory(argmem: read)

define i64 @flags(ptr %p, i32 %n, target("spirv.Image", void, 1, 0) %image) {
  %wide = zext nneg i32 %n to i64
  %float = uitofp nneg i32 %n to float
  %either = or disjoint i32 %n, 8
  %narrow = trunc nuw nsw i64 %wide to i32
  %compared = icmp samesign ult i32 %either, %narrow
  %field = getelementptr nusw nuw i8, ptr %p, i64 %wide
  %wrapped = atomicrmw uinc_wrap ptr %p, i64 4 syncscope("agent") monotonic, align 8
  %saturated = atomicrmw usub_sat ptr %p, i64 4 seq_cst, align 8
  %address = ptrtoaddr ptr %field to i64
  call void @use(ptr captures(none) %p, i64 range(i64 0, 5) %address)
  ret i64 %wrapped
}

@table = constant [2 x i32] [i32 3, i32 4]

define ptr @ranged() {
  ret ptr getelementptr inbounds inrange(-4, 4) ([2 x i32], ptr @table, i64 0, i64 1)
}
