// Reverse mode in all its forms: combined and in two calls, with the tape on the heap and in the test's own memory, for one
// direction and for several.
#ifndef MODES_H
#define MODES_H

#include "four.h"

extern int enzyme_allocated, enzyme_out, enzyme_tape;

typedef struct {
  double at[2];
} Twice;
typedef struct {
  double x, y;
} Partials;
typedef struct {
  double x[2], y[2];
} PartialsTwice;
typedef struct {
  void *tape;
  double value;
} Augmented;

void __enzyme_autodiff_arrays(void *, ...);
double __enzyme_autodiff_one(void *, ...);
Twice __enzyme_autodiff_twice(void *, ...);
Four __enzyme_autodiff_four(void *, ...);
Partials __enzyme_autodiff_partials(void *, ...);
PartialsTwice __enzyme_autodiff_partials_twice(void *, ...);

Augmented __enzyme_augmentfwd(void *, ...);
double __enzyme_augmentfwd_value(void *, ...);
void __enzyme_reverse_arrays(void *, ...);
double __enzyme_reverse_one(void *, ...);
Twice __enzyme_reverse_twice(void *, ...);
Partials __enzyme_reverse_partials(void *, ...);
PartialsTwice __enzyme_reverse_partials_twice(void *, ...);

// What the test itself gives for a tape, and how a call says so.
__attribute__((unused)) static char memory_for_tape[256];
#define OWN_MEMORY enzyme_allocated, sizeof memory_for_tape, enzyme_tape, memory_for_tape

// Compares `count` derivatives with `seed` times those wanted, and clears them for the next gradient.
__attribute__((unused)) static void compare_all(const char *file, int line, const char *mode, double *got,
                                                const double *wanted, int count, double seed) {
  for (int i = 0; i < count; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s: derivative %d", mode, i);
    compare(file, line, name, got[i], seed * wanted[i], 1e-12);
    got[i] = 0;
  }
}

#define COMPARE_ALL(mode, shadows, directions, wanted, seed)                                                           \
  for (int direction = 0; direction < directions; direction++)                                                         \
  compare_all(__FILE__, __LINE__, mode, shadows[direction], wanted, sizeof(wanted) / sizeof(double), seed)

// What `expect_gradients` hands to `arguments`, to make of four arrays as many shadows as there are directions.
#define ONE_OF(shadows) shadows[0]
#define TWO_OF(shadows) shadows[0], shadows[1]
#define FOUR_OF(shadows) shadows[0], shadows[1], shadows[2], shadows[3]

// Compares the gradient of `f` with the array `wanted`. `arguments(OF)` is what stands behind `f` in a call; in it
// `OF(shadows)` is where the gradient comes, `shadows` being four arrays of zeros.
#define expect_gradients(f, arguments, shadows, wanted)                                                                \
  do {                                                                                                                 \
    __enzyme_autodiff_arrays((void *)f, arguments(ONE_OF));                                                            \
    COMPARE_ALL("combined", shadows, 1, wanted, 1);                                                                    \
    __enzyme_autodiff_arrays((void *)f, enzyme_width, 2, arguments(TWO_OF));                                           \
    COMPARE_ALL("combined, two directions", shadows, 2, wanted, 1);                                                    \
    __enzyme_autodiff_arrays((void *)f, enzyme_width, 4, arguments(FOUR_OF));                                          \
    COMPARE_ALL("combined, four directions", shadows, 4, wanted, 1);                                                   \
    Augmented there = __enzyme_augmentfwd((void *)f, arguments(ONE_OF));                                               \
    __enzyme_reverse_arrays((void *)f, arguments(ONE_OF), 3.0, there.tape);                                            \
    COMPARE_ALL("two calls", shadows, 1, wanted, 3);                                                                   \
    there = __enzyme_augmentfwd((void *)f, enzyme_width, 2, arguments(TWO_OF));                                        \
    __enzyme_reverse_arrays((void *)f, enzyme_width, 2, arguments(TWO_OF), 3.0, there.tape);                           \
    COMPARE_ALL("two calls, two directions", shadows, 2, wanted, 3);                                                   \
    expect(__enzyme_augmentfwd_value((void *)f, OWN_MEMORY, arguments(ONE_OF)), there.value);                          \
    __enzyme_reverse_arrays((void *)f, OWN_MEMORY, arguments(ONE_OF), 0.5);                                            \
    COMPARE_ALL("two calls, own memory", shadows, 1, wanted, 0.5);                                                     \
  } while (0)

// Compares the derivative of `f` with respect to its only active argument. What follows `f` stands so in a call.
#define expect_derivatives(wanted, f, ...)                                                                             \
  do {                                                                                                                 \
    double slope = wanted;                                                                                             \
    expect_near(__enzyme_autodiff_one((void *)f, __VA_ARGS__), slope, 1e-12);                                          \
    Twice twice = __enzyme_autodiff_twice((void *)f, enzyme_width, 2, __VA_ARGS__);                                    \
    for (int direction = 0; direction < 2; direction++) expect_near(twice.at[direction], slope, 1e-12);                \
    Four four = __enzyme_autodiff_four((void *)f, enzyme_width, 4, __VA_ARGS__);                                       \
    for (int direction = 0; direction < 4; direction++) expect_near(four.at[direction], slope, 1e-12);                 \
    Augmented there = __enzyme_augmentfwd((void *)f, __VA_ARGS__);                                                     \
    expect_near(__enzyme_reverse_one((void *)f, __VA_ARGS__, 3.0, there.tape), 3 * slope, 1e-12);                      \
    there = __enzyme_augmentfwd((void *)f, enzyme_width, 2, __VA_ARGS__);                                              \
    twice = __enzyme_reverse_twice((void *)f, enzyme_width, 2, __VA_ARGS__, 3.0, there.tape);                          \
    for (int direction = 0; direction < 2; direction++) expect_near(twice.at[direction], 3 * slope, 1e-12);            \
    expect(__enzyme_augmentfwd_value((void *)f, OWN_MEMORY, __VA_ARGS__), there.value);                                \
    expect_near(__enzyme_reverse_one((void *)f, OWN_MEMORY, __VA_ARGS__, 0.5), 0.5 * slope, 1e-12);                    \
  } while (0)

// The same for both arguments of `f(x, y)`.
#define expect_partials(f, x_value, y_value, by_x, by_y)                                                               \
  do {                                                                                                                 \
    double at_x = x_value, at_y = y_value, dx = by_x, dy = by_y;                                                       \
    Partials both = __enzyme_autodiff_partials((void *)f, at_x, at_y);                                                 \
    expect(both.x, dx);                                                                                                \
    expect(both.y, dy);                                                                                                \
    PartialsTwice twice = __enzyme_autodiff_partials_twice((void *)f, enzyme_width, 2, at_x, at_y);                    \
    for (int direction = 0; direction < 2; direction++) expect(twice.x[direction], dx);                                \
    for (int direction = 0; direction < 2; direction++) expect(twice.y[direction], dy);                                \
    Augmented there = __enzyme_augmentfwd((void *)f, at_x, at_y);                                                      \
    both = __enzyme_reverse_partials((void *)f, at_x, at_y, 3.0, there.tape);                                          \
    expect(both.x, 3 * dx);                                                                                            \
    expect(both.y, 3 * dy);                                                                                            \
    there = __enzyme_augmentfwd((void *)f, enzyme_width, 2, at_x, at_y);                                               \
    twice = __enzyme_reverse_partials_twice((void *)f, enzyme_width, 2, at_x, at_y, 3.0, there.tape);                  \
    for (int direction = 0; direction < 2; direction++) expect(twice.x[direction], 3 * dx);                            \
    for (int direction = 0; direction < 2; direction++) expect(twice.y[direction], 3 * dy);                            \
  } while (0)

#endif
