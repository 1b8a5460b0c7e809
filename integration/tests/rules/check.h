/* What a generated program hands to check.c: the functions under test, and where to test them. */
#ifndef CHECK_H
#define CHECK_H

enum { MOST_FLOATS = 5, MOST_INTEGERS = 2, MOST_RESULTS = 2 };

/* Every type's numbers travel as this one. */
typedef long double number;

/* A function of floats x and integers n, with floating-point results r and integer results m. */
typedef void reference_function(const number *x, const long *n, number *r, long *m);

/* What of a function's results is made the number that is differentiated. */
enum tested {
    FLOAT_RESULT,   /* r[result] */
    SCALED_INTEGER, /* x[0] * m[result] */
    SCALED_TRUTH,   /* x[0] * (m[result] ? 2 : 1) */
    SCALED_NAN      /* x[0] * (r[result] is a NaN ? 3 : 2) */
};

struct point {
    number x[MOST_FLOATS];
    long n[MOST_INTEGERS];
};

/* A point where the rulebook, not the limit of a difference, says what the partials are. */
struct edge {
    struct point at;
    number partials[MOST_FLOATS];
};

struct test {
    const char *name;
    reference_function *reference;
    enum tested tested;
    int result;
    int floats;
    int digits; /* bits of the type's significand */
    number tolerance;
    int points;
    const struct point *point;
    int edges;
    const struct edge *edge;
    number (*value)(const number *x, const long *n);
    number (*forward)(const number *x, const number *dx, const long *n);
    void (*reverse)(const number *x, const long *n, number *gradient);
};

/* Bits of the significand of the type under test, for the functions whose value depends on it. */
extern int significand_digits;

#endif
