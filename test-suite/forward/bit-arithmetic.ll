; Signs of some elements of a vector, flipped, cleared and set through integers.

; REQUIRES: lli
; RUN: %opt %loadEnzyme %enzyme -S %s -o %t && %lli %t
; RUN: %opt %loadEnzyme -passes="enzyme,default<O2>" -S %s -o %t && %lli %t

declare <2 x double> @__enzyme_fwddiff(...)
declare [2 x <2 x double>] @__enzyme_fwddiff_two(...)
@enzyme_width = external global i32

define <2 x double> @flip_first(<2 x double> %x) {
  %bits = bitcast <2 x double> %x to <2 x i64>
  %flipped = xor <2 x i64> %bits, <i64 -9223372036854775808, i64 0>
  %y = bitcast <2 x i64> %flipped to <2 x double>
  ret <2 x double> %y
}

define <2 x double> @clear_second(<2 x double> %x) {
  %bits = bitcast <2 x double> %x to <2 x i64>
  %cleared = and <2 x i64> %bits, <i64 -1, i64 9223372036854775807>
  %y = bitcast <2 x i64> %cleared to <2 x double>
  ret <2 x double> %y
}

define i32 @is_not(<2 x double> %got, <2 x double> %wanted) {
  %same = fcmp oeq <2 x double> %got, %wanted
  %first = extractelement <2 x i1> %same, i32 0
  %second = extractelement <2 x i1> %same, i32 1
  %both = and i1 %first, %second
  %wrong = xor i1 %both, true
  %result = zext i1 %wrong to i32
  ret i32 %result
}

define i32 @main() {
  %a = call <2 x double> (...) @__enzyme_fwddiff(ptr @flip_first, <2 x double> <double 3.0, double 4.0>, <2 x double> <double 5.0, double 7.0>)
  %a.wrong = call i32 @is_not(<2 x double> %a, <2 x double> <double -5.0, double 7.0>)
  %b = call <2 x double> (...) @__enzyme_fwddiff(ptr @clear_second, <2 x double> <double -3.0, double -4.0>, <2 x double> <double 5.0, double 7.0>)
  %b.wrong = call i32 @is_not(<2 x double> %b, <2 x double> <double 5.0, double -7.0>)
  %width = load i32, ptr @enzyme_width
  %c = call [2 x <2 x double>] (...) @__enzyme_fwddiff_two(ptr @clear_second, i32 %width, i32 2, <2 x double> <double -3.0, double 4.0>, <2 x double> <double 5.0, double 7.0>, <2 x double> <double 2.0, double 1.0>)
  %c.first = extractvalue [2 x <2 x double>] %c, 0
  %c.second = extractvalue [2 x <2 x double>] %c, 1
  %c.first.wrong = call i32 @is_not(<2 x double> %c.first, <2 x double> <double 5.0, double 7.0>)
  %c.second.wrong = call i32 @is_not(<2 x double> %c.second, <2 x double> <double 2.0, double 1.0>)
  %ab = or i32 %a.wrong, %b.wrong
  %cc = or i32 %c.first.wrong, %c.second.wrong
  %abcc = or i32 %ab, %cc
  ret i32 %abcc
}
