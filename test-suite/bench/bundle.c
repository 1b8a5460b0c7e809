// Bundle adjustment: where cameras see points, less where they were seen.
//
// A camera turns a point by an axis and angle (Rodrigues), projects it, and distorts it by two radial coefficients.

#include "bench.h"
#include <math.h>

enum { CAMERAS = 4, POINTS = 20, SIGHTS = CAMERAS * POINTS };

typedef struct {
  double rotation[3], centre[3], focal_length, principal[2], radial[2];
} Camera;
typedef struct {
  Camera camera[CAMERAS];
  double point[POINTS][3];
  double weight[SIGHTS];
} Inputs;
typedef struct {
  int camera[SIGHTS], point[SIGHTS];
  double seen[SIGHTS][2];
} Data;
typedef struct {
  double projection[SIGHTS][2], weight[SIGHTS];
} Outputs;

static void cross(const double *a, const double *b, double *product) {
  product[0] = a[1] * b[2] - a[2] * b[1];
  product[1] = a[2] * b[0] - a[0] * b[2];
  product[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void rotate(const double *rotation, const double *point, double *turned) {
  double squared = dot(rotation, rotation);
  double product[3];
  if (squared == 0) {
    cross(rotation, point, product);
    for (int i = 0; i < 3; i++) turned[i] = point[i] + product[i];
    return;
  }
  double angle = sqrt(squared), axis[3];
  for (int i = 0; i < 3; i++) axis[i] = rotation[i] / angle;
  double cosine = cos(angle), sine = sin(angle);
  cross(axis, point, product);
  double along = dot(axis, point) * (1 - cosine);
  for (int i = 0; i < 3; i++) turned[i] = point[i] * cosine + product[i] * sine + axis[i] * along;
}

static void project(const Camera *camera, const double *point, double *projected) {
  double moved[3], turned[3];
  for (int i = 0; i < 3; i++) moved[i] = point[i] - camera->centre[i];
  rotate(camera->rotation, moved, turned);
  double x = turned[0] / turned[2], y = turned[1] / turned[2];
  double radius = x * x + y * y;
  double distortion = 1 + camera->radial[0] * radius + camera->radial[1] * radius * radius;
  projected[0] = x * distortion * camera->focal_length + camera->principal[0];
  projected[1] = y * distortion * camera->focal_length + camera->principal[1];
}

static void residuals(const Inputs *in, const Data *data, Outputs *out) {
  for (int i = 0; i < SIGHTS; i++) {
    double weight = in->weight[i], projected[2];
    project(&in->camera[data->camera[i]], in->point[data->point[i]], projected);
    out->projection[i][0] = weight * (projected[0] - data->seen[i][0]);
    out->projection[i][1] = weight * (projected[1] - data->seen[i][1]);
    out->weight[i] = 1 - weight * weight;
  }
}

static void fill(Inputs *in, Data *data) {
  for (int c = 0; c < CAMERAS; c++) {
    Camera *camera = &in->camera[c];
    for (int i = 0; i < 3; i++) {
      camera->rotation[i] = 0.4 * next_number();
      camera->centre[i] = next_number();
    }
    camera->focal_length = 1.5 + 0.2 * next_number();
    for (int i = 0; i < 2; i++) {
      camera->principal[i] = 0.1 * next_number();
      camera->radial[i] = 0.05 * next_number();
    }
  }
  for (int p = 0; p < POINTS; p++) {
    for (int i = 0; i < 2; i++) in->point[p][i] = 2 * next_number();
    in->point[p][2] = 6 + next_number();
  }
  for (int i = 0; i < SIGHTS; i++) {
    in->weight[i] = 1 + 0.3 * next_number();
    data->camera[i] = i % CAMERAS;
    data->point[i] = i / CAMERAS;
    data->seen[i][0] = next_number();
    data->seen[i][1] = next_number();
  }
}

PROGRAM("bundle", residuals, fill, Inputs, Data, Outputs)
