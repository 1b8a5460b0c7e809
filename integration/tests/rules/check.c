/* Compares the derivatives that the plugin wrote with finite differences of independent references. */
#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

extern const struct test tests[];
extern const int test_count;

int significand_digits;

static int mismatches;

static void mismatch(const struct test *test, const struct point *at, const char *what, ...) {
    mismatches++;
    printf("MISMATCH %s at", test->name);
    for (int i = 0; i < test->floats; i++) printf("%s%.6Lg", i ? ", " : " (", at->x[i]);
    printf("; %ld, %ld): ", at->n[0], at->n[1]);
    va_list arguments;
    va_start(arguments, what);
    vprintf(what, arguments);
    va_end(arguments);
    printf("\n");
}

static number expected_value(const struct test *test, const number *x, const long *n) {
    number r[MOST_RESULTS] = {0};
    long m[MOST_RESULTS] = {0};
    test->reference(x, n, r, m);
    switch (test->tested) {
    case FLOAT_RESULT: return r[test->result];
    case SCALED_INTEGER: return x[0] * m[test->result];
    case SCALED_TRUTH: return x[0] * (m[test->result] ? 2 : 1);
    case SCALED_NAN: return x[0] * (isnan(r[test->result]) ? 3 : 2);
    }
    return NAN;
}

static number central_difference(const struct test *test, const struct point *at, int operand, number step) {
    struct point low = *at, high = *at;
    low.x[operand] -= step;
    high.x[operand] += step;
    number width = high.x[operand] - low.x[operand];
    return (expected_value(test, high.x, high.n) - expected_value(test, low.x, low.n)) / width;
}

/* Ridders' method: differences with shrinking steps, extrapolated; the estimate that changes least wins. */
static number extrapolated_difference(const struct test *test, const struct point *at, int operand, number step,
                                      number *error) {
    enum { ROUNDS = 10 };
    const number shrink = 1.5L;
    number table[ROUNDS][ROUNDS], best = NAN;
    *error = INFINITY;
    for (int column = 0; column < ROUNDS; column++, step /= shrink) {
        table[0][column] = central_difference(test, at, operand, step);
        number factor = shrink * shrink;
        for (int row = 1; row <= column; row++, factor *= shrink * shrink) {
            table[row][column] = (table[row - 1][column] * factor - table[row - 1][column - 1]) / (factor - 1);
            number from_left = fabsl(table[row][column] - table[row - 1][column]);
            number from_above = fabsl(table[row][column] - table[row - 1][column - 1]);
            number change = fmaxl(from_left, from_above);
            if (change < *error) {
                *error = change;
                best = table[row][column];
            }
        }
    }
    return best;
}

/* The derivative of the reference, from whichever first step serves best. */
static number difference(const struct test *test, const struct point *at, int operand, number *error) {
    number best = NAN, scale = fmaxl(fabsl(at->x[operand]), 0.25L);
    *error = INFINITY;
    for (number step = 0.25L * scale; step > 1e-4L * scale; step /= 8) {
        number error_here, here = extrapolated_difference(test, at, operand, step, &error_here);
        if (error_here < *error) {
            *error = error_here;
            best = here;
        }
    }
    return best;
}

static int near(number found, number expected, number tolerance) {
    if (isnan(expected)) return isnan(found);
    if (isinf(expected)) return found == expected;
    return fabsl(found - expected) <= tolerance * fmaxl(fabsl(expected), 1.0L / 16);
}

static number along(const struct test *test, const struct point *at, int operand) {
    number direction[MOST_FLOATS] = {0};
    direction[operand] = 1;
    return test->forward(at->x, direction, at->n);
}

static void check_point(const struct test *test, const struct point *at) {
    number value = test->value(at->x, at->n), expected = expected_value(test, at->x, at->n);
    if (!near(value, expected, test->tolerance)) {
        mismatch(test, at, "the value is %.18Lg, expected %.18Lg", value, expected);
        return;
    }
    number gradient[MOST_FLOATS] = {0}, direction[MOST_FLOATS] = {0}, sum = 0, size = 0;
    test->reverse(at->x, at->n, gradient);
    for (int operand = 0; operand < test->floats; operand++) {
        number error, partial = difference(test, at, operand, &error);
        if (!near(partial + error, partial, test->tolerance / 2)) {
            mismatch(test, at, "the reference is no good: d/dx%d is %.18Lg +- %.2Lg", operand, partial, error);
            continue;
        }
        number forward = along(test, at, operand), reverse = gradient[operand];
        if (!near(forward, partial, test->tolerance))
            mismatch(test, at, "forward d/dx%d is %.18Lg, expected %.18Lg", operand, forward, partial);
        if (!near(reverse, partial, test->tolerance))
            mismatch(test, at, "reverse d/dx%d is %.18Lg, expected %.18Lg", operand, reverse, partial);
        if (!near(reverse, forward, ldexpl(32, -test->digits)))
            mismatch(test, at, "d/dx%d differs: forward %.18Lg, reverse %.18Lg", operand, forward, reverse);
        direction[operand] = operand + 1;
        sum += forward * (operand + 1);
        size += fabsl(forward) * (operand + 1);
    }
    number mixed = test->forward(at->x, direction, at->n);
    if (!near(mixed - sum + size, size, ldexpl(64, -test->digits)))
        mismatch(test, at, "along (1, 2, ...) forward is %.18Lg, expected %.18Lg", mixed, sum);
}

static void check_edge(const struct test *test, const struct edge *edge) {
    number gradient[MOST_FLOATS] = {0};
    int all_finite = 1;
    test->reverse(edge->at.x, edge->at.n, gradient);
    for (int operand = 0; operand < test->floats; operand++) {
        number expected = edge->partials[operand];
        all_finite &= isfinite(expected) != 0;
        if (!near(gradient[operand], expected, test->tolerance))
            mismatch(test, &edge->at, "reverse d/dx%d at the edge is %.18Lg, expected %.18Lg", operand,
                     gradient[operand], expected);
    }
    /* Forward mode adds 0 * infinity for the operands that stand still. */
    for (int operand = 0; operand < test->floats && (all_finite || test->floats == 1); operand++) {
        number forward = along(test, &edge->at, operand), expected = edge->partials[operand];
        if (!near(forward, expected, test->tolerance))
            mismatch(test, &edge->at, "forward d/dx%d at the edge is %.18Lg, expected %.18Lg", operand, forward,
                     expected);
    }
}

int main(void) {
    int points = 0, edges = 0;
    for (const struct test *test = tests; test < tests + test_count; test++) {
        significand_digits = test->digits;
        for (int i = 0; i < test->points; i++) check_point(test, &test->point[i]);
        for (int i = 0; i < test->edges; i++) check_edge(test, &test->edge[i]);
        points += test->points;
        edges += test->edges;
    }
    printf("COVERED %d functions, %d points, %d edges, %d mismatches\n", test_count, points, edges, mismatches);
    return mismatches != 0;
}
