; x to the power of n, by a loop.
define double @power(double %x, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = phi double [ 1.000000e+00, %entry ], [ %product, %loop ]
  %product = fmul double %p, %x
  %next = add nuw i64 %i, 1
  %goes_on = icmp ult i64 %next, %n
  br i1 %goes_on, label %loop, label %exit

exit:
  ret double %product
}

; What it calls is nowhere defined.
define double @mysterious(double %x) {
  %y = call double @mystery(double %x)
  ret double %y
}

declare double @mystery(double)
