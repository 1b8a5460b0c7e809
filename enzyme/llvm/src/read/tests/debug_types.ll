define void @variables(ptr %argument, double %number) !dbg !10 {
  %local = alloca double, align 8
  %moved = alloca double, align 8
  call void @llvm.dbg.declare(metadata ptr %local, metadata !20, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.declare(metadata ptr %moved, metadata !21, metadata !DIExpression(DW_OP_deref)), !dbg !15
  call void @llvm.dbg.declare(metadata ptr undef, metadata !21, metadata !DIExpression()), !dbg !15
  call void @llvm.dbg.declare(metadata ptr %argument, metadata !22, metadata !DIExpression()), !dbg !15
  store double %number, ptr %local, align 8, !dbg !15
  ret void, !dbg !15
}

define void @parts(ptr %union, ptr %variants, ptr %derived, ptr %chain) !dbg !11 {
  call void @llvm.dbg.declare(metadata ptr %union, metadata !50, metadata !DIExpression()), !dbg !16
  call void @llvm.dbg.declare(metadata ptr %variants, metadata !60, metadata !DIExpression()), !dbg !16
  call void @llvm.dbg.declare(metadata ptr %derived, metadata !70, metadata !DIExpression()), !dbg !16
  call void @llvm.dbg.declare(metadata ptr %chain, metadata !80, metadata !DIExpression()), !dbg !16
  ret void, !dbg !16
}

declare void @llvm.dbg.declare(metadata, metadata, metadata)

!llvm.dbg.cu = !{!0, !1}
!llvm.module.flags = !{!2, !3}

!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !4, producer: "rustc", emissionKind: FullDebug)
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !4, producer: "clang", emissionKind: FullDebug)
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !DIFile(filename: "src/lib.rs", directory: "/build")
!5 = !{}
!6 = !DISubroutineType(types: !5)
!10 = distinct !DISubprogram(name: "variables", scope: !4, file: !4, line: 3, type: !6, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!11 = distinct !DISubprogram(name: "parts", scope: !4, file: !4, line: 13, type: !6, scopeLine: 13, spFlags: DISPFlagDefinition, unit: !1, retainedNodes: !5)
!15 = !DILocation(line: 5, column: 7, scope: !10)
!16 = !DILocation(line: 15, column: 7, scope: !11)

; A float, and a list of nodes that hold an array, a C string and code.
!20 = !DILocalVariable(name: "x", scope: !10, file: !4, line: 4, type: !30)
!21 = !DILocalVariable(name: "elsewhere", scope: !10, file: !4, line: 6, type: !30)
!22 = !DILocalVariable(name: "list", arg: 1, scope: !10, file: !4, line: 3, type: !31)
!30 = !DIBasicType(name: "f64", size: 64, encoding: DW_ATE_float)
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, name: "&Node", baseType: !32, size: 64)
!32 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Node", file: !4, size: 512, align: 64, elements: !33)
!33 = !{!34, !35, !36, !37, !38, !39}
!34 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !32, file: !4, baseType: !40, size: 64, offset: 384)
!35 = !DIDerivedType(tag: DW_TAG_member, name: "grid", scope: !32, file: !4, baseType: !41, size: 384)
!36 = !DIDerivedType(tag: DW_TAG_member, name: "text", scope: !32, file: !4, baseType: !44, size: 64, offset: 448)
!37 = !DIDerivedType(tag: DW_TAG_member, name: "shared", scope: !32, file: !4, baseType: !30, flags: DIFlagStaticMember)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "code", scope: !32, file: !4, baseType: !48, size: 64, offset: 448)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "anything", scope: !32, file: !4, baseType: !49, size: 64, offset: 448)
!40 = !DIDerivedType(tag: DW_TAG_typedef, name: "Link", file: !4, baseType: !31)
!41 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 384, elements: !42)
!42 = !{!43, !DISubrange(lowerBound: 1, upperBound: 3)}
!43 = !DISubrange(count: 2)
!44 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !45)
!45 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !46, size: 64)
!46 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !47)
!47 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!48 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !6, size: 64)
!49 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)

!50 = !DILocalVariable(name: "either", scope: !11, file: !4, line: 14, type: !51)
!51 = distinct !DICompositeType(tag: DW_TAG_union_type, name: "Either", file: !4, size: 64, elements: !52)
!52 = !{!53, !54}
!53 = !DIDerivedType(tag: DW_TAG_member, name: "real", scope: !51, file: !4, baseType: !30, size: 64)
!54 = !DIDerivedType(tag: DW_TAG_member, name: "colour", scope: !51, file: !4, baseType: !55, size: 32)
!55 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "Colour", file: !4, baseType: !57, size: 32, elements: !56)
!56 = !{!DIEnumerator(name: "Red", value: 0, isUnsigned: true)}
!57 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)

!60 = !DILocalVariable(name: "option", scope: !11, file: !4, line: 14, type: !61)
!61 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Option<f64>", file: !4, size: 128, align: 64, elements: !62)
!62 = !{!63}
!63 = distinct !DICompositeType(tag: DW_TAG_variant_part, scope: !61, file: !4, elements: !64, discriminator: !69)
!64 = !{!65, !66}
!65 = !DIDerivedType(tag: DW_TAG_member, name: "None", scope: !63, file: !4, baseType: !67, size: 128, extraData: i64 0)
!66 = !DIDerivedType(tag: DW_TAG_member, name: "Some", scope: !63, file: !4, baseType: !68, size: 128, extraData: i64 1)
!67 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "None", scope: !61, file: !4, size: 128, elements: !5)
!68 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Some", scope: !61, file: !4, size: 128, elements: !59)
!59 = !{!58}
!58 = !DIDerivedType(tag: DW_TAG_member, name: "__0", scope: !68, file: !4, baseType: !30, size: 64, offset: 64)
!69 = !DIDerivedType(tag: DW_TAG_member, scope: !61, file: !4, baseType: !79, size: 64, flags: DIFlagArtificial)
!79 = !DIBasicType(name: "u64", size: 64, encoding: DW_ATE_unsigned)

!70 = !DILocalVariable(name: "derived", scope: !11, file: !4, line: 14, type: !71)
!71 = distinct !DICompositeType(tag: DW_TAG_class_type, name: "Derived", file: !4, size: 192, elements: !72)
!72 = !{!73, !74, !75, !76}
!73 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !71, baseType: !77, offset: 64)
!74 = !DIDerivedType(tag: DW_TAG_inheritance, scope: !71, baseType: !77, offset: 24, flags: DIFlagVirtual)
!75 = !DIDerivedType(tag: DW_TAG_member, name: "flag", scope: !71, file: !4, baseType: !78, size: 1, offset: 129, flags: DIFlagBitField, extraData: i64 128)
!76 = !DISubprogram(name: "method", scope: !71, file: !4, line: 2, type: !6, spFlags: 0)
!77 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "Base", file: !4, size: 64, flags: DIFlagFwdDecl)
!78 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)

; Twelve pointers to a float.
!80 = !DILocalVariable(name: "chain", scope: !11, file: !4, line: 14, type: !81)
!81 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !82, size: 64)
!82 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !83, size: 64)
!83 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !84, size: 64)
!84 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !85, size: 64)
!85 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !86, size: 64)
!86 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !87, size: 64)
!87 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !88, size: 64)
!88 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !89, size: 64)
!89 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !90, size: 64)
!90 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !91, size: 64)
!91 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !92, size: 64)
!92 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !30, size: 64)
