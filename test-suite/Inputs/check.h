// What executed tests share: compare numbers, print those that are wrong, and count them.
#ifndef CHECK_H
#define CHECK_H

#include <math.h>
#include <stdio.h>

static int wrong_numbers;

static void compare(const char *file, int line, const char *what, double got, double wanted, double tolerance) {
  double scale = fabs(wanted) > 1 ? fabs(wanted) : 1;
  if (fabs(got - wanted) <= tolerance * scale) return;
  printf("%s:%d: %s is %.17g instead of %.17g\n", file, line, what, got, wanted);
  wrong_numbers++;
}

// A double with nearly all of its digits.
#define expect(got, wanted) compare(__FILE__, __LINE__, #got, got, wanted, 1e-13)
// A float.
#define expect_float(got, wanted) compare(__FILE__, __LINE__, #got, got, wanted, 2e-6)
// Within a tolerance of the test's own.
#define expect_near(got, wanted, tolerance) compare(__FILE__, __LINE__, #got, got, wanted, tolerance)

// What `main` returns.
static int result_of_test(void) { return wrong_numbers != 0; }

#endif
