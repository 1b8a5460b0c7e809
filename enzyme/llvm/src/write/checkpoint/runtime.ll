target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

%struct.EnzymeCkptRegion = type { ptr, i64, i32, i32 }
%struct.EnzymeCkptAction = type { i32, i64, i64, i64 }
%struct.Written = type { ptr, i64, i64, i64, ptr }

define ptr @__enzyme_checkpoint_forward(ptr %scheme, ptr %data, i64 %steps, ptr %left, ptr %regions, i64 %count, ptr %written, i64 %writes, ptr %run, ptr %run_last, ptr %environment) {
entry:
  %region12 = alloca %struct.EnzymeCkptRegion, align 8
  %action = alloca %struct.EnzymeCkptAction, align 8
  %cmp = icmp sgt i64 %steps, 0
  %tobool = icmp ne ptr %left, null
  %or.cond = or i1 %cmp, %tobool
  br i1 %or.cond, label %if.end, label %return

if.end:
  %cmp1 = icmp ugt ptr %scheme, inttoptr (i64 2 to ptr)
  br i1 %cmp1, label %land.rhs, label %if.then4

land.rhs:
  %save_state = getelementptr inbounds i8, ptr %scheme, i64 56
  %0 = load ptr, ptr %save_state, align 8
  %tobool2.not = icmp eq ptr %0, null
  br i1 %tobool2.not, label %if.then4, label %if.end5

if.then4:
  call void @find_changes(ptr %regions, i64 %count, ptr %written, i64 %writes)
  br label %if.end5

if.end5:
  %call = call ptr @memory_of(i64 72)
  store ptr %scheme, ptr %call, align 8
  %place = getelementptr inbounds i8, ptr %call, i64 24
  store i64 0, ptr %place, align 8
  %changing = getelementptr inbounds i8, ptr %call, i64 40
  store i64 0, ptr %changing, align 8
  %regions7 = getelementptr inbounds i8, ptr %call, i64 48
  store i64 %count, ptr %regions7, align 8
  %mul = mul i64 %count, 24
  %call8 = call ptr @memory_of(i64 %mul)
  %region = getelementptr inbounds i8, ptr %call, i64 56
  store ptr %call8, ptr %region, align 8
  %mul9 = shl i64 %count, 3
  %call10 = call ptr @memory_of(i64 %mul9)
  %copies = getelementptr inbounds i8, ptr %call, i64 64
  store ptr %call10, ptr %copies, align 8
  %flags = getelementptr inbounds i8, ptr %region12, i64 20
  %bytes23 = getelementptr inbounds i8, ptr %region12, i64 8
  br label %for.cond

for.cond:
  %1 = phi i64 [ 0, %if.end5 ], [ %5, %if.end29 ]
  %bytes.0 = phi i64 [ 0, %if.end5 ], [ %bytes.1, %if.end29 ]
  %staying.0 = phi i64 [ %count, %if.end5 ], [ %staying.1, %if.end29 ]
  %index.0 = phi i64 [ 0, %if.end5 ], [ %inc30, %if.end29 ]
  %exitcond.not = icmp eq i64 %index.0, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:
  br i1 %tobool, label %if.then32, label %if.end34

for.body:
  %arrayidx = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %regions, i64 %index.0
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %region12, ptr align 8 %arrayidx, i64 24, i1 false)
  %2 = load i32, ptr %flags, align 4
  %cmp13 = icmp eq i32 %2, 1
  store i32 0, ptr %flags, align 4
  br i1 %cmp13, label %if.then16, label %if.else

if.then16:
  %3 = load i64, ptr %bytes23, align 8
  %add = add i64 %3, %bytes.0
  %inc = add i64 %1, 1
  store i64 %inc, ptr %changing, align 8
  %arrayidx20 = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %call8, i64 %1
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %arrayidx20, ptr align 8 %region12, i64 24, i1 false)
  br label %if.end29

if.else:
  %dec = add i64 %staying.0, -1
  %arrayidx22 = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %call8, i64 %dec
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %arrayidx22, ptr align 8 %region12, i64 24, i1 false)
  %4 = load i64, ptr %bytes23, align 8
  %call24 = call ptr @memory_of(i64 %4)
  %arrayidx26 = getelementptr inbounds ptr, ptr %call10, i64 %dec
  store ptr %call24, ptr %arrayidx26, align 8
  call void @copy_out(ptr %call24, ptr %region12, i64 1)
  br label %if.end29

if.end29:
  %5 = phi i64 [ %inc, %if.then16 ], [ %1, %if.else ]
  %bytes.1 = phi i64 [ %add, %if.then16 ], [ %bytes.0, %if.else ]
  %staying.1 = phi i64 [ %staying.0, %if.then16 ], [ %dec, %if.else ]
  %inc30 = add i64 %index.0, 1
  br label %for.cond

if.then32:
  %call33 = call i64 @count_steps(ptr %call, i64 %bytes.0, ptr %left, ptr %run, ptr %environment)
  br label %if.end34

if.end34:
  %steps.addr.0 = phi i64 [ %call33, %if.then32 ], [ %steps, %for.cond.cleanup ]
  %end = getelementptr inbounds i8, ptr %call, i64 32
  store i64 %steps.addr.0, ptr %end, align 8
  %steps35 = getelementptr inbounds i8, ptr %call, i64 16
  store i64 %steps.addr.0, ptr %steps35, align 8
  call void @begin(ptr %call, ptr %data, i64 %bytes.0)
  %startiteration = getelementptr inbounds i8, ptr %action, i64 16
  %iteration54 = getelementptr inbounds i8, ptr %action, i64 8
  %cpnum = getelementptr inbounds i8, ptr %action, i64 24
  br label %for.cond36

for.cond36:
  call void @next(ptr %call, ptr %action)
  %6 = load i32, ptr %action, align 8
  switch i32 %6, label %if.else83.loopexit [
    i32 1, label %land.lhs.true39
    i32 3, label %land.lhs.true49
    i32 4, label %land.lhs.true73
  ]

land.lhs.true39:
  %7 = load i64, ptr %iteration54, align 8
  %8 = load i64, ptr %place, align 8
  %cmp41 = icmp eq i64 %7, %8
  br i1 %cmp41, label %if.then43, label %if.else83.loopexit

if.then43:
  %9 = load i64, ptr %cpnum, align 8
  call void @store(ptr %call, i64 %9, i64 %7, ptr %environment)
  br label %cleanup

land.lhs.true49:
  %10 = load i64, ptr %startiteration, align 8
  %11 = load i64, ptr %place, align 8
  %cmp51 = icmp eq i64 %10, %11
  %12 = load i64, ptr %iteration54, align 8
  %cmp55 = icmp slt i64 %12, %steps.addr.0
  %or.cond149 = select i1 %cmp51, i1 %cmp55, i1 false
  br i1 %or.cond149, label %for.cond58, label %if.else83.loopexit

for.cond58:
  %13 = phi i64 [ %.pre, %for.body63 ], [ %12, %land.lhs.true49 ]
  %14 = phi i64 [ %inc67, %for.body63 ], [ %10, %land.lhs.true49 ]
  %cmp61 = icmp slt i64 %14, %13
  br i1 %cmp61, label %for.body63, label %cleanup.loopexit

for.body63:
  call void %run(ptr %environment, i64 %14)
  %inc67 = add nsw i64 %14, 1
  %.pre = load i64, ptr %iteration54, align 8
  br label %for.cond58

land.lhs.true73:
  %15 = load i64, ptr %place, align 8
  %sub = add nsw i64 %steps.addr.0, -1
  %cmp75 = icmp eq i64 %15, %sub
  %16 = load i64, ptr %iteration54, align 8
  %cmp79 = icmp eq i64 %16, %steps.addr.0
  %or.cond142 = select i1 %cmp75, i1 %cmp79, i1 false
  br i1 %or.cond142, label %cleanup.thread, label %if.else83

cleanup.thread:
  call void %run_last(ptr %environment, i64 %15)
  br label %return

if.else83.loopexit:
  %17 = sext i32 %6 to i64
  br label %if.else83

if.else83:
  %conv85 = phi i64 [ %17, %if.else83.loopexit ], [ 4, %land.lhs.true73 ]
  call void @__enzyme_checkpoint_stop(i64 3, i64 %conv85)
  unreachable

cleanup.loopexit:
  store i64 %14, ptr %place, align 8
  br label %cleanup

cleanup:
  br label %for.cond36

return:
  %retval.2 = phi ptr [ null, %entry ], [ %call, %cleanup.thread ]
  ret ptr %retval.2
}

define void @find_changes(ptr %regions, i64 %count, ptr %written, i64 %writes) {
entry:
  %anywhere = alloca %struct.Written, align 8
  %bytes = getelementptr inbounds i8, ptr %anywhere, i64 16
  br label %for.cond

for.cond:
  %write.0 = phi i64 [ 0, %entry ], [ %inc25, %for.cond.cleanup3 ]
  %exitcond47.not = icmp eq i64 %write.0, %writes
  br i1 %exitcond47.not, label %for.cond.cleanup, label %for.cond1.preheader

for.cond1.preheader:
  %arrayidx = getelementptr inbounds %struct.Written, ptr %written, i64 %write.0
  br label %for.cond1

for.cond.cleanup:
  ret void

for.cond1:
  %is_covered.0 = phi i32 [ %is_covered.1, %if.end ], [ 0, %for.cond1.preheader ]
  %is_near.0 = phi i32 [ %or, %if.end ], [ 0, %for.cond1.preheader ]
  %index.0 = phi i64 [ %inc, %if.end ], [ 0, %for.cond1.preheader ]
  %exitcond.not = icmp eq i64 %index.0, %count
  br i1 %exitcond.not, label %for.cond.cleanup3, label %for.body4

for.cond.cleanup3:
  %tobool10.not = icmp eq i32 %is_covered.0, 0
  %inc25 = add i64 %write.0, 1
  br i1 %tobool10.not, label %if.end12, label %for.cond

for.body4:
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %anywhere, ptr align 8 %arrayidx, i64 40, i1 false)
  store i64 -1, ptr %bytes, align 8
  %arrayidx5 = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %regions, i64 %index.0
  %call = call i32 @covers(ptr %arrayidx5, ptr %anywhere)
  %or = or i32 %call, %is_near.0
  %call8 = call i32 @covers(ptr %arrayidx5, ptr %arrayidx)
  %tobool.not = icmp eq i32 %call8, 0
  br i1 %tobool.not, label %if.end, label %if.then

if.then:
  %flags = getelementptr inbounds i8, ptr %arrayidx5, i64 20
  store i32 1, ptr %flags, align 4
  br label %if.end

if.end:
  %is_covered.1 = phi i32 [ 1, %if.then ], [ %is_covered.0, %for.body4 ]
  %inc = add i64 %index.0, 1
  br label %for.cond1

if.end12:
  %loop = getelementptr inbounds i8, ptr %arrayidx, i64 32
  %0 = load ptr, ptr %loop, align 8
  %tobool14.not = icmp eq ptr %0, null
  %tobool20.not = icmp eq i32 %is_near.0, 0
  br i1 %tobool14.not, label %if.end19, label %if.then15

if.then15:
  %cond = select i1 %tobool20.not, i64 6, i64 7
  %1 = ptrtoint ptr %0 to i64
  call void @__enzyme_checkpoint_stop(i64 %cond, i64 %1)
  unreachable

if.end19:
  %cond21 = select i1 %tobool20.not, i64 2, i64 5
  %argument = getelementptr inbounds i8, ptr %arrayidx, i64 24
  %2 = load i64, ptr %argument, align 8
  call void @__enzyme_checkpoint_stop(i64 %cond21, i64 %2)
  unreachable
}

define ptr @memory_of(i64 %bytes) {
entry:
  %cond = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %call = call ptr @malloc(i64 %cond)
  %tobool1.not = icmp eq ptr %call, null
  br i1 %tobool1.not, label %if.then, label %if.end

if.then:
  call void @__enzyme_checkpoint_stop(i64 0, i64 0)
  unreachable

if.end:
  ret ptr %call
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define void @copy_out(ptr %to, ptr %regions, i64 %count) {
entry:
  br label %for.cond

for.cond:
  %to.addr.0 = phi ptr [ %to, %entry ], [ %add.ptr, %for.body ]
  %index.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %exitcond.not = icmp eq i64 %index.0, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:
  ret void

for.body:
  %arrayidx = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %regions, i64 %index.0
  %0 = load ptr, ptr %arrayidx, align 8
  %bytes = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %1 = load i64, ptr %bytes, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %to.addr.0, ptr align 1 %0, i64 %1, i1 false)
  %2 = load i64, ptr %bytes, align 8
  %add.ptr = getelementptr inbounds i8, ptr %to.addr.0, i64 %2
  %inc = add i64 %index.0, 1
  br label %for.cond
}

define i64 @count_steps(ptr %loop, i64 %bytes, ptr %left, ptr %run, ptr %environment) {
entry:
  %call = call ptr @memory_of(i64 %bytes)
  %region = getelementptr inbounds i8, ptr %loop, i64 56
  %0 = load ptr, ptr %region, align 8
  %changing = getelementptr inbounds i8, ptr %loop, i64 40
  %1 = load i64, ptr %changing, align 8
  call void @copy_out(ptr %call, ptr %0, i64 %1)
  br label %do.body

do.body:
  %steps.0 = phi i64 [ 0, %entry ], [ %inc, %do.body ]
  %inc = add nuw nsw i64 %steps.0, 1
  call void %run(ptr %environment, i64 %steps.0)
  %2 = load i64, ptr %left, align 8
  %tobool.not = icmp eq i64 %2, 0
  br i1 %tobool.not, label %do.body, label %do.end

do.end:
  %3 = load ptr, ptr %region, align 8
  %4 = load i64, ptr %changing, align 8
  call void @copy_back(ptr %3, i64 %4, ptr %call)
  call void @free(ptr %call)
  ret i64 %inc
}

define void @begin(ptr %loop, ptr %data, i64 %bytes) {
entry:
  %call = call i32 @is_built_in(ptr %loop)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %if.end6

if.then:
  %0 = load ptr, ptr %loop, align 8
  %1 = load i32, ptr %0, align 8
  %cmp.not = icmp eq i32 %1, 1
  br i1 %cmp.not, label %if.end, label %if.then1

if.then1:
  %conv = zext i32 %1 to i64
  call void @__enzyme_checkpoint_stop(i64 1, i64 %conv)
  unreachable

if.end:
  %init = getelementptr inbounds i8, ptr %0, i64 8
  %2 = load ptr, ptr %init, align 8
  %steps = getelementptr inbounds i8, ptr %loop, i64 16
  %3 = load i64, ptr %steps, align 8
  %call5 = call ptr %2(ptr %data, i64 %3, i64 %bytes)
  br label %return

if.end6:
  %call7 = call ptr @memory_of(i64 88)
  %4 = load ptr, ptr %loop, align 8
  %5 = ptrtoint ptr %4 to i64
  %conv9 = trunc i64 %5 to i32
  %steps10 = getelementptr inbounds i8, ptr %loop, i64 16
  %6 = load i64, ptr %steps10, align 8
  %7 = ptrtoint ptr %data to i64
  %call11 = call i32 @enzyme_ckpt_schedule_begin(ptr %call7, i32 %conv9, i64 %6, i64 %7)
  %tobool12.not = icmp eq i32 %call11, 0
  br i1 %tobool12.not, label %if.then13, label %if.end14

if.then13:
  call void @__enzyme_checkpoint_stop(i64 0, i64 0)
  unreachable

if.end14:
  %bytes15 = getelementptr inbounds i8, ptr %call7, i64 64
  store i64 %bytes, ptr %bytes15, align 8
  %final = getelementptr inbounds i8, ptr %call7, i64 72
  store ptr null, ptr %final, align 8
  %room = getelementptr inbounds i8, ptr %call7, i64 56
  %8 = load i64, ptr %room, align 8
  %mul = shl i64 %8, 3
  %call17 = call ptr @memory_of(i64 %mul)
  %slots = getelementptr inbounds i8, ptr %call7, i64 80
  store ptr %call17, ptr %slots, align 8
  %smax = call i64 @llvm.smax.i64(i64 %8, i64 0)
  br label %for.cond

for.cond:
  %slot.0 = phi i64 [ 0, %if.end14 ], [ %inc, %for.body ]
  %exitcond.not = icmp eq i64 %slot.0, %smax
  br i1 %exitcond.not, label %return, label %for.body

for.body:
  %arrayidx = getelementptr inbounds ptr, ptr %call17, i64 %slot.0
  store ptr null, ptr %arrayidx, align 8
  %inc = add nuw i64 %slot.0, 1
  br label %for.cond

return:
  %call7.sink = phi ptr [ %call5, %if.end ], [ %call7, %for.cond ]
  %state23 = getelementptr inbounds i8, ptr %loop, i64 8
  store ptr %call7.sink, ptr %state23, align 8
  ret void
}

define void @next(ptr %loop, ptr %action) {
entry:
  %call = call i32 @is_built_in(ptr %loop)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.else, label %if.then

if.then:
  %state = getelementptr inbounds i8, ptr %loop, i64 8
  %0 = load ptr, ptr %state, align 8
  call void @enzyme_ckpt_schedule_next(ptr %0, ptr %action)
  br label %if.end

if.else:
  %1 = load ptr, ptr %loop, align 8
  %next_action = getelementptr inbounds i8, ptr %1, i64 16
  %2 = load ptr, ptr %next_action, align 8
  %state1 = getelementptr inbounds i8, ptr %loop, i64 8
  %3 = load ptr, ptr %state1, align 8
  call void %2(ptr %3, ptr %action)
  br label %if.end

if.end:
  ret void
}

define void @store(ptr %loop, i64 %slot, i64 %step, ptr %environment) {
entry:
  %call = call i32 @is_built_in(ptr %loop)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.else, label %if.then

if.then:
  %state = getelementptr inbounds i8, ptr %loop, i64 8
  %0 = load ptr, ptr %state, align 8
  %call1 = call ptr @slot_of(ptr %0, i64 %slot)
  %1 = load ptr, ptr %call1, align 8
  %tobool2.not = icmp eq ptr %1, null
  br i1 %tobool2.not, label %if.then3, label %if.end

if.then3:
  %bytes = getelementptr inbounds i8, ptr %0, i64 64
  %2 = load i64, ptr %bytes, align 8
  %call5 = call ptr @memory_of(i64 %2)
  store ptr %call5, ptr %call1, align 8
  br label %if.end

if.end:
  %3 = phi ptr [ %call5, %if.then3 ], [ %1, %if.then ]
  %region = getelementptr inbounds i8, ptr %loop, i64 56
  %4 = load ptr, ptr %region, align 8
  %changing = getelementptr inbounds i8, ptr %loop, i64 40
  %5 = load i64, ptr %changing, align 8
  call void @copy_out(ptr %3, ptr %4, i64 %5)
  br label %if.end17

if.else:
  %6 = load ptr, ptr %loop, align 8
  %save_state = getelementptr inbounds i8, ptr %6, i64 56
  %7 = load ptr, ptr %save_state, align 8
  %tobool6.not = icmp eq ptr %7, null
  br i1 %tobool6.not, label %if.else11, label %if.then7

if.then7:
  %state10 = getelementptr inbounds i8, ptr %loop, i64 8
  %8 = load ptr, ptr %state10, align 8
  call void %7(ptr %8, i64 %slot, i64 %step, ptr %environment)
  br label %if.end17

if.else11:
  %store = getelementptr inbounds i8, ptr %6, i64 24
  %9 = load ptr, ptr %store, align 8
  %state13 = getelementptr inbounds i8, ptr %loop, i64 8
  %10 = load ptr, ptr %state13, align 8
  %region14 = getelementptr inbounds i8, ptr %loop, i64 56
  %11 = load ptr, ptr %region14, align 8
  %changing15 = getelementptr inbounds i8, ptr %loop, i64 40
  %12 = load i64, ptr %changing15, align 8
  call void %9(ptr %10, i64 %slot, i64 %step, ptr %11, i64 %12)
  br label %if.end17

if.end17:
  ret void
}

declare void @__enzyme_checkpoint_stop(i64, i64)

define void @__enzyme_checkpoint_reverse(ptr %waiting, ptr %run, ptr %reverse_last, ptr %reverse, ptr %environment) {
entry:
  %action = alloca %struct.EnzymeCkptAction, align 8
  %0 = load ptr, ptr %waiting, align 8
  %magicptr = ptrtoint ptr %0 to i64
  switch i64 %magicptr, label %if.end2 [
    i64 0, label %cleanup89
    i64 1, label %if.then1
  ]

if.then1:
  call void @__enzyme_checkpoint_stop(i64 4, i64 0)
  unreachable

if.end2:
  store ptr inttoptr (i64 1 to ptr), ptr %waiting, align 8
  call void @exchange(ptr %0)
  %steps = getelementptr inbounds i8, ptr %0, i64 16
  %1 = load i64, ptr %steps, align 8
  call void @store(ptr %0, i64 -1, i64 %1, ptr %environment)
  %2 = load i64, ptr %steps, align 8
  %sub = add nsw i64 %2, -1
  call void %reverse_last(ptr %environment, i64 %sub)
  %place = getelementptr inbounds i8, ptr %0, i64 24
  store i64 -1, ptr %place, align 8
  %3 = load i64, ptr %steps, align 8
  %sub5 = add nsw i64 %3, -1
  %end = getelementptr inbounds i8, ptr %0, i64 32
  store i64 %sub5, ptr %end, align 8
  %iteration = getelementptr inbounds i8, ptr %action, i64 8
  %startiteration = getelementptr inbounds i8, ptr %action, i64 16
  %cpnum21 = getelementptr inbounds i8, ptr %action, i64 24
  br label %for.cond

for.cond:
  call void @next(ptr %0, ptr %action)
  %4 = load i32, ptr %action, align 8
  %cmp6 = icmp eq i32 %4, 1
  %.pre = load i64, ptr %iteration, align 8
  br i1 %cmp6, label %land.lhs.true, label %if.else

land.lhs.true:
  %5 = load i64, ptr %place, align 8
  %cmp8 = icmp eq i64 %.pre, %5
  br i1 %cmp8, label %if.then9, label %if.else72.loopexit

if.then9:
  %6 = load i64, ptr %cpnum21, align 8
  call void @store(ptr %0, i64 %6, i64 %.pre, ptr %environment)
  br label %cleanup

if.else:
  %cmp12 = icmp eq i32 %4, 2
  %cmp15 = icmp sgt i64 %.pre, -1
  %or.cond = select i1 %cmp12, i1 %cmp15, i1 false
  br i1 %or.cond, label %land.lhs.true16, label %if.else25

land.lhs.true16:
  %7 = load i64, ptr %end, align 8
  %cmp19 = icmp slt i64 %.pre, %7
  br i1 %cmp19, label %if.then20, label %if.else72.loopexit

if.then20:
  %8 = load i64, ptr %cpnum21, align 8
  call void @restore(ptr %0, i64 %8, i64 %.pre, ptr %environment)
  %9 = load i64, ptr %iteration, align 8
  store i64 %9, ptr %place, align 8
  br label %cleanup

if.else25:
  switch i32 %4, label %if.else72.loopexit [
    i32 3, label %land.lhs.true28
    i32 5, label %land.lhs.true48
    i32 7, label %land.lhs.true68
  ]

land.lhs.true28:
  %10 = load i64, ptr %place, align 8
  %cmp30 = icmp sgt i64 %10, -1
  %11 = load i64, ptr %startiteration, align 8
  %cmp33 = icmp eq i64 %11, %10
  %or.cond145 = select i1 %cmp30, i1 %cmp33, i1 false
  br i1 %or.cond145, label %land.lhs.true34, label %if.else72.loopexit

land.lhs.true34:
  %12 = load i64, ptr %end, align 8
  %cmp37 = icmp slt i64 %.pre, %12
  br i1 %cmp37, label %for.cond39, label %if.else72.loopexit

for.cond39:
  %13 = phi i64 [ %.pre153, %for.body ], [ %.pre, %land.lhs.true34 ]
  %14 = phi i64 [ %inc, %for.body ], [ %10, %land.lhs.true34 ]
  %cmp42 = icmp slt i64 %14, %13
  br i1 %cmp42, label %for.body, label %cleanup

for.body:
  call void %run(ptr %environment, i64 %14)
  %15 = load i64, ptr %place, align 8
  %inc = add nsw i64 %15, 1
  store i64 %inc, ptr %place, align 8
  %.pre153 = load i64, ptr %iteration, align 8
  br label %for.cond39

land.lhs.true48:
  %16 = load i64, ptr %place, align 8
  %cmp50 = icmp sgt i64 %16, -1
  br i1 %cmp50, label %land.lhs.true51, label %if.else72.loopexit

land.lhs.true51:
  %17 = load i64, ptr %end, align 8
  %sub54 = add nsw i64 %17, -1
  %cmp55 = icmp eq i64 %16, %sub54
  %cmp59 = icmp eq i64 %.pre, %17
  %or.cond146 = select i1 %cmp55, i1 %cmp59, i1 false
  br i1 %or.cond146, label %if.then60, label %if.else72.loopexit

if.then60:
  call void %reverse(ptr %environment, i64 %16)
  %18 = load i64, ptr %place, align 8
  store i64 %18, ptr %end, align 8
  store i64 -1, ptr %place, align 8
  br label %cleanup

land.lhs.true68:
  %19 = load i64, ptr %end, align 8
  %cmp70 = icmp eq i64 %19, 0
  br i1 %cmp70, label %for.end78, label %if.else72

if.else72.loopexit:
  %.lcssa = phi i32 [ 5, %land.lhs.true51 ], [ 5, %land.lhs.true48 ], [ 3, %land.lhs.true34 ], [ 3, %land.lhs.true28 ], [ 2, %land.lhs.true16 ], [ %4, %if.else25 ], [ 1, %land.lhs.true ]
  %20 = sext i32 %.lcssa to i64
  br label %if.else72

if.else72:
  %conv = phi i64 [ %20, %if.else72.loopexit ], [ 7, %land.lhs.true68 ]
  call void @__enzyme_checkpoint_stop(i64 3, i64 %conv)
  unreachable

cleanup:
  br label %for.cond

for.end78:
  %21 = load i64, ptr %steps, align 8
  call void @restore(ptr %0, i64 -1, i64 %21, ptr %environment)
  call void @end(ptr %0)
  call void @exchange(ptr %0)
  %changing = getelementptr inbounds i8, ptr %0, i64 40
  %22 = load i64, ptr %changing, align 8
  %regions = getelementptr inbounds i8, ptr %0, i64 48
  %copies = getelementptr inbounds i8, ptr %0, i64 64
  br label %for.cond80

for.cond80:
  %index.0 = phi i64 [ %22, %for.end78 ], [ %inc85, %for.body83 ]
  %23 = load i64, ptr %regions, align 8
  %cmp81 = icmp ult i64 %index.0, %23
  %24 = load ptr, ptr %copies, align 8
  br i1 %cmp81, label %for.body83, label %for.cond.cleanup

for.cond.cleanup:
  call void @free(ptr %24)
  %region = getelementptr inbounds i8, ptr %0, i64 56
  %25 = load ptr, ptr %region, align 8
  call void @free(ptr %25)
  call void @free(ptr %0)
  br label %cleanup89

for.body83:
  %arrayidx = getelementptr inbounds ptr, ptr %24, i64 %index.0
  %26 = load ptr, ptr %arrayidx, align 8
  call void @free(ptr %26)
  %inc85 = add nuw i64 %index.0, 1
  br label %for.cond80

cleanup89:
  ret void
}

define void @exchange(ptr %loop) {
entry:
  %changing = getelementptr inbounds i8, ptr %loop, i64 40
  %0 = load i64, ptr %changing, align 8
  %regions = getelementptr inbounds i8, ptr %loop, i64 48
  %region = getelementptr inbounds i8, ptr %loop, i64 56
  %copies = getelementptr inbounds i8, ptr %loop, i64 64
  br label %for.cond

for.cond:
  %index.0 = phi i64 [ %0, %entry ], [ %inc18, %for.cond.cleanup6 ]
  %1 = load i64, ptr %regions, align 8
  %cmp = icmp ult i64 %index.0, %1
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  ret void

for.body:
  %2 = load ptr, ptr %region, align 8
  %arrayidx = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %2, i64 %index.0
  %3 = load ptr, ptr %arrayidx, align 8
  %4 = load ptr, ptr %copies, align 8
  %arrayidx1 = getelementptr inbounds ptr, ptr %4, i64 %index.0
  %5 = load ptr, ptr %arrayidx1, align 8
  br label %for.cond2

for.cond2:
  %.pre39 = phi ptr [ %2, %for.body ], [ %.pre, %cleanup ]
  %byte.0 = phi i64 [ 0, %for.body ], [ %inc, %cleanup ]
  %arrayidx4 = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %.pre39, i64 %index.0
  %bytes = getelementptr inbounds i8, ptr %arrayidx4, i64 8
  %6 = load i64, ptr %bytes, align 8
  %cmp5 = icmp ult i64 %byte.0, %6
  br i1 %cmp5, label %for.body7, label %for.cond.cleanup6

for.cond.cleanup6:
  %inc18 = add nuw i64 %index.0, 1
  br label %for.cond

for.body7:
  %arrayidx8 = getelementptr inbounds i8, ptr %3, i64 %byte.0
  %7 = load i8, ptr %arrayidx8, align 1
  %arrayidx9 = getelementptr inbounds i8, ptr %5, i64 %byte.0
  %8 = load i8, ptr %arrayidx9, align 1
  %cmp11 = icmp eq i8 %7, %8
  br i1 %cmp11, label %cleanup, label %if.end

if.end:
  store i8 %8, ptr %arrayidx8, align 1
  store i8 %7, ptr %arrayidx9, align 1
  %.pre.pre = load ptr, ptr %region, align 8
  br label %cleanup

cleanup:
  %.pre = phi ptr [ %.pre39, %for.body7 ], [ %.pre.pre, %if.end ]
  %inc = add nuw i64 %byte.0, 1
  br label %for.cond2
}

define void @restore(ptr %loop, i64 %slot, i64 %step, ptr %environment) {
entry:
  %call = call i32 @is_built_in(ptr %loop)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.else, label %if.then

if.then:
  %region = getelementptr inbounds i8, ptr %loop, i64 56
  %0 = load ptr, ptr %region, align 8
  %changing = getelementptr inbounds i8, ptr %loop, i64 40
  %1 = load i64, ptr %changing, align 8
  %state = getelementptr inbounds i8, ptr %loop, i64 8
  %2 = load ptr, ptr %state, align 8
  %call1 = call ptr @slot_of(ptr %2, i64 %slot)
  %3 = load ptr, ptr %call1, align 8
  call void @copy_back(ptr %0, i64 %1, ptr %3)
  br label %if.end12

if.else:
  %4 = load ptr, ptr %loop, align 8
  %load_state = getelementptr inbounds i8, ptr %4, i64 64
  %5 = load ptr, ptr %load_state, align 8
  %tobool2.not = icmp eq ptr %5, null
  br i1 %tobool2.not, label %if.else7, label %if.then3

if.then3:
  %state6 = getelementptr inbounds i8, ptr %loop, i64 8
  %6 = load ptr, ptr %state6, align 8
  call void %5(ptr %6, i64 %slot, i64 %step, ptr %environment)
  br label %if.end12

if.else7:
  %restore = getelementptr inbounds i8, ptr %4, i64 32
  %7 = load ptr, ptr %restore, align 8
  %state9 = getelementptr inbounds i8, ptr %loop, i64 8
  %8 = load ptr, ptr %state9, align 8
  %region10 = getelementptr inbounds i8, ptr %loop, i64 56
  %9 = load ptr, ptr %region10, align 8
  %changing11 = getelementptr inbounds i8, ptr %loop, i64 40
  %10 = load i64, ptr %changing11, align 8
  call void %7(ptr %8, i64 %slot, i64 %step, ptr %9, i64 %10)
  br label %if.end12

if.end12:
  ret void
}

define void @end(ptr %loop) {
entry:
  %call = call i32 @is_built_in(ptr %loop)
  %tobool.not = icmp eq i32 %call, 0
  br i1 %tobool.not, label %if.then, label %if.end

if.then:
  %0 = load ptr, ptr %loop, align 8
  %finalize = getelementptr inbounds i8, ptr %0, i64 48
  %1 = load ptr, ptr %finalize, align 8
  %state = getelementptr inbounds i8, ptr %loop, i64 8
  %2 = load ptr, ptr %state, align 8
  call void %1(ptr %2)
  br label %return

if.end:
  %state1 = getelementptr inbounds i8, ptr %loop, i64 8
  %3 = load ptr, ptr %state1, align 8
  %room = getelementptr inbounds i8, ptr %3, i64 56
  %slots = getelementptr inbounds i8, ptr %3, i64 80
  br label %for.cond

for.cond:
  %slot.0 = phi i64 [ 0, %if.end ], [ %inc, %for.body ]
  %4 = load i64, ptr %room, align 8
  %cmp = icmp slt i64 %slot.0, %4
  %5 = load ptr, ptr %slots, align 8
  br i1 %cmp, label %for.body, label %for.cond.cleanup

for.cond.cleanup:
  call void @free(ptr %5)
  %final = getelementptr inbounds i8, ptr %3, i64 72
  %6 = load ptr, ptr %final, align 8
  call void @free(ptr %6)
  call void @enzyme_ckpt_schedule_end(ptr %3)
  call void @free(ptr %3)
  br label %return

for.body:
  %arrayidx = getelementptr inbounds ptr, ptr %5, i64 %slot.0
  %7 = load ptr, ptr %arrayidx, align 8
  call void @free(ptr %7)
  %inc = add nuw nsw i64 %slot.0, 1
  br label %for.cond

return:
  ret void
}

declare void @free(ptr)

define i32 @covers(ptr %region, ptr %written) {
entry:
  %0 = load ptr, ptr %region, align 8
  %bytes = getelementptr inbounds i8, ptr %region, i64 8
  %1 = load i64, ptr %bytes, align 8
  %add.ptr = getelementptr inbounds i8, ptr %0, i64 %1
  %bytes1 = getelementptr inbounds i8, ptr %written, i64 16
  %2 = load i64, ptr %bytes1, align 8
  %cmp = icmp sgt i64 %2, -1
  %3 = load ptr, ptr %written, align 8
  br i1 %cmp, label %if.then, label %if.end

if.then:
  %offset = getelementptr inbounds i8, ptr %written, i64 8
  %4 = load i64, ptr %offset, align 8
  %add.ptr2 = getelementptr inbounds i8, ptr %3, i64 %4
  %cmp3.not = icmp ule ptr %0, %add.ptr2
  %add.ptr5 = getelementptr inbounds i8, ptr %add.ptr2, i64 %2
  %cmp6 = icmp ule ptr %add.ptr5, %add.ptr
  %narrow = select i1 %cmp3.not, i1 %cmp6, i1 false
  br label %cleanup

if.end:
  %cmp8 = icmp eq ptr %3, %0
  br i1 %cmp8, label %cleanup, label %lor.rhs

lor.rhs:
  %cmp10 = icmp ult ptr %0, %3
  %cmp13 = icmp ult ptr %3, %add.ptr
  %spec.select = select i1 %cmp10, i1 %cmp13, i1 false
  br label %cleanup

cleanup:
  %retval.0.shrunk = phi i1 [ %narrow, %if.then ], [ true, %if.end ], [ %spec.select, %lor.rhs ]
  %retval.0 = zext i1 %retval.0.shrunk to i32
  ret i32 %retval.0
}

declare ptr @malloc(i64)

define void @copy_back(ptr %regions, i64 %count, ptr %from) {
entry:
  br label %for.cond

for.cond:
  %from.addr.0 = phi ptr [ %from, %entry ], [ %add.ptr, %for.body ]
  %index.0 = phi i64 [ 0, %entry ], [ %inc, %for.body ]
  %exitcond.not = icmp eq i64 %index.0, %count
  br i1 %exitcond.not, label %for.cond.cleanup, label %for.body

for.cond.cleanup:
  ret void

for.body:
  %arrayidx = getelementptr inbounds %struct.EnzymeCkptRegion, ptr %regions, i64 %index.0
  %0 = load ptr, ptr %arrayidx, align 8
  %bytes = getelementptr inbounds i8, ptr %arrayidx, i64 8
  %1 = load i64, ptr %bytes, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %0, ptr align 1 %from.addr.0, i64 %1, i1 false)
  %2 = load i64, ptr %bytes, align 8
  %add.ptr = getelementptr inbounds i8, ptr %from.addr.0, i64 %2
  %inc = add i64 %index.0, 1
  br label %for.cond
}

define i32 @is_built_in(ptr %loop) {
entry:
  %0 = load ptr, ptr %loop, align 8
  %cmp = icmp ult ptr %0, inttoptr (i64 3 to ptr)
  %conv = zext i1 %cmp to i32
  ret i32 %conv
}

define i32 @enzyme_ckpt_schedule_begin(ptr %schedule, i32 %kind, i64 %steps, i64 %budget) {
entry:
  %spec.store.select = call i64 @llvm.smax.i64(i64 %steps, i64 0)
  %cmp1 = icmp eq i32 %kind, 2
  br i1 %cmp1, label %if.end6, label %if.else

if.else:
  %cmp3 = icmp slt i64 %budget, 1
  br i1 %cmp3, label %if.then4, label %if.end6

if.then4:
  %call = call i64 @enzyme_ckpt_default_budget(i32 %kind, i64 %spec.store.select)
  br label %if.end6

if.end6:
  %budget.addr.0 = phi i64 [ %budget, %if.else ], [ %call, %if.then4 ], [ %spec.store.select, %entry ]
  %spec.select = call i64 @llvm.smin.i64(i64 %budget.addr.0, i64 %spec.store.select)
  %spec.store.select22 = call i64 @llvm.smax.i64(i64 %spec.select, i64 1)
  store i32 %kind, ptr %schedule, align 8
  %reversing = getelementptr inbounds i8, ptr %schedule, i64 4
  store i32 0, ptr %reversing, align 4
  %steps14 = getelementptr inbounds i8, ptr %schedule, i64 8
  store i64 %spec.store.select, ptr %steps14, align 8
  %budget15 = getelementptr inbounds i8, ptr %schedule, i64 16
  store i64 %spec.store.select22, ptr %budget15, align 8
  %end = getelementptr inbounds i8, ptr %schedule, i64 24
  store i64 %spec.store.select, ptr %end, align 8
  %place = getelementptr inbounds i8, ptr %schedule, i64 32
  store i64 0, ptr %place, align 8
  %count = getelementptr inbounds i8, ptr %schedule, i64 48
  store i64 0, ptr %count, align 8
  %cmp16 = icmp eq i32 %kind, 1
  br i1 %cmp16, label %cond.true, label %cond.end

cond.true:
  %div = udiv i64 %spec.store.select, %spec.store.select22
  %add = add nuw nsw i64 %spec.store.select22, 1
  %add17 = add nuw nsw i64 %add, %div
  br label %cond.end

cond.end:
  %cond = phi i64 [ %add17, %cond.true ], [ %spec.store.select22, %if.end6 ]
  %room = getelementptr inbounds i8, ptr %schedule, i64 56
  store i64 %cond, ptr %room, align 8
  %mul = shl i64 %cond, 3
  %call19 = call ptr @malloc(i64 %mul)
  %stored = getelementptr inbounds i8, ptr %schedule, i64 40
  store ptr %call19, ptr %stored, align 8
  %cmp21 = icmp ne ptr %call19, null
  %conv = zext i1 %cmp21 to i32
  ret i32 %conv
}

define i64 @enzyme_ckpt_default_budget(i32 %kind, i64 %steps) {
entry:
  %cmp = icmp eq i32 %kind, 1
  br i1 %cmp, label %while.cond, label %while.cond2

while.cond:
  %budget.0 = phi i64 [ %inc, %while.cond ], [ 1, %entry ]
  %div = sdiv i64 %steps, %budget.0
  %cmp1 = icmp slt i64 %budget.0, %div
  %inc = add nuw nsw i64 %budget.0, 1
  br i1 %cmp1, label %while.cond, label %if.end

while.cond2:
  %budget.1 = phi i64 [ %add, %while.cond2 ], [ 1, %entry ]
  %add = add nuw nsw i64 %budget.1, 1
  %add3 = add nuw nsw i64 %budget.1, 2
  %mul = mul nuw nsw i64 %add, %add3
  %div416 = lshr i64 %mul, 1
  %cmp5 = icmp slt i64 %div416, %steps
  br i1 %cmp5, label %while.cond2, label %if.end

if.end:
  %budget.2 = phi i64 [ %budget.0, %while.cond ], [ %budget.1, %while.cond2 ]
  ret i64 %budget.2
}

define void @enzyme_ckpt_schedule_next(ptr %schedule, ptr %action) {
entry:
  %place1 = getelementptr inbounds i8, ptr %schedule, i64 32
  %0 = load i64, ptr %place1, align 8
  %startiteration = getelementptr inbounds i8, ptr %action, i64 16
  store i64 %0, ptr %startiteration, align 8
  %iteration = getelementptr inbounds i8, ptr %action, i64 8
  store i64 %0, ptr %iteration, align 8
  %count = getelementptr inbounds i8, ptr %schedule, i64 48
  %1 = load i64, ptr %count, align 8
  %sub = add nsw i64 %1, -1
  %cpnum = getelementptr inbounds i8, ptr %action, i64 24
  store i64 %sub, ptr %cpnum, align 8
  %end = getelementptr inbounds i8, ptr %schedule, i64 24
  %2 = load i64, ptr %end, align 8
  %cmp = icmp eq i64 %2, 0
  br i1 %cmp, label %if.then, label %if.else

if.then:
  store i32 7, ptr %action, align 8
  br label %if.end54

if.else:
  %cmp2 = icmp slt i64 %0, 0
  br i1 %cmp2, label %if.then3, label %if.else11

if.then3:
  store i32 2, ptr %action, align 8
  %stored = getelementptr inbounds i8, ptr %schedule, i64 40
  %3 = load ptr, ptr %stored, align 8
  %4 = getelementptr i64, ptr %3, i64 %1
  %arrayidx = getelementptr i8, ptr %4, i64 -8
  %5 = load i64, ptr %arrayidx, align 8
  store i64 %5, ptr %place1, align 8
  store i64 %5, ptr %startiteration, align 8
  store i64 %5, ptr %iteration, align 8
  br label %if.end54

if.else11:
  %add = add nuw nsw i64 %0, 1
  %cmp13 = icmp eq i64 %add, %2
  br i1 %cmp13, label %if.then14, label %if.else30

if.then14:
  %reversing = getelementptr inbounds i8, ptr %schedule, i64 4
  %6 = load i32, ptr %reversing, align 4
  %tobool.not = icmp eq i32 %6, 0
  %cond = select i1 %tobool.not, i32 4, i32 5
  store i32 %cond, ptr %action, align 8
  store i64 %2, ptr %iteration, align 8
  store i32 1, ptr %reversing, align 4
  store i64 %0, ptr %end, align 8
  store i64 -1, ptr %place1, align 8
  %cmp22 = icmp sgt i64 %1, 0
  br i1 %cmp22, label %land.lhs.true, label %if.end54

land.lhs.true:
  %stored23 = getelementptr inbounds i8, ptr %schedule, i64 40
  %7 = load ptr, ptr %stored23, align 8
  %8 = getelementptr i64, ptr %7, i64 %1
  %arrayidx26 = getelementptr i8, ptr %8, i64 -8
  %9 = load i64, ptr %arrayidx26, align 8
  %cmp27 = icmp eq i64 %9, %0
  br i1 %cmp27, label %if.then28, label %if.end54

if.then28:
  store i64 %sub, ptr %count, align 8
  br label %if.end54

if.else30:
  %cmp32 = icmp eq i64 %1, 0
  %stored42.phi.trans.insert = getelementptr inbounds i8, ptr %schedule, i64 40
  %.pre = load ptr, ptr %stored42.phi.trans.insert, align 8
  br i1 %cmp32, label %if.then38, label %lor.lhs.false

lor.lhs.false:
  %10 = getelementptr i64, ptr %.pre, i64 %1
  %arrayidx36 = getelementptr i8, ptr %10, i64 -8
  %11 = load i64, ptr %arrayidx36, align 8
  %cmp37.not = icmp eq i64 %11, %0
  br i1 %cmp37.not, label %if.else45, label %if.then38

if.then38:
  store i32 1, ptr %action, align 8
  store i64 %1, ptr %cpnum, align 8
  %inc = add nsw i64 %1, 1
  store i64 %inc, ptr %count, align 8
  %arrayidx44 = getelementptr inbounds i64, ptr %.pre, i64 %1
  store i64 %0, ptr %arrayidx44, align 8
  br label %if.end54

if.else45:
  store i32 3, ptr %action, align 8
  %call = call i64 @enzyme_ckpt_advance(ptr %schedule)
  %add47 = add nsw i64 %call, %0
  store i64 %add47, ptr %place1, align 8
  store i64 %add47, ptr %iteration, align 8
  br label %if.end54

if.end54:
  ret void
}

define i64 @enzyme_ckpt_advance(ptr %schedule) {
entry:
  %end = getelementptr inbounds i8, ptr %schedule, i64 24
  %place = getelementptr inbounds i8, ptr %schedule, i64 32
  %0 = load i64, ptr %place, align 8
  %1 = load i32, ptr %schedule, align 8
  %cmp.not = icmp eq i32 %1, 1
  %budget4 = getelementptr inbounds i8, ptr %schedule, i64 16
  %2 = load i64, ptr %budget4, align 8
  br i1 %cmp.not, label %if.end, label %if.then

if.then:
  %3 = load i64, ptr %end, align 8
  %sub = sub nsw i64 %3, %0
  %count = getelementptr inbounds i8, ptr %schedule, i64 48
  %4 = load i64, ptr %count, align 8
  %sub1 = sub nsw i64 %2, %4
  %call = call i64 @enzyme_ckpt_longest_advance(i64 %sub1, i64 %sub)
  br label %cleanup

if.end:
  %count2 = getelementptr inbounds i8, ptr %schedule, i64 48
  %5 = load i64, ptr %count2, align 8
  %cmp5.not = icmp slt i64 %5, %2
  br i1 %cmp5.not, label %lor.lhs.false, label %cleanup

lor.lhs.false:
  %sub3 = add nsw i64 %5, -1
  %call7 = call i64 @enzyme_ckpt_segment(ptr %schedule, i64 %sub3)
  %cmp8.not = icmp eq i64 %0, %call7
  br i1 %cmp8.not, label %if.end10, label %cleanup

if.end10:
  %call12 = call i64 @enzyme_ckpt_segment(ptr %schedule, i64 %5)
  %6 = load i64, ptr %end, align 8
  %cmp14 = icmp slt i64 %call12, %6
  %sub16 = sub nsw i64 %call12, %0
  %spec.select = select i1 %cmp14, i64 %sub16, i64 1
  br label %cleanup

cleanup:
  %retval.0 = phi i64 [ %call, %if.then ], [ 1, %if.end ], [ 1, %lor.lhs.false ], [ %spec.select, %if.end10 ]
  ret i64 %retval.0
}

define i64 @enzyme_ckpt_longest_advance(i64 %free_slots, i64 %steps) {
entry:
  %sub = add nsw i64 %steps, -1
  %cond = call i64 @llvm.smin.i64(i64 %free_slots, i64 %sub)
  %add = add nsw i64 %cond, 1
  %cmp2 = icmp slt i64 %free_slots, 1
  br i1 %cmp2, label %cleanup, label %while.cond.preheader

while.cond.preheader:
  %add1 = add nsw i64 %cond, 2
  br label %while.cond

while.cond:
  %reach.0 = phi i64 [ %add1, %while.cond.preheader ], [ %reach.0.be, %while.cond.backedge ]
  %shorter.0 = phi i64 [ 1, %while.cond.preheader ], [ %reach.0, %while.cond.backedge ]
  %runs.0 = phi i64 [ 1, %while.cond.preheader ], [ %inc, %while.cond.backedge ]
  %cmp4 = icmp slt i64 %reach.0, %steps
  br i1 %cmp4, label %while.body, label %while.end

while.body:
  %inc = add nuw nsw i64 %runs.0, 1
  %add5 = add nsw i64 %inc, %add
  %div = sdiv i64 9223372036854775807, %add5
  %cmp6 = icmp sgt i64 %reach.0, %div
  br i1 %cmp6, label %while.cond.backedge, label %cond.false8

while.cond.backedge:
  %reach.0.be = phi i64 [ %div10, %cond.false8 ], [ 9223372036854775807, %while.body ]
  br label %while.cond

cond.false8:
  %mul = mul nsw i64 %add5, %reach.0
  %div10 = sdiv i64 %mul, %inc
  br label %while.cond.backedge

while.end:
  %div13 = sdiv i64 9223372036854775807, %add
  %cmp14 = icmp sgt i64 %shorter.0, %div13
  br i1 %cmp14, label %cond.end21, label %cond.false16

cond.false16:
  %mul17 = mul nsw i64 %shorter.0, %add
  %sub19 = add i64 %runs.0, %cond
  %div20 = sdiv i64 %mul17, %sub19
  br label %cond.end21

cond.end21:
  %cond22 = phi i64 [ %div20, %cond.false16 ], [ %shorter.0, %while.end ]
  %sub23 = sub nsw i64 %steps, %cond22
  %cond29 = call i64 @llvm.smin.i64(i64 %shorter.0, i64 %sub23)
  %cmp30 = icmp slt i64 %cond29, 1
  br i1 %cmp30, label %cleanup, label %if.end32

if.end32:
  %cond38 = call i64 @llvm.smin.i64(i64 %cond29, i64 %sub)
  br label %cleanup

cleanup:
  %retval.0 = phi i64 [ %cond38, %if.end32 ], [ %sub, %entry ], [ 1, %cond.end21 ]
  ret i64 %retval.0
}

define i64 @enzyme_ckpt_segment(ptr %schedule, i64 %segment) {
entry:
  %steps = getelementptr inbounds i8, ptr %schedule, i64 8
  %0 = load i64, ptr %steps, align 8
  %budget = getelementptr inbounds i8, ptr %schedule, i64 16
  %1 = load i64, ptr %budget, align 8
  %div = sdiv i64 %0, %1
  %rem = srem i64 %0, %1
  %mul = mul nsw i64 %div, %segment
  %cond = call i64 @llvm.smin.i64(i64 %segment, i64 %rem)
  %add = add nsw i64 %cond, %mul
  ret i64 %add
}

define ptr @slot_of(ptr %states, i64 %slot) {
entry:
  %cmp = icmp slt i64 %slot, 0
  br i1 %cmp, label %cond.true, label %cond.false

cond.true:
  %final = getelementptr inbounds i8, ptr %states, i64 72
  br label %cond.end

cond.false:
  %slots = getelementptr inbounds i8, ptr %states, i64 80
  %0 = load ptr, ptr %slots, align 8
  %arrayidx = getelementptr inbounds ptr, ptr %0, i64 %slot
  br label %cond.end

cond.end:
  %cond = phi ptr [ %final, %cond.true ], [ %arrayidx, %cond.false ]
  ret ptr %cond
}

define void @enzyme_ckpt_schedule_end(ptr %schedule) {
entry:
  %stored = getelementptr inbounds i8, ptr %schedule, i64 40
  %0 = load ptr, ptr %stored, align 8
  call void @free(ptr %0)
  store ptr null, ptr %stored, align 8
  ret void
}

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)

