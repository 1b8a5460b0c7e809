; Debug information of Rust says what variables hold, when that is asked for: as calls of an intrinsic, and as the records
; that newer LLVMs make of them.
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=f -enzyme-rust-type -disable-output %s \
; RUN:   | %FileCheck %s
; RUN: %opt %loadEnzyme -passes=print-type-analysis -type-analysis-func=f -disable-output %s \
; RUN:   | %FileCheck %s --check-prefix=PLAIN

; CHECK: f - {} |{[-1]:Pointer}:{} {[-1]:Pointer}:{}
; CHECK-NEXT: ptr %pair: {[-1]:Pointer, [-1,0]:Float@double, [-1,8]:Integer}
; CHECK-NEXT: ptr %view: {[-1]:Pointer, [-1,0]:Pointer, [-1,0,-1]:Float@float, [-1,8]:Integer}
; CHECK: ret void, !dbg {{.*}}: {}
; PLAIN: f - {} |{[-1]:Pointer}:{} {[-1]:Pointer}:{}
; PLAIN-NEXT: ptr %pair: {[-1]:Pointer}
; PLAIN-NEXT: ptr %view: {[-1]:Pointer}
define void @f(ptr %pair, ptr %view) !dbg !10 {
start:
  call void @llvm.dbg.declare(metadata ptr %pair, metadata !20, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.declare(metadata ptr %view, metadata !21, metadata !DIExpression()), !dbg !15
  ret void, !dbg !15
}

declare void @llvm.dbg.declare(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!1}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !2, producer: "rustc", emissionKind: FullDebug)
!1 = !{i32 2, !"Debug Info Version", i32 3}
!2 = !DIFile(filename: "src/lib.rs", directory: "/build")
!3 = !{}
!4 = !DISubroutineType(types: !3)
!10 = distinct !DISubprogram(name: "f", scope: !2, file: !2, line: 3, type: !4, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !3)
!15 = !DILocation(line: 5, column: 7, scope: !10)
!20 = !DILocalVariable(name: "pair", arg: 1, scope: !10, file: !2, line: 3, type: !30)
!21 = !DILocalVariable(name: "view", arg: 2, scope: !10, file: !2, line: 3, type: !40)
!30 = !DICompositeType(tag: DW_TAG_structure_type, name: "(f64, u32)", file: !2, size: 128, align: 64, elements: !31)
!31 = !{!32, !33}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !30, file: !2, baseType: !34, size: 64, align: 64)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "__1", scope: !30, file: !2, baseType: !35, size: 32, align: 32, offset: 64)
!34 = !DIBasicType(name: "f64", size: 64, encoding: DW_ATE_float)
!35 = !DIBasicType(name: "u32", size: 32, encoding: DW_ATE_unsigned)
!40 = !DICompositeType(tag: DW_TAG_structure_type, name: "&[f32]", file: !2, size: 128, align: 64, elements: !41)
!41 = !{!42, !43}
!42 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", scope: !40, file: !2, baseType: !44, size: 64, align: 64)
!43 = !DIDerivedType(tag: DW_TAG_member, name: "length", scope: !40, file: !2, baseType: !46, size: 64, align: 64, offset: 64)
!44 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !45, size: 64, align: 64)
!45 = !DIBasicType(name: "f32", size: 32, encoding: DW_ATE_float)
!46 = !DIBasicType(name: "usize", size: 64, encoding: DW_ATE_unsigned)
