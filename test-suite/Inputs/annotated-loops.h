// Loops that `annotated-loops.c` differentiates with and without annotations: included twice, where CHECKPOINT is an annotation
// or nothing, and NAME gives the functions their names.

enum { NAME(size) = 5 };

static double NAME(pendulum)(const double *p, int n) {
  double x = p[0], v = p[1];
  for (int i = 0; i < n; i++) {
    CHECKPOINT("binomial", 20);
    count_step();
    double a = -sin(x) * p[2] + 1e-6 * i;
    v += 1e-3 * a;
    x += 1e-3 * v;
  }
  return x * x + v;
}

// How many iterations there are shows only when they run.
static double NAME(until_close)(const double *p, int n) {
  double x = p[0], change = 1;
  int runs = 0;
  while (fabs(change) > 1e-9 && runs < n) {
    CHECKPOINT("binomial", 3);
    count_step();
    change = (p[1] / x - x) * 0.25;
    x += change;
    runs++;
  }
  return x + 0.125 * runs * x;
}

static double NAME(at_least_once)(const double *p, int n) {
  double x = p[0];
  int left = n;
  do {
    CHECKPOINT("periodic", 2);
    count_step();
    x = x * cos(x) + p[1];
  } while (--left > 0);
  return x;
}

// Left in the middle of an iteration, with what that has computed so far.
static double NAME(stops)(const double *p, int n) {
  double x = p[0], last = 0;
  int i;
  for (i = 0; i < n; i++) {
    CHECKPOINT("binomial", 2);
    count_step();
    double y = x * p[1];
    last = y * y;
    if (y > 3) break;
    x = y + 0.01 * i;
  }
  return x * last + i;
}

// Left by two ways more, one of them out of the function; and some iterations end early.
static double NAME(several_ways)(const double *p, int n) {
  double x = p[0], y = p[1];
  for (int i = 0; i < n; i++) {
    CHECKPOINT("binomial", 4);
    count_step();
    if (i % 3 == 1) {
      y -= 0.0625 * x;
      continue;
    }
    x *= 1 + 0.125 * y;
    if (x > 4) return x * y;
    y = sin(y + x);
    if (y < -0.9) {
      y *= p[2];
      break;
    }
  }
  return x + y;
}

// The condition stands in the middle.
static double NAME(endless)(const double *p, int n) {
  double x = p[0];
  int i = 0;
  for (;;) {
    CHECKPOINT("store_all", 0);
    count_step();
    double y = x * x;
    if (i == n || y > 100) return y;
    x = 0.5 * y + p[1] * x;
    i++;
  }
}

// Carried: numbers of several kinds, one of which does not change by the same amount each time, and one that swaps.
static double NAME(carried)(const double *p, int n) {
  float single = (float)p[0];
  double one = p[1], other = p[2];
  unsigned char bits = 1;
  unsigned long long power = 1;
  int is_odd = 0;
  for (int i = n; i > 0; i--) {
    CHECKPOINT("binomial", 3);
    count_step();
    double kept = one;
    one = other * (is_odd ? 0.75 : 1.25) + 0.01 * bits;
    other = sin(kept) + (double)(power % 7) * 0.01;
    single += (float)(one * 0.5);
    bits = (unsigned char)(bits * 3 + 1);
    power *= 5;
    is_odd = !is_odd;
  }
  return (double)single * one + other * bits;
}

// Arrays and structs in the frame, one of them written only behind an index.
static double NAME(arrays)(const double *p, int n) {
  struct {
    double x[NAME(size)], weight;
    int sign;
  } now;
  double history[3] = {0, 0, 0};
  for (int k = 0; k < NAME(size); k++) now.x[k] = p[k % 3] + k;
  now.weight = p[2];
  now.sign = 1;
  for (int i = 0; i < n; i++) {
    CHECKPOINT("binomial", 3);
    count_step();
    double next[NAME(size)];
    for (int k = 0; k < NAME(size); k++) next[k] = now.x[k] + 0.01 * now.sign * sin(now.x[(k + 1) % NAME(size)]) * now.weight;
    for (int k = 0; k < NAME(size); k++) now.x[k] = next[k];
    history[i % 3] += next[i % NAME(size)] * next[0];
    now.weight *= 1 + 0.01 * history[(i + 1) % 3];
    now.sign = -now.sign;
  }
  double sum = history[0] + 2 * history[1] + 3 * history[2];
  for (int k = 0; k < NAME(size); k++) sum += now.x[k] * now.x[k];
  return sum;
}

// Memory that the function allocates, and memory that it was given and names.
static double NAME(memory)(const double *p, int n) {
  double *u = (double *)malloc(NAME(size) * sizeof(double));
  double *sums = (double *)calloc(2, sizeof(double));
  for (int k = 0; k < NAME(size); k++) u[k] = p[k % 3] * (k + 1);
  for (int i = 0; i < n; i++) {
    CHECKPOINT("binomial", 4);
    count_step();
    for (int k = 1; k < NAME(size); k++) u[k] += 0.05 * (u[k - 1] - u[k]) * u[k];
    u[0] *= 0.99;
    sums[i & 1] += u[NAME(size) - 1];
  }
  double result = sums[0] * sums[1] + u[2];
  free(sums);
  free(u);
  return result;
}

static double NAME(given)(const double *p, int n) {
  double u[4] = {p[0], p[1], p[2], 1};
  return NAME(advance)(u, n, n) + u[3];
}

// Variables of the program.
static double NAME(variables)(const double *p, int n) {
  energy = 0;
  double x = p[0];
  for (int i = 0; i < n; i++) {
    CHECKPOINT("binomial", 2);
    count_step();
    x += 0.1 * sin(x) * p[1];
    energy += x * x * energy + 0.01;
  }
  return energy + x;
}

// An annotated loop in another one, and one that has no annotation between.
static double NAME(nested)(const double *p, int n) {
  double x = p[0], y = p[1];
  for (int i = 0; i < n; i++) {
    CHECKPOINT("binomial", 2);
    double z = y;
    for (int j = 0; j < i % 4; j++) {
      y *= 1.01;
      for (int k = 0; k < 5; k++) {
        CHECKPOINT("binomial", 1);
        count_step();
        z = sin(z) + 0.1 * x;
        if (z > 2) break;
      }
    }
    x = 0.9 * x + 0.1 * z * y;
  }
  return x * y;
}

// Pointers that advance by the same amount each time.
static double NAME(advancing)(const double *p, int n) {
  double values[64], x = p[0];
  for (int k = 0; k < 64; k++) values[k] = p[1] + 0.01 * k;
  const double *from = values;
  for (double *to = values + 63; from < to && n-- > 0; from++, to -= 2) {
    CHECKPOINT("binomial", 3);
    count_step();
    x = x * *from + sin(*to);
    *to += x;
  }
  return x + values[61];
}

// Both loops are annotated, and what the first one leaves goes into the second.
static double NAME(one_after_another)(const double *p, int n) {
  double x = p[0];
  for (int i = 0; i < n; i++) {
    // What the steps only read may be overwritten when they run again, for all that is known of functions without a derivative.
    CHECKPOINT("binomial", 2, ENZYME_REGION(p, 3 * sizeof *p));
    count_step();
    x = sin(x) + p[1];
  }
  double y = x;
  for (int i = 0; i < n; i += 2) {
    CHECKPOINT("revolve", 2);
    count_step();
    y = cos(y) * x;
  }
  return x * y;
}

// A number of iterations that is known to the compiler.
static double NAME(known_count)(const double *p, int n) {
  double x = p[0];
  const double slope = p[1];
  for (int i = 0; i < 8; i++) {
    CHECKPOINT("binomial", 2);
    count_step();
    x = sin(x) + slope * n;
  }
  for (int i = 0; i < 1; i++) {
    CHECKPOINT("binomial", 2);
    count_step();
    x = sin(x) * p[2];
  }
  return x;
}
