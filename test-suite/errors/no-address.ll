; An entry point in a table, and as an argument of another function.

; RUN: %not %opt %loadEnzyme %enzyme -S %s 2>&1 | %FileCheck %s --implicit-check-not=PLEASE

; CHECK: error: {{.*}}`__enzyme_fwddiff` can only be called; it has no address
; CHECK-NEXT: help: call it directly, with the function to differentiate as its first argument

@table = global [1 x ptr] [ptr @__enzyme_fwddiff]

declare double @__enzyme_fwddiff(ptr, ...)
