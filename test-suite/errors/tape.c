// What is wrong about the tape of a derivative in two calls.

// REQUIRES: clang
// DEFINE: %{compile} = %not %clang %clangEnzyme -g -c %s -o %t.o
// DEFINE: %{check} = %FileCheck %s --implicit-check-not=PLEASE
// RUN: %{compile} -O0 2>&1 | %{check}
// RUN: %{compile} -O2 2>&1 | %{check}
// RUN: %{compile} -O1 -DBYTES 2>&1 | %FileCheck %s --check-prefix=BYTES

extern int enzyme_dup, enzyme_tape, enzyme_allocated;

double sin(double);
void __enzyme_reverse(void *, ...);
double __enzyme_autodiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_fwdsplit(void *, ...);

static void f(double *x) { x[0] = sin(x[0]); }
static double g(double x) { return x * x; }
static double h(double x) { return x + x; }

#ifdef BYTES
void too_small(double *x, double *shadow, void *memory) {
  // BYTES: tape.c:[[#@LINE+2]]:3: error: the memory for the tape of `f` has 1 bytes, and 8 are needed
  // BYTES: Enzyme: need 8 bytes have 1 bytes
  __enzyme_reverse((void *)f, x, shadow, enzyme_allocated, 1, enzyme_tape, memory);
}

void unknown_size(double *x, double *shadow, void *memory, int bytes) {
  // BYTES: tape.c:[[#@LINE+1]]:3: error: the number after `enzyme_allocated` is not known before the program runs
  __enzyme_reverse((void *)f, x, shadow, enzyme_allocated, bytes, enzyme_tape, memory);
}
#else
void missing(double *x, double *shadow) {
  // CHECK-DAG: tape.c:[[#@LINE+1]]:3: error: in the call of `__enzyme_reverse`: the tape is missing
  __enzyme_reverse((void *)f, x, shadow);
}

void without_size(double *x, double *shadow, void *memory) {
  // CHECK-DAG: tape.c:[[#@LINE+1]]:3: error: in the call of `__enzyme_reverse`: `enzyme_tape` without `enzyme_allocated`
  __enzyme_reverse((void *)f, x, shadow, enzyme_tape, memory);
}

double elsewhere(double x, void *memory) {
  // CHECK-DAG: tape.c:[[#@LINE+1]]:10: error: in the call of `__enzyme_autodiff`: the marker `enzyme_tape` is for `__enzyme_augmentfwd` and `__enzyme_reverse`
  return __enzyme_autodiff((void *)g, x, enzyme_tape, memory);
}

// CHECK-DAG: error: it is not known whether this tape of `h` is for `__enzyme_reverse` or for `__enzyme_fwdsplit`
void *for_which(double x) { return __enzyme_augmentfwd((void *)h, x); }
double forwards(double x, void *tape) { return __enzyme_fwdsplit((void *)h, x, 1.0, tape); }
void backwards(double x, void *tape) { __enzyme_reverse((void *)h, x, 1.0, tape); }
#endif
