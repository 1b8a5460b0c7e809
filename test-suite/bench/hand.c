// A hand: how far points on five fingers, chains of joints that are turned by angles, are from where they were seen.
//
// The wrist is placed and turned; each finger spreads at its root and bends at its joints. A bone's frame is its parent's,
// turned and then moved along.

#include "bench.h"
#include <math.h>

enum { FINGERS = 5, BONES = 3, POINTS = 12 };

typedef struct {
  double turn[3], place[3];
  // Of each finger the spread and a bend for each bone; then how much the palm arches, along and across.
  double finger[FINGERS][1 + BONES], arch[2];
} Inputs;
typedef struct {
  double root[FINGERS][3], length[FINGERS][BONES];
  // On each bone, in its own frame.
  double point[FINGERS][BONES][POINTS][3], seen[FINGERS][BONES][POINTS][3];
} Data;
typedef struct {
  double distance[FINGERS][BONES][POINTS][3];
} Outputs;

typedef struct {
  double turn[3][3], place[3];
} Frame;

// A turn about one of the axes.
static void axis_turn(int axis, double angle, double turn[3][3]) {
  double cosine = cos(angle), sine = sin(angle);
  int next = (axis + 1) % 3, last = (axis + 2) % 3;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) turn[row][column] = row == column;
  turn[next][next] = cosine;
  turn[next][last] = -sine;
  turn[last][next] = sine;
  turn[last][last] = cosine;
}

static void turned_by(double frame[3][3], int axis, double angle) {
  double turn[3][3], product[3][3];
  axis_turn(axis, angle, turn);
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) {
      product[row][column] = 0;
      for (int k = 0; k < 3; k++) product[row][column] += frame[row][k] * turn[k][column];
    }
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++) frame[row][column] = product[row][column];
}

// Where a point of a frame is in the world.
static void in_world(const Frame *frame, const double *point, double *world) {
  for (int row = 0; row < 3; row++) {
    world[row] = frame->place[row];
    for (int k = 0; k < 3; k++) world[row] += frame->turn[row][k] * point[k];
  }
}

static void move(Frame *frame, const double *by) {
  double place[3];
  in_world(frame, by, place);
  for (int i = 0; i < 3; i++) frame->place[i] = place[i];
}

static void distances(const Inputs *in, const Data *data, Outputs *out) {
  Frame wrist;
  for (int row = 0; row < 3; row++) {
    wrist.place[row] = in->place[row];
    for (int column = 0; column < 3; column++) wrist.turn[row][column] = row == column;
  }
  for (int axis = 0; axis < 3; axis++) turned_by(wrist.turn, axis, in->turn[axis]);
  for (int f = 0; f < FINGERS; f++) {
    Frame frame = wrist;
    double side = f - (FINGERS - 1) / 2.0;
    turned_by(frame.turn, 0, side * in->arch[0]);
    move(&frame, data->root[f]);
    turned_by(frame.turn, 2, in->finger[f][0] + side * in->arch[1]);
    for (int bone = 0; bone < BONES; bone++) {
      turned_by(frame.turn, 0, in->finger[f][1 + bone]);
      for (int p = 0; p < POINTS; p++) {
        double world[3];
        in_world(&frame, data->point[f][bone][p], world);
        for (int i = 0; i < 3; i++) out->distance[f][bone][p][i] = world[i] - data->seen[f][bone][p][i];
      }
      double along[3] = {0, data->length[f][bone], 0};
      move(&frame, along);
    }
  }
}

static void fill(Inputs *in, Data *data) {
  double *angle = (double *)in;
  for (unsigned i = 0; i < sizeof *in / sizeof(double); i++) angle[i] = 0.5 * next_number();
  double *number = (double *)data;
  for (unsigned i = 0; i < sizeof *data / sizeof(double); i++) number[i] = next_number();
}

PROGRAM("hand", distances, fill, Inputs, Data, Outputs)
