declare void @llvm.assume(i1)
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)

define double @marked(ptr %p, double %y) !enzyme_truncate !4 {
  %x = load double, ptr %p, align 8, !tbaa !0, !noundef !9
  %old = load ptr, ptr %p, align 8, !tbaa !5, !dereferenceable !7, !enzyme_inactive !9
  %sum = call double @llvm.experimental.constrained.fadd.f64(double %x, double %y, metadata !"round.dynamic", metadata !"fpexcept.strict")
  br label %loop

loop:                                             ; preds = %loop, %0
  %again = fcmp olt double %x, %y
  br i1 %again, label %loop, label %done, !llvm.loop !10

done:                                             ; preds = %loop
  ret double %sum
}

!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
!4 = !{!"kept"}
!5 = !{!6, !6, i64 0}
!6 = !{!"any pointer", !2, i64 0}
!7 = !{i64 8}
!9 = !{}
!10 = distinct !{!10, !11, null}
!11 = !{!"llvm.loop.mustprogress"}
