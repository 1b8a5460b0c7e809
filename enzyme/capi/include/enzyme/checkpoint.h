/* Checkpointed loops: the derivative of a loop of many steps, with few of its states in memory.
 *
 * The loop
 *
 *     for (int64_t i = start; i < start + n; i++)
 *       step(i, arguments...);
 *
 * is written as
 *
 *     __enzyme_checkpoint_for((void *)step, start, n,
 *                             enzyme_scheme, scheme, data,
 *                             enzyme_checkpoint_region, pointer, bytes, ...
 *                             arguments...);
 *
 * The program and forward mode run it as that loop. In reverse mode the forward sweep keeps the state before some of the
 * steps; the reverse sweep runs steps again from there, and differentiates one at a time.
 *
 * What is the state? The regions: each `enzyme_checkpoint_region, pointer, bytes` is a piece of memory, and all that a
 * step writes behind its arguments has to lie in one. The compiler tells what a step writes; where that lies in no region, it
 * says so, or the program ends with a message before the first step. Variables of the program that a step writes belong to
 * the state by themselves. Memory that steps only read has to be in a region, too (it is copied once for the whole loop), unless
 * it is plain that nothing writes to it later. After the derivative all of it is as the loop left it.
 *
 * Which states are kept? The scheme says:
 *
 *     (nothing)                                as few as let no step run more than twice before it is reversed
 *     enzyme_scheme, "binomial", 20            20, so that as few steps as possible run again; also called "revolve"
 *     enzyme_scheme, "periodic", 100           where each of 100 segments of the loop begins, and those of one segment
 *     enzyme_scheme, "store_all", 0            the state before each step
 *     enzyme_scheme, "none", 0                 no states: what each step needs is kept, as of any other loop
 *     enzyme_scheme, &EnzymeCkptRevolve, &c    as the functions of a table say: those below, or your own
 *
 * The number may be known only when the program runs; 0 is the default. It bounds the snapshots of the schedule; beside them
 * the final state is kept while the reverse sweep runs.
 *
 * A loop can also stay as it is, and say at the top of its body how its states are kept:
 *
 *     for (int i = 0; i < n; i++) {
 *       ENZYME_CHECKPOINT("binomial", 20, ENZYME_REGION(u, n * sizeof(double)));
 *       body
 *     }
 *
 * which is
 *
 *       __enzyme_set_checkpointing("binomial", 20, enzyme_checkpoint_region, u, n * sizeof(double));
 *
 * or nothing at all where `ENZYME_NO_CHECKPOINTS` is defined, for compilers without the plugin. The schedule is one of those with
 * names. The innermost loop around the call is meant: `for`, `while`, `do`, a loop over a range, left by `break` or `return` or
 * not. Only reverse mode takes notice: the program and forward mode run the loop as if the call were not there.
 *
 * Local variables that the body uses, arrays among them, belong to the state by themselves, as do variables of the program and
 * memory whose allocation the function shows (`malloc(size)`, `new double[n]`). All other memory that the body writes has
 * to be in a region; pointers and sizes are taken as they are when the loop begins, and where an index is only known when the
 * body runs, the size is taken at your word. No pointer goes from one iteration to the
 * next, unless it advances by the same amount each time.
 *
 * Memory that the body only reads has to be in a region, too, if it may be written or freed before the reverse sweep; a message
 * says so. Where it is not known when the loop begins how many iterations there are, it runs once more in the forward sweep,
 * to count them, and the state is put back.
 *
 * A gradient of a gradient is not to be had of such a loop. One of a tangent is, and keeps all states.
 */
#ifndef ENZYME_CHECKPOINT_H
#define ENZYME_CHECKPOINT_H

#include "checkpoint_schedule.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Markers of the argument list, and the loop. */
extern int enzyme_scheme;
extern int enzyme_checkpoint_region;
void __enzyme_checkpoint_for(void *step, int64_t start, int64_t n, ...);
void __enzyme_set_checkpointing(const char *schedule, int64_t budget, ...);

#ifdef ENZYME_NO_CHECKPOINTS
#define ENZYME_CHECKPOINT(...) ((void)0)
#else
#define ENZYME_CHECKPOINT(...) __enzyme_set_checkpointing(__VA_ARGS__)
#endif
#define ENZYME_REGION(POINTER, BYTES) enzyme_checkpoint_region, POINTER, (int64_t)(BYTES)

/* --- Schemes ------------------------------------------------------------------------------------------------------- */

#define ENZYME_CKPT_ABI_VERSION 1

/* A piece of memory that belongs to the state. `addrspace` and `flags` are 0. */
typedef struct EnzymeCkptRegion {
  void *ptr;
  uint64_t bytes;
  uint32_t addrspace;
  uint32_t flags;
} EnzymeCkptRegion;

/* A scheme says what is done next, and keeps states.
 *
 * `init` comes first and `finalize` last, each once for each run of the loop. In between the loop asks for actions
 * and carries them out, from the forward sweep through the reverse sweep. It calls `store` and `restore` for the actions
 * of these names; and on its own with slot -1, for the final state: `store` where the reverse sweep begins, `restore` where
 * it ends. (Slot -2 is reserved.) An action that does not fit the state at hand ends the program with a message. */
typedef struct EnzymeCheckpointScheme {
  uint32_t version; /* ENZYME_CKPT_ABI_VERSION */
  /* Returns what the other functions get as `state`. `data` is what was given with the scheme, `snapshot_bytes` the size
   * of a state. */
  void *(*init)(void *data, int64_t nsteps, uint64_t snapshot_bytes);
  void (*next_action)(void *state, EnzymeCkptAction *out);
  void (*store)(void *state, int64_t slot, int64_t step, const EnzymeCkptRegion *regions, uint64_t nregions);
  void (*restore)(void *state, int64_t slot, int64_t step, const EnzymeCkptRegion *regions, uint64_t nregions);
  /* For loops whose number of steps is not known when they begin, of which there are none yet. May be null. */
  void (*set_nsteps)(void *state, int64_t nsteps);
  void (*finalize)(void *state);
  /* Both or none: the scheme knows better what the state is, and copies it itself. `env` points to the arguments of the step
   * after the first, each followed by its shadow if it has one. Then there need be no regions, and nobody checks that
   * the state is complete. */
  void (*save_state)(void *state, int64_t slot, int64_t step, void *env);
  void (*load_state)(void *state, int64_t slot, int64_t step, void *env);
  /* Not called yet. May be null. */
  void (*set_paths)(void *state, const int64_t *paths, uint64_t len);
} EnzymeCheckpointScheme;

/* --- Schemes for all to use ---------------------------------------------------------------------------------------- */

/* What a run took. */
typedef struct EnzymeCkptStats {
  int64_t forward_steps; /* steps that ran without being reversed there and then */
  int64_t taped_steps;   /* steps that were reversed: n */
  int64_t stores;
  int64_t restores;
  int64_t max_slots; /* the most states that were kept at a time, without the final one */
  uint64_t max_bytes;
} EnzymeCkptStats;

/* What the schemes below take as `data`. All zeros will do. It has to live until the reverse sweep is done. */
typedef struct EnzymeCkptConfig {
  /* The number of snapshots or segments; 0 or less is the default. */
  int64_t snapshots;
  /* 1 prints a summary, 2 every action, to the standard error stream. */
  int verbose;
  /* A directory for states that do not fit into `mem_budget` bytes; null keeps all of them in memory. */
  const char *spill_dir;
  uint64_t mem_budget;
  /* Filled in when the reverse sweep is done. May be null. */
  EnzymeCkptStats *stats;
} EnzymeCkptConfig;

/* One state that is kept: in memory, or in a file. */
typedef struct EnzymeCkptSlot {
  void *memory;
  FILE *file;
  char *path;
} EnzymeCkptSlot;

/* A run of one of the schemes. The final state is in slot 0 of `slots`, the others follow. */
typedef struct EnzymeCkptRun {
  EnzymeCkptSchedule schedule;
  EnzymeCkptConfig config;
  EnzymeCkptStats stats;
  uint64_t bytes;
  EnzymeCkptSlot *slots;
  int64_t room;
} EnzymeCkptRun;

static inline void enzyme_ckpt_fail(const char *message) {
  fprintf(stderr, "enzyme/checkpoint.h: %s\n", message);
  abort();
}

static inline void *enzyme_ckpt_memory(uint64_t bytes) {
  void *memory = calloc(bytes ? bytes : 1, 1);
  if (!memory)
    enzyme_ckpt_fail("no memory is left for a state");
  return memory;
}

static inline void *enzyme_ckpt_begin(int32_t kind, void *data, int64_t nsteps, uint64_t bytes) {
  EnzymeCkptRun *run = (EnzymeCkptRun *)enzyme_ckpt_memory(sizeof(EnzymeCkptRun));
  if (data)
    run->config = *(const EnzymeCkptConfig *)data;
  if (nsteps < 0)
    enzyme_ckpt_fail("the number of steps has to be known");
  if (!enzyme_ckpt_schedule_begin(&run->schedule, kind, nsteps, run->config.snapshots))
    enzyme_ckpt_fail("no memory is left for a schedule");
  run->bytes = bytes;
  run->room = 1 + run->schedule.room;
  run->slots = (EnzymeCkptSlot *)enzyme_ckpt_memory((uint64_t)run->room * sizeof(EnzymeCkptSlot));
  return run;
}

static inline void *enzyme_ckpt_begin_binomial(void *data, int64_t nsteps, uint64_t bytes) {
  return enzyme_ckpt_begin(ENZYME_CKPT_BINOMIAL, data, nsteps, bytes);
}

static inline void *enzyme_ckpt_begin_periodic(void *data, int64_t nsteps, uint64_t bytes) {
  return enzyme_ckpt_begin(ENZYME_CKPT_PERIODIC, data, nsteps, bytes);
}

static inline void *enzyme_ckpt_begin_store_all(void *data, int64_t nsteps, uint64_t bytes) {
  return enzyme_ckpt_begin(ENZYME_CKPT_STORE_ALL, data, nsteps, bytes);
}

static inline void enzyme_ckpt_next(void *state, EnzymeCkptAction *action) {
  static const char *const names[] = {"none", "store", "restore", "forward", "first turn", "turn", "error", "done"};
  EnzymeCkptRun *run = (EnzymeCkptRun *)state;
  enzyme_ckpt_schedule_next(&run->schedule, action);
  if (action->flag == ENZYME_CKPT_FORWARD)
    run->stats.forward_steps += action->iteration - action->startiteration;
  if (action->flag == ENZYME_CKPT_FIRSTUTURN || action->flag == ENZYME_CKPT_UTURN)
    run->stats.taped_steps++;
  if (run->config.verbose > 1)
    fprintf(stderr, "checkpoint: %s, step %lld (from %lld), slot %lld\n", names[action->flag],
            (long long)action->iteration, (long long)action->startiteration, (long long)action->cpnum);
}

static inline EnzymeCkptSlot *enzyme_ckpt_slot(EnzymeCkptRun *run, int64_t slot) {
  if (slot < -1 || slot + 1 >= run->room)
    enzyme_ckpt_fail("there is no such slot");
  return &run->slots[slot + 1];
}

/* The file of a slot, which is made when it is needed first. */
static inline FILE *enzyme_ckpt_file(EnzymeCkptRun *run, EnzymeCkptSlot *kept) {
  size_t length = strlen(run->config.spill_dir) + 64;
  if (kept->file)
    return kept->file;
  kept->path = (char *)enzyme_ckpt_memory(length);
  snprintf(kept->path, length, "%s/checkpoint-%p", run->config.spill_dir, (void *)kept);
  kept->file = fopen(kept->path, "w+b");
  if (!kept->file)
    enzyme_ckpt_fail("a file for a state cannot be made in `spill_dir`");
  return kept->file;
}

static inline int enzyme_ckpt_is_spilled(const EnzymeCkptRun *run, int64_t slot) {
  return run->config.spill_dir && (uint64_t)(slot + 2) * run->bytes > run->config.mem_budget;
}

static inline void enzyme_ckpt_store(void *state, int64_t slot, int64_t step, const EnzymeCkptRegion *regions,
                                     uint64_t nregions) {
  EnzymeCkptRun *run = (EnzymeCkptRun *)state;
  EnzymeCkptSlot *kept = enzyme_ckpt_slot(run, slot);
  uint64_t region, offset = 0;
  (void)step;
  if (enzyme_ckpt_is_spilled(run, slot)) {
    FILE *file = enzyme_ckpt_file(run, kept);
    rewind(file);
    for (region = 0; region < nregions; region++)
      if (fwrite(regions[region].ptr, 1, regions[region].bytes, file) != regions[region].bytes)
        enzyme_ckpt_fail("a state cannot be written to its file");
  } else {
    if (!kept->memory)
      kept->memory = enzyme_ckpt_memory(run->bytes);
    for (region = 0; region < nregions; region++) {
      memcpy((char *)kept->memory + offset, regions[region].ptr, regions[region].bytes);
      offset += regions[region].bytes;
    }
  }
  if (slot < 0)
    return;
  run->stats.stores++;
  if (slot + 1 > run->stats.max_slots) {
    run->stats.max_slots = slot + 1;
    run->stats.max_bytes = (uint64_t)run->stats.max_slots * run->bytes;
  }
}

static inline void enzyme_ckpt_restore(void *state, int64_t slot, int64_t step, const EnzymeCkptRegion *regions,
                                       uint64_t nregions) {
  EnzymeCkptRun *run = (EnzymeCkptRun *)state;
  EnzymeCkptSlot *kept = enzyme_ckpt_slot(run, slot);
  uint64_t region, offset = 0;
  (void)step;
  if (kept->file) {
    rewind(kept->file);
    for (region = 0; region < nregions; region++)
      if (fread(regions[region].ptr, 1, regions[region].bytes, kept->file) != regions[region].bytes)
        enzyme_ckpt_fail("a state cannot be read from its file");
  } else if (kept->memory) {
    for (region = 0; region < nregions; region++) {
      memcpy(regions[region].ptr, (const char *)kept->memory + offset, regions[region].bytes);
      offset += regions[region].bytes;
    }
  } else {
    enzyme_ckpt_fail("a state is asked for that was never stored");
  }
  if (slot >= 0)
    run->stats.restores++;
}

static inline void enzyme_ckpt_finish(void *state) {
  EnzymeCkptRun *run = (EnzymeCkptRun *)state;
  int64_t slot;
  if (run->config.verbose > 0)
    fprintf(stderr, "checkpoint: %lld steps, %lld run forward, %lld stores, %lld restores, %lld states of %llu bytes\n",
            (long long)run->stats.taped_steps, (long long)run->stats.forward_steps, (long long)run->stats.stores,
            (long long)run->stats.restores, (long long)run->stats.max_slots, (unsigned long long)run->bytes);
  if (run->config.stats)
    *run->config.stats = run->stats;
  for (slot = 0; slot < run->room; slot++) {
    free(run->slots[slot].memory);
    if (run->slots[slot].file) {
      fclose(run->slots[slot].file);
      remove(run->slots[slot].path);
    }
    free(run->slots[slot].path);
  }
  free(run->slots);
  enzyme_ckpt_schedule_end(&run->schedule);
  free(run);
}

#if defined(__GNUC__) || defined(__clang__)
#define ENZYME_CKPT_UNUSED __attribute__((unused))
#else
#define ENZYME_CKPT_UNUSED
#endif

/* At most `snapshots` states, as few steps as possible run again. */
static const EnzymeCheckpointScheme EnzymeCkptRevolve ENZYME_CKPT_UNUSED = {
    ENZYME_CKPT_ABI_VERSION, enzyme_ckpt_begin_binomial, enzyme_ckpt_next,   enzyme_ckpt_store, enzyme_ckpt_restore,
    NULL,                    enzyme_ckpt_finish,         NULL,               NULL,              NULL};

/* `snapshots` segments. */
static const EnzymeCheckpointScheme EnzymeCkptPeriodic ENZYME_CKPT_UNUSED = {
    ENZYME_CKPT_ABI_VERSION, enzyme_ckpt_begin_periodic, enzyme_ckpt_next,   enzyme_ckpt_store, enzyme_ckpt_restore,
    NULL,                    enzyme_ckpt_finish,         NULL,               NULL,              NULL};

/* The state before each step. */
static const EnzymeCheckpointScheme EnzymeCkptStoreAll ENZYME_CKPT_UNUSED = {
    ENZYME_CKPT_ABI_VERSION, enzyme_ckpt_begin_store_all, enzyme_ckpt_next,  enzyme_ckpt_store, enzyme_ckpt_restore,
    NULL,                    enzyme_ckpt_finish,          NULL,              NULL,              NULL};

#ifdef __cplusplus
}
#endif

#endif
