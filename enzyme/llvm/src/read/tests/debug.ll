define double @outer(double %x) !dbg !4 {
  call void @llvm.dbg.value(metadata double %x, metadata !12, metadata !DIExpression()), !dbg !9
  %square = fmul double %x, %x, !dbg !10
  %here = fadd double %square, 1.000000e+00, !dbg !9
  %nowhere = fadd double %here, 1.000000e+00
  ret double %nowhere, !dbg !9
}

declare void @llvm.dbg.value(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "src/outer.c", directory: "/build")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "outer", scope: !1, file: !1, line: 3, type: !5, scopeLine: 3, unit: !0, retainedNodes: !6)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DIFile(filename: "include/inner.h", directory: "/build")
!8 = distinct !DISubprogram(name: "inner", scope: !7, file: !7, line: 10, type: !5, scopeLine: 10, unit: !0, retainedNodes: !6)
!9 = !DILocation(line: 4, column: 7, scope: !4)
!10 = !DILocation(line: 12, column: 21, scope: !11, inlinedAt: !9)
!11 = distinct !DILexicalBlock(scope: !8, file: !7, line: 11, column: 3)
!12 = !DILocalVariable(name: "x", arg: 1, scope: !4, file: !1, line: 3, type: !13)
!13 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
