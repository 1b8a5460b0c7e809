// What is read from a file, a stream or a text into memory with a shadow carries no derivative: the shadow of just the
// bytes that were written is cleared, in both modes.

// REQUIRES: clang, lld
// DEFINE: %{compile} = %clang %clangEnzyme %s -lm -o %t
// RUN: %{compile} -O0 && %t
// RUN: %{compile} -O1 && %t
// RUN: %{compile} -O2 && %t
// RUN: %{compile} -O3 && %t
// RUN: %{compile} -O2 -D_FORTIFY_SOURCE=2 && %t
// RUN: %clang -O2 %s %lldEnzyme -lm -o %t && %t

#include "../Inputs/check.h"
#include <string.h>
#include <unistd.h>

double __enzyme_fwddiff(void *, ...);
double __enzyme_autodiff(void *, ...);
typedef struct {
  double at[4];
} four;
four __enzyme_fwddiff_four(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_width, enzyme_runtime_activity;

// Numbered from the end of what is read.
typedef struct {
  double value;
  float other;
  int count;
  long double large;
} record;

static double weights(const record *r) {
  return 3 * r->value + 5 * r->other + 7 * (double)r->large + r->count;
}

static double scanned(record *r, const char *text) {
  r->value *= 2;
  int fields = sscanf(text, "%d%% %lf %*f %f %[^,],%Lf", &r->count, &r->value, &r->other, (char[8]){0}, &r->large);
  return weights(r) + fields;
}

static double file_of_numbers(double *x, FILE *file) {
  for (int i = 0; i < 4; i++) x[i] *= i + 2;
  rewind(file);
  // There are three and a half numbers in the file.
  size_t count = fread(x + 1, sizeof(double), 5, file);
  return x[0] + 10 * x[1] + 100 * x[2] + 1000 * x[3] + (double)count;
}

static double channel_of_numbers(double *x, int in, int wanted) {
  for (int i = 0; i < 4; i++) x[i] *= i + 2;
  long count = read(in, x, wanted * sizeof(double));
  return x[0] + 10 * x[1] + 100 * x[2] + 1000 * x[3] + (double)count;
}

// What is read is used together with what is not.
__attribute__((noinline)) static void scale(double *x, const char *text) { sscanf(text, "%lf", x); }
static double in_a_callee(double x, const char *text) {
  double local[2] = {x * x, x};
  scale(local, text);
  return local[0] * local[1] + local[0];
}

static void texts(void) {
  struct {
    const char *text;
    int fields;
  } cases[] = {{"4% 1.5 9 2.5 ab,8", 5}, {"4% 1.5 9 2.5 ab", 4}, {"4% 1.5 9 x", 2}, {"4% x", 1}, {"x", 0}};
  for (int i = 0; i < 5; i++) {
    int fields = cases[i].fields;
    record r = {1, 2, 3, 4}, tangent = {1, 1, 0, 1};
    double value = fields > 1 ? 0 : 6, other = fields > 2 ? 0 : 5, large = fields > 4 ? 0 : 7;
    expect(__enzyme_fwddiff((void *)scanned, enzyme_dup, &r, &tangent, enzyme_const, cases[i].text),
           value + other + large);
    expect(tangent.value, value / 3);
    expect(tangent.other, other / 5);

    record again = {1, 2, 3, 4}, adjoint = {0};
    __enzyme_autodiff((void *)scanned, enzyme_dup, &again, &adjoint, enzyme_const, cases[i].text);
    expect(adjoint.value, value);
    expect(adjoint.other, other);
    expect(adjoint.large, large);
  }
  expect(__enzyme_fwddiff((void *)in_a_callee, 3.0, 1.0, enzyme_const, "5"), 5);
  expect(__enzyme_fwddiff((void *)in_a_callee, 3.0, 1.0, enzyme_const, "none"), 3 * 9 + 6);
  expect(__enzyme_autodiff((void *)in_a_callee, 3.0, enzyme_const, "5"), 5);
  expect(__enzyme_autodiff((void *)in_a_callee, 3.0, enzyme_const, "none"), 3 * 9 + 6);
}

static void files(void) {
  FILE *file = tmpfile();
  double numbers[4] = {1, 2, 3, 4};
  fwrite(numbers, 1, 3 * sizeof(double) + 4, file);
  double x[8] = {1, 1, 1, 1}, tangents[8] = {1, 1, 1, 1};
  expect(__enzyme_fwddiff((void *)file_of_numbers, enzyme_dup, x, tangents, enzyme_const, file), 2);
  double y[8] = {1, 1, 1, 1}, adjoints[8] = {0};
  __enzyme_autodiff((void *)file_of_numbers, enzyme_dup, y, adjoints, enzyme_const, file);
  expect(adjoints[0], 2);
  for (int i = 1; i < 4; i++) expect(adjoints[i], 0);

  double z[8] = {1, 1, 1, 1}, many[4][8];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++) many[i][j] = i + 1;
  four d = __enzyme_fwddiff_four((void *)file_of_numbers, enzyme_width, 4, enzyme_dup, z, many[0], many[1], many[2],
                                 many[3], enzyme_const, file);
  for (int i = 0; i < 4; i++) expect(d.at[i], 2 * (i + 1));

  // Memory that is its own shadow is left as it was read.
  double own[8] = {1, 1, 1, 1};
  expect(__enzyme_fwddiff((void *)file_of_numbers, enzyme_runtime_activity, enzyme_dup, own, own, enzyme_const, file), 0);
  for (int i = 0; i < 3; i++) expect(own[i + 1], i + 1);
  fclose(file);
}

static void channels(void) {
  int ends[2];
  double numbers[2] = {5, 6};
  expect(pipe(ends), 0);
  for (int mode = 0; mode < 2; mode++) {
    expect(write(ends[1], numbers, sizeof numbers), sizeof numbers);
    double x[4] = {1, 1, 1, 1}, shadow[4] = {!mode, !mode, !mode, !mode};
    if (mode == 0) {
      expect(__enzyme_fwddiff((void *)channel_of_numbers, enzyme_dup, x, shadow, enzyme_const, ends[0], 4), 5400);
    } else {
      __enzyme_autodiff((void *)channel_of_numbers, enzyme_dup, x, shadow, enzyme_const, ends[0], 4);
      double wanted[4] = {0, 0, 400, 5000};
      for (int i = 0; i < 4; i++) expect(shadow[i], wanted[i]);
    }
  }
  // Nothing is read where reading fails.
  double x[4] = {1, 1, 1, 1}, tangents[4] = {1, 1, 1, 1};
  expect(__enzyme_fwddiff((void *)channel_of_numbers, enzyme_dup, x, tangents, enzyme_const, -1, 4), 5432);
  close(ends[0]);
  close(ends[1]);
}

int main(void) {
  texts();
  files();
  channels();
  return result_of_test();
}
