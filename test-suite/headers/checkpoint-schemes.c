// The schemes of enzyme/checkpoint.h, driven as a loop drives them: each step is reversed once and in order, at most so
// many states are kept, in memory or in files, and the binomial scheme runs as few steps as possible.

// REQUIRES: clang
// DEFINE: %{flags} = -I%include -Wall -Wextra -Werror
// RUN: %clang -std=c99 -O1 %{flags} %s -o %t -lm && %t
// RUN: %clang++ -x c++ -std=c++11 -O1 %{flags} %s -o %t -lm && %t
// RUN: %clang -I%include -DVERBOSE %s -o %t -lm && %t 2>&1 | %FileCheck %s

#include "../Inputs/check.h"
#include <enzyme/checkpoint.h>

// Two pieces of memory: the number of the step that comes next, and twice that.
static int64_t next, twice;
static const EnzymeCkptRegion regions[2] = {{&next, sizeof next, 0, 0}, {&twice, sizeof twice, 0, 0}};

static EnzymeCkptStats carry_out(const EnzymeCheckpointScheme *scheme, EnzymeCkptConfig config, int64_t steps) {
  EnzymeCkptStats stats = {0, 0, 0, 0, 0, 0};
  EnzymeCkptAction action;
  void *state;
  int64_t to_reverse = steps;
  config.stats = &stats;
  state = scheme->init(&config, steps, sizeof next + sizeof twice);
  next = twice = 0;
  for (;;) {
    scheme->next_action(state, &action);
    if (action.flag == ENZYME_CKPT_DONE) break;
    switch (action.flag) {
    case ENZYME_CKPT_STORE:
      expect(action.iteration, next);
      scheme->store(state, action.cpnum, action.iteration, regions, 2);
      break;
    case ENZYME_CKPT_RESTORE:
      scheme->restore(state, action.cpnum, action.iteration, regions, 2);
      expect(action.iteration, next);
      expect(twice, 2 * next);
      break;
    case ENZYME_CKPT_FORWARD:
      expect(action.startiteration, next);
      next = action.iteration;
      twice = 2 * next;
      break;
    case ENZYME_CKPT_FIRSTUTURN:
    case ENZYME_CKPT_UTURN:
      expect(action.flag == ENZYME_CKPT_FIRSTUTURN, to_reverse == steps);
      expect(action.iteration, to_reverse);
      expect(next, --to_reverse);
      if (to_reverse + 1 == steps) {
        // The loop keeps the final state on its own.
        next = twice = steps;
        scheme->store(state, -1, steps, regions, 2);
      }
      next = -1;
      break;
    default:
      expect(action.flag, ENZYME_CKPT_DONE);
    }
  }
  expect(to_reverse, 0);
  if (steps > 0) {
    scheme->restore(state, -1, steps, regions, 2);
    expect(next, steps);
  }
  scheme->finalize(state);
  expect(stats.taped_steps, steps);
  expect(stats.max_bytes, 16 * stats.max_slots);
  return stats;
}

// r n - C(s + r, r - 1), with the smallest r for which n <= C(s + r, s).
static double optimum(double snapshots, double steps) {
  double runs = 1, reach = 1 + snapshots;
  if (steps <= 1) return 0;
  if (snapshots >= steps) return steps - 1;
  while (reach < steps) {
    runs++;
    reach = reach * (snapshots + runs) / runs;
  }
  return runs * steps - reach * runs / (snapshots + 1);
}

static EnzymeCkptConfig with(int64_t snapshots) {
  EnzymeCkptConfig config = {0, 0, 0, 0, 0};
  config.snapshots = snapshots;
  return config;
}

int main(void) {
  EnzymeCkptStats stats;
#ifdef VERBOSE
  EnzymeCkptConfig verbose = with(1);
  verbose.verbose = 2;
  carry_out(&EnzymeCkptRevolve, verbose, 2);
  // CHECK:      checkpoint: store, step 0 (from 0), slot 0
  // CHECK-NEXT: checkpoint: forward, step 1 (from 0), slot 0
  // CHECK-NEXT: checkpoint: first turn, step 2 (from 1), slot 0
  // CHECK-NEXT: checkpoint: restore, step 0 (from 0), slot 0
  // CHECK-NEXT: checkpoint: turn, step 1 (from 0), slot 0
  // CHECK-NEXT: checkpoint: done
  // CHECK-NEXT: checkpoint: 2 steps, 1 run forward, 1 stores, 1 restores, 1 states of 16 bytes
  return result_of_test();
#endif
  for (int64_t steps = 0; steps <= 60; steps++)
    for (int64_t budget = 1; budget <= 12; budget++) {
      stats = carry_out(&EnzymeCkptRevolve, with(budget), steps);
      expect(stats.forward_steps, optimum((double)budget, (double)steps));
      expect(stats.max_slots <= budget, 1);
      stats = carry_out(&EnzymeCkptPeriodic, with(budget), steps);
      expect(stats.forward_steps < 2 * steps + 1, 1);
      expect(stats.max_slots <= budget + steps / budget + 1, 1);
      stats = carry_out(&EnzymeCkptStoreAll, with(budget), steps);
      expect(stats.forward_steps, steps > 0 ? steps - 1 : 0);
    }

  stats = carry_out(&EnzymeCkptRevolve, with(20), 10000);
  expect(stats.forward_steps, 4 * 10000 - 2024);
  expect(stats.max_slots <= 20, 1);
  stats = carry_out(&EnzymeCkptRevolve, with(0), 10000);
  expect(stats.forward_steps <= 2 * 10000, 1);
  expect(stats.max_slots <= 140, 1);
  stats = carry_out(&EnzymeCkptPeriodic, with(0), 10000);
  expect(stats.max_slots <= 200, 1);

  // All but two states go to files.
  EnzymeCkptConfig spilled = with(8);
  spilled.spill_dir = "/tmp";
  spilled.mem_budget = 32;
  stats = carry_out(&EnzymeCkptRevolve, spilled, 500);
  expect(stats.forward_steps, optimum(8, 500));

  expect((double)enzyme_ckpt_longest_advance(3, INT64_MAX) > 0, 1);
  return result_of_test();
}
