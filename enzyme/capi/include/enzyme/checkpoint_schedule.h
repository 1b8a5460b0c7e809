/* Checkpoint schedules: in which order the steps of a loop run, are stored, and are reversed, when only some states fit
 * into memory. A schedule only counts; enzyme/checkpoint.h has what carries it out.
 *
 *     EnzymeCkptSchedule schedule;
 *     EnzymeCkptAction action;
 *     enzyme_ckpt_schedule_begin(&schedule, ENZYME_CKPT_BINOMIAL, 10000, 20);
 *     do
 *       enzyme_ckpt_schedule_next(&schedule, &action);
 *     while (action.flag != ENZYME_CKPT_DONE);
 *     enzyme_ckpt_schedule_end(&schedule);
 *
 * The actions are those of Griewank and Walther's Algorithm 799 (ACM TOMS 26, 2000). Steps are counted from 0.
 */
#ifndef ENZYME_CHECKPOINT_SCHEDULE_H
#define ENZYME_CHECKPOINT_SCHEDULE_H

#include <stdint.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is to be done next: `flag` of an action. */
enum {
  ENZYME_CKPT_NONE = 0,
  /* Put the state, which is the one before step `iteration`, into slot `cpnum`. */
  ENZYME_CKPT_STORE = 1,
  /* Take the state before step `iteration` out of slot `cpnum`, which keeps it. */
  ENZYME_CKPT_RESTORE = 2,
  /* Run the steps `startiteration`, ..., `iteration` - 1. */
  ENZYME_CKPT_FORWARD = 3,
  /* Run the last step, `iteration` - 1, such that it can be reversed. Here the forward sweep ends; the reverse sweep
   * begins with the adjoint of this step. */
  ENZYME_CKPT_FIRSTUTURN = 4,
  /* Run step `iteration` - 1 such that it can be reversed, and reverse it. */
  ENZYME_CKPT_UTURN = 5,
  /* The scheme cannot go on. */
  ENZYME_CKPT_ERROR = 6,
  /* Every step has been reversed. Without any steps, this is the first action. */
  ENZYME_CKPT_DONE = 7
};

/* One action. What it does not use is of no meaning. */
typedef struct EnzymeCkptAction {
  int32_t flag;
  int64_t iteration;
  int64_t startiteration;
  int64_t cpnum;
} EnzymeCkptAction;

/* Which states are stored. */
enum {
  /* At most so many at a time, chosen so that as few steps as possible run again. */
  ENZYME_CKPT_BINOMIAL = 0,
  /* Where each of so many segments of the loop begins, and before each step of the segment that is being reversed. */
  ENZYME_CKPT_PERIODIC = 1,
  /* The state before each step. */
  ENZYME_CKPT_STORE_ALL = 2
};

/* A schedule on its way. */
typedef struct EnzymeCkptSchedule {
  int32_t kind;
  /* Whether the first turn has been made. */
  int32_t reversing;
  int64_t steps;
  /* Snapshots or segments. */
  int64_t budget;
  /* Steps from here on have been reversed. */
  int64_t end;
  /* The step that the state at hand is the one before; -1 if it is used up. */
  int64_t place;
  /* The steps that the stored states are the ones before, by slot; how many there are; for how many there is room. */
  int64_t *stored;
  int64_t count;
  int64_t room;
} EnzymeCkptSchedule;

/* The budget where nobody asks for one: with about sqrt(2n) snapshots no step runs more than twice before it is
 * reversed; sqrt(n) segments of sqrt(n) steps need the fewest states. */
static inline int64_t enzyme_ckpt_default_budget(int32_t kind, int64_t steps) {
  int64_t budget = 1;
  if (kind == ENZYME_CKPT_PERIODIC)
    while (budget < steps / budget)
      budget++;
  else
    while ((budget + 1) * (budget + 2) / 2 < steps)
      budget++;
  return budget;
}

/* How far a binomial schedule runs from a stored state before it stores the next one, when so many slots are free and
 * so many steps, at least 2, are to be reversed from there on.
 *
 * With s snapshots and r runs, reach(s, r) = C(s + r, s) steps can be reversed; reach(s, r) = reach(s, r-1)(s+r)/r. */
static inline int64_t enzyme_ckpt_longest_advance(int64_t free_slots, int64_t steps) {
  int64_t snapshots = (free_slots < steps ? free_slots : steps - 1) + 1;
  int64_t runs = 1, reach = 1 + snapshots, shorter = 1, narrower, advance;
  if (free_slots <= 0)
    return steps - 1;
  while (reach < steps) {
    runs++;
    shorter = reach;
    /* Beyond all numbers of steps it is as good as infinite. */
    reach = reach > INT64_MAX / (snapshots + runs) ? INT64_MAX : reach * (snapshots + runs) / runs;
  }
  /* reach(s - 1, r - 1) */
  narrower = shorter > INT64_MAX / snapshots ? shorter : shorter * snapshots / (snapshots + runs - 1);
  advance = shorter < steps - narrower ? shorter : steps - narrower;
  if (advance < 1)
    return 1;
  return advance < steps ? advance : steps - 1;
}

/* Where a segment begins. */
static inline int64_t enzyme_ckpt_segment(const EnzymeCkptSchedule *schedule, int64_t segment) {
  int64_t length = schedule->steps / schedule->budget, longer = schedule->steps % schedule->budget;
  /* The first segments are one step longer, if need be. */
  return segment * length + (segment < longer ? segment : longer);
}

/* How far a schedule runs from the state at hand, which has just been stored. */
static inline int64_t enzyme_ckpt_advance(const EnzymeCkptSchedule *schedule) {
  int64_t left = schedule->end - schedule->place, segment, next;
  if (schedule->kind != ENZYME_CKPT_PERIODIC)
    return enzyme_ckpt_longest_advance(schedule->budget - schedule->count, left);
  /* Where segments begin, the next slot is that of the next segment. */
  segment = schedule->count - 1;
  if (segment + 1 >= schedule->budget || schedule->place != enzyme_ckpt_segment(schedule, segment))
    return 1;
  next = enzyme_ckpt_segment(schedule, segment + 1);
  return next < schedule->end ? next - schedule->place : 1;
}

/* Begins a schedule for so many steps; `budget` is the number of snapshots or segments, or 0 for the default. Returns 0
 * if there is no memory for it. */
static inline int enzyme_ckpt_schedule_begin(EnzymeCkptSchedule *schedule, int32_t kind, int64_t steps,
                                             int64_t budget) {
  if (steps < 0)
    steps = 0;
  if (kind == ENZYME_CKPT_STORE_ALL)
    budget = steps;
  else if (budget <= 0)
    budget = enzyme_ckpt_default_budget(kind, steps);
  if (budget > steps)
    budget = steps;
  if (budget < 1)
    budget = 1;
  schedule->kind = kind;
  schedule->reversing = 0;
  schedule->steps = steps;
  schedule->budget = budget;
  schedule->end = steps;
  schedule->place = 0;
  schedule->count = 0;
  schedule->room = kind == ENZYME_CKPT_PERIODIC ? budget + steps / budget + 1 : budget;
  schedule->stored = (int64_t *)malloc((size_t)schedule->room * sizeof(int64_t));
  return schedule->stored != 0;
}

/* What is to be done next. */
static inline void enzyme_ckpt_schedule_next(EnzymeCkptSchedule *schedule, EnzymeCkptAction *action) {
  int64_t place = schedule->place;
  action->iteration = action->startiteration = place;
  action->cpnum = schedule->count - 1;
  if (schedule->end == 0) {
    action->flag = ENZYME_CKPT_DONE;
  } else if (place < 0) {
    action->flag = ENZYME_CKPT_RESTORE;
    schedule->place = schedule->stored[schedule->count - 1];
    action->iteration = action->startiteration = schedule->place;
  } else if (place + 1 == schedule->end) {
    action->flag = schedule->reversing ? ENZYME_CKPT_UTURN : ENZYME_CKPT_FIRSTUTURN;
    action->iteration = schedule->end;
    schedule->reversing = 1;
    schedule->end = place;
    schedule->place = -1;
    /* The state before this step has been used for the last time. */
    if (schedule->count > 0 && schedule->stored[schedule->count - 1] == place)
      schedule->count--;
  } else if (schedule->count == 0 || schedule->stored[schedule->count - 1] != place) {
    action->flag = ENZYME_CKPT_STORE;
    action->cpnum = schedule->count;
    schedule->stored[schedule->count++] = place;
  } else {
    action->flag = ENZYME_CKPT_FORWARD;
    schedule->place = place + enzyme_ckpt_advance(schedule);
    action->iteration = schedule->place;
  }
}

/* Frees what a schedule takes of memory. */
static inline void enzyme_ckpt_schedule_end(EnzymeCkptSchedule *schedule) {
  free(schedule->stored);
  schedule->stored = 0;
}

#ifdef __cplusplus
}
#endif

#endif
