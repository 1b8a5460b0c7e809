; What `enzyme-opt --explain` is tested with. Made by hand; the lines are those of `explain.c`.
define double @scaled(ptr %v, double %a) !dbg !3 {
entry:
  %data = load ptr, ptr %v, align 8, !dbg !10, !tbaa !20
  %count.address = getelementptr inbounds i8, ptr %v, i64 8, !dbg !11
  %count = load i64, ptr %count.address, align 8, !dbg !11, !tbaa !25
  %first = load double, ptr %data, align 8, !dbg !12, !tbaa !27
  %n = sitofp i64 %count to double, !dbg !13
  %mean = fdiv double %first, %n, !dbg !13
  %result = fmul double %mean, %a, !dbg !14
  ret double %result, !dbg !14
}

define void @"odd <&> name"(ptr %"a\22b<c>") {
  store i64 3, ptr %"a\22b<c>", align 8
  ret void
}

define void @contradiction(ptr %p) {
  store double 1.000000e+00, ptr %p, align 8, !tbaa !27
  %q = load ptr, ptr %p, align 8, !tbaa !20
  ret void
}

declare double @outside(double)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "explain.c", directory: "/build")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "scaled", scope: !1, file: !1, line: 5, type: !2, spFlags: DISPFlagDefinition, unit: !0)
!4 = !{i32 2, !"Debug Info Version", i32 3}
!10 = !DILocation(line: 6, column: 21, scope: !3)
!11 = !DILocation(line: 6, column: 36, scope: !3)
!12 = !DILocation(line: 6, column: 18, scope: !3)
!13 = !DILocation(line: 6, column: 31, scope: !3)
!14 = !DILocation(line: 7, column: 15, scope: !3)
!20 = !{!21, !22, i64 0}
!21 = !{!"vector", !22, i64 0, !24, i64 8}
!22 = !{!"any pointer", !23, i64 0}
!23 = !{!"omnipotent char", !26, i64 0}
!24 = !{!"long", !23, i64 0}
!25 = !{!21, !24, i64 8}
!26 = !{!"Simple C/C++ TBAA"}
!27 = !{!28, !28, i64 0}
!28 = !{!"double", !23, i64 0}
