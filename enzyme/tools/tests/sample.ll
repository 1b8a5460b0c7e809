source_filename = "sample.c"

%pair = type { double, ptr }

@table = internal constant [3 x double] [double 1.000000e+00, double 2.500000e-01, double 0x3FB999999999999B]
@text = private unnamed_addr constant [4 x i8] c"%f\0A\00", align 1
@jumps = internal constant [2 x ptr] [ptr blockaddress(@interpreter, %one), ptr blockaddress(@interpreter, %two)]
@shared = linkonce_odr global i32 7, comdat($shared)

$shared = comdat any

define double @polynomial(double %x, ptr noalias nocapture readonly %coefficients, i64 %n) #0 !dbg !4 {
entry:
  %empty = icmp eq i64 %n, 0
  br i1 %empty, label %end, label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.000000e+00, %entry ], [ %added, %loop ]
  %slot = getelementptr inbounds double, ptr %coefficients, i64 %i
  %c = load double, ptr %slot, align 8, !tbaa !8
  %scaled = fmul fast double %sum, %x, !dbg !7
  %added = fadd fast double %scaled, %c, !dbg !7
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !11

end:
  %result = phi double [ 0.000000e+00, %entry ], [ %added, %loop ]
  %root = call double @llvm.sqrt.f64(double %result), !dbg !7
  ret double %root
}

define i32 @interpreter(i64 %code) {
entry:
  %slot = getelementptr [2 x ptr], ptr @jumps, i64 0, i64 %code
  %where = load ptr, ptr %slot, align 8
  indirectbr ptr %where, [label %one, label %two]

one:
  %printed = call i32 (ptr, ...) @printf(ptr @text, double 1.500000e+00)
  ret i32 %printed

two:
  %old = atomicrmw add ptr @shared, i32 1 seq_cst, align 4
  ret i32 %old
}

define void @exceptions(ptr byval(%pair) align 8 %p) personality ptr @__gxx_personality_v0 {
  %value = invoke double @polynomial(double 2.000000e+00, ptr @table, i64 3)
          to label %normal unwind label %caught

normal:
  store double %value, ptr %p, align 8
  ret void

caught:
  %pad = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %pad
}

declare double @llvm.sqrt.f64(double)

declare i32 @printf(ptr nocapture readonly, ...) #1

declare i32 @__gxx_personality_v0(...)

attributes #0 = { nounwind "target-cpu"="x86-64" }
attributes #1 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}

!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "sample.c", directory: "/tmp")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "polynomial", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{null}
!7 = !DILocation(line: 3, column: 15, scope: !4)
!8 = !{!9, !9, i64 0}
!9 = !{!"double", !10, i64 0}
!10 = !{!"Simple C/C++ TBAA"}
!11 = distinct !{!11, !12}
!12 = !{!"llvm.loop.mustprogress"}
