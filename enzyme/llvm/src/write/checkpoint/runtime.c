/* What drives a checkpointed loop in a derivative: it asks a scheme for actions and carries them out. `runtime.rs` says how
 * it gets into programs. It is not compiled when EnzymeRS is built; after a change:
 *
 *     clang-22 -Oz -fno-inline -fno-discard-value-names -fno-stack-protector -target x86_64-linux-gnu \
 *         -I ../../../../capi/include -S -emit-llvm runtime.c -o - | sed -E -f runtime.sed | cat -s >runtime.ll
 */
#include <enzyme/checkpoint.h>

/* Why the program has to end. `runtime.rs` has the sentences. */
enum {
  NO_MEMORY = 0,
  WRONG_VERSION = 1,
  NOT_IN_A_REGION = 2,
  WRONG_ACTION = 3,
  REVERSED_TWICE = 4,
  TOO_FEW_BYTES = 5,
  LOOP_NOT_IN_A_REGION = 6,
  LOOP_TOO_FEW_BYTES = 7
};

void __enzyme_checkpoint_stop(int64_t why, int64_t what) __attribute__((noreturn));

/* Schemes that need no table: numbers in the place of its address. */
enum { BUILT_IN = 3 };

/* In the place of a loop that waited. */
enum { ALREADY_REVERSED = 1 };

/* What is known of a region when the program is compiled. */
enum { UNKNOWN = 0, CHANGES = 1, STAYS = 2 };

/* Memory that a step writes: behind this argument so many bytes from an offset on, or anywhere if `bytes` is negative. Where the
 * step is the body of a loop, a text says where that is. */
typedef struct Written {
  char *pointer;
  int64_t offset;
  int64_t bytes;
  int64_t argument;
  const char *loop;
} Written;

/* Runs a step, one of its sweeps, or both; `environment` has its arguments. */
typedef void Step(void *environment, int64_t step);

/* The states that a scheme without a table keeps. */
typedef struct States {
  EnzymeCkptSchedule schedule;
  uint64_t bytes;
  void *final;
  void **slots;
} States;

/* A loop that waits to be reversed. */
typedef struct Loop {
  const EnzymeCheckpointScheme *scheme;
  void *state;
  int64_t steps;
  /* The step that the state at hand is the one before, -1 if it is used up, and the steps that are left to reverse. */
  int64_t place;
  int64_t end;
  /* Regions that change come first. Of the others there are copies. */
  uint64_t changing;
  uint64_t regions;
  EnzymeCkptRegion *region;
  char **copies;
} Loop;

static void *memory_of(uint64_t bytes) {
  void *memory = malloc(bytes ? bytes : 1);
  if (!memory)
    __enzyme_checkpoint_stop(NO_MEMORY, 0);
  return memory;
}

static void copy_out(char *to, const EnzymeCkptRegion *regions, uint64_t count) {
  for (uint64_t index = 0; index < count; index++) {
    memcpy(to, regions[index].ptr, regions[index].bytes);
    to += regions[index].bytes;
  }
}

static void copy_back(const EnzymeCkptRegion *regions, uint64_t count, const char *from) {
  for (uint64_t index = 0; index < count; index++) {
    memcpy(regions[index].ptr, from, regions[index].bytes);
    from += regions[index].bytes;
  }
}

static int is_built_in(const Loop *loop) { return (uintptr_t)loop->scheme < BUILT_IN; }

static void begin(Loop *loop, void *data, uint64_t bytes) {
  if (!is_built_in(loop)) {
    if (loop->scheme->version != ENZYME_CKPT_ABI_VERSION)
      __enzyme_checkpoint_stop(WRONG_VERSION, loop->scheme->version);
    loop->state = loop->scheme->init(data, loop->steps, bytes);
    return;
  }
  States *states = memory_of(sizeof(States));
  if (!enzyme_ckpt_schedule_begin(&states->schedule, (int32_t)(uintptr_t)loop->scheme, loop->steps, (int64_t)data))
    __enzyme_checkpoint_stop(NO_MEMORY, 0);
  states->bytes = bytes;
  states->final = 0;
  states->slots = memory_of((uint64_t)states->schedule.room * sizeof(void *));
  for (int64_t slot = 0; slot < states->schedule.room; slot++)
    states->slots[slot] = 0;
  loop->state = states;
}

static void **slot_of(States *states, int64_t slot) { return slot < 0 ? &states->final : &states->slots[slot]; }

static void store(Loop *loop, int64_t slot, int64_t step, void *environment) {
  if (is_built_in(loop)) {
    void **kept = slot_of(loop->state, slot);
    if (!*kept)
      *kept = memory_of(((States *)loop->state)->bytes);
    copy_out(*kept, loop->region, loop->changing);
  } else if (loop->scheme->save_state) {
    loop->scheme->save_state(loop->state, slot, step, environment);
  } else {
    loop->scheme->store(loop->state, slot, step, loop->region, loop->changing);
  }
}

static void restore(Loop *loop, int64_t slot, int64_t step, void *environment) {
  if (is_built_in(loop))
    copy_back(loop->region, loop->changing, *slot_of(loop->state, slot));
  else if (loop->scheme->load_state)
    loop->scheme->load_state(loop->state, slot, step, environment);
  else
    loop->scheme->restore(loop->state, slot, step, loop->region, loop->changing);
}

static void next(Loop *loop, EnzymeCkptAction *action) {
  if (is_built_in(loop))
    enzyme_ckpt_schedule_next(&((States *)loop->state)->schedule, action);
  else
    loop->scheme->next_action(loop->state, action);
}

static void end(Loop *loop) {
  if (!is_built_in(loop)) {
    loop->scheme->finalize(loop->state);
    return;
  }
  States *states = loop->state;
  for (int64_t slot = 0; slot < states->schedule.room; slot++)
    free(states->slots[slot]);
  free(states->slots);
  free(states->final);
  enzyme_ckpt_schedule_end(&states->schedule);
  free(states);
}

/* Whether all that is written lies in a region. Where it is not known how far a step writes, the pointer has to be in it. */
static int covers(const EnzymeCkptRegion *region, const Written *written) {
  const char *from = region->ptr, *to = from + region->bytes;
  if (written->bytes >= 0) {
    const char *first = written->pointer + written->offset;
    return from <= first && first + written->bytes <= to;
  }
  return written->pointer == from || (from < written->pointer && written->pointer < to);
}

/* Finds out which regions steps change: all else that they write is a mistake. */
static void find_changes(EnzymeCkptRegion *regions, uint64_t count, const Written *written, uint64_t writes) {
  for (uint64_t write = 0; write < writes; write++) {
    int is_covered = 0, is_near = 0;
    for (uint64_t index = 0; index < count; index++) {
      Written anywhere = written[write];
      anywhere.bytes = -1;
      is_near |= covers(&regions[index], &anywhere);
      if (covers(&regions[index], &written[write])) {
        is_covered = 1;
        regions[index].flags = CHANGES;
      }
    }
    if (is_covered)
      continue;
    if (written[write].loop)
      __enzyme_checkpoint_stop(is_near ? LOOP_TOO_FEW_BYTES : LOOP_NOT_IN_A_REGION, (int64_t)written[write].loop);
    __enzyme_checkpoint_stop(is_near ? TOO_FEW_BYTES : NOT_IN_A_REGION, written[write].argument);
  }
}

/* Runs the loop until it says that it is left, to count its steps; what they change is as before then. */
static int64_t count_steps(const Loop *loop, uint64_t bytes, const int64_t *left, Step *run, void *environment) {
  char *before = memory_of(bytes);
  int64_t steps = 0;
  copy_out(before, loop->region, loop->changing);
  do
    run(environment, steps++);
  while (!*left);
  copy_back(loop->region, loop->changing, before);
  free(before);
  return steps;
}

/* Runs the loop and begins its schedule. The last step runs such that it can be reversed. Returns null if there are no
 * steps. How many there are is known, or a word is not zero after the last one; null is for no such word. */
void *__enzyme_checkpoint_forward(const EnzymeCheckpointScheme *scheme, void *data, int64_t steps, const int64_t *left,
                                  EnzymeCkptRegion *regions, uint64_t count, const Written *written, uint64_t writes,
                                  Step *run, Step *run_last, void *environment) {
  if (steps <= 0 && !left)
    return 0;
  int copies_itself = (uintptr_t)scheme >= BUILT_IN && scheme->save_state;
  if (!copies_itself)
    find_changes(regions, count, written, writes);
  Loop *loop = memory_of(sizeof(Loop));
  loop->scheme = scheme;
  loop->place = 0;
  loop->changing = 0;
  loop->regions = count;
  loop->region = memory_of(count * sizeof(EnzymeCkptRegion));
  loop->copies = memory_of(count * sizeof(char *));
  uint64_t bytes = 0, staying = count;
  for (uint64_t index = 0; index < count; index++) {
    EnzymeCkptRegion region = regions[index];
    int changes = region.flags == CHANGES;
    region.flags = 0;
    if (changes) {
      bytes += region.bytes;
      loop->region[loop->changing++] = region;
    } else {
      loop->region[--staying] = region;
      loop->copies[staying] = memory_of(region.bytes);
      copy_out(loop->copies[staying], &region, 1);
    }
  }
  if (left)
    steps = count_steps(loop, bytes, left, run, environment);
  loop->steps = loop->end = steps;
  begin(loop, data, bytes);
  for (;;) {
    EnzymeCkptAction action;
    next(loop, &action);
    if (action.flag == ENZYME_CKPT_STORE && action.iteration == loop->place) {
      store(loop, action.cpnum, action.iteration, environment);
    } else if (action.flag == ENZYME_CKPT_FORWARD && action.startiteration == loop->place &&
               action.iteration < steps) {
      for (; loop->place < action.iteration; loop->place++)
        run(environment, loop->place);
    } else if (action.flag == ENZYME_CKPT_FIRSTUTURN && loop->place == steps - 1 && action.iteration == steps) {
      run_last(environment, loop->place);
      return loop;
    } else {
      __enzyme_checkpoint_stop(WRONG_ACTION, action.flag);
    }
  }
}

/* Exchanges what is in regions that steps do not change with what was there when the loop ran. What is the same is not written:
 * it may be a constant. */
static void exchange(Loop *loop) {
  for (uint64_t index = loop->changing; index < loop->regions; index++) {
    char *memory = loop->region[index].ptr, *copy = loop->copies[index];
    for (uint64_t byte = 0; byte < loop->region[index].bytes; byte++) {
      char held = memory[byte];
      if (held == copy[byte])
        continue;
      memory[byte] = copy[byte];
      copy[byte] = held;
    }
  }
}

/* Reverses the loop. */
void __enzyme_checkpoint_reverse(Loop **waiting, Step *run, Step *reverse_last, Step *reverse, void *environment) {
  Loop *loop = *waiting;
  if (!loop)
    return;
  if ((uintptr_t)loop == ALREADY_REVERSED)
    __enzyme_checkpoint_stop(REVERSED_TWICE, 0);
  *waiting = (Loop *)ALREADY_REVERSED;
  exchange(loop);
  store(loop, -1, loop->steps, environment);
  reverse_last(environment, loop->steps - 1);
  loop->place = -1;
  loop->end = loop->steps - 1;
  for (;;) {
    EnzymeCkptAction action;
    next(loop, &action);
    if (action.flag == ENZYME_CKPT_STORE && action.iteration == loop->place) {
      store(loop, action.cpnum, action.iteration, environment);
    } else if (action.flag == ENZYME_CKPT_RESTORE && action.iteration >= 0 && action.iteration < loop->end) {
      restore(loop, action.cpnum, action.iteration, environment);
      loop->place = action.iteration;
    } else if (action.flag == ENZYME_CKPT_FORWARD && loop->place >= 0 && action.startiteration == loop->place &&
               action.iteration < loop->end) {
      for (; loop->place < action.iteration; loop->place++)
        run(environment, loop->place);
    } else if (action.flag == ENZYME_CKPT_UTURN && loop->place >= 0 && loop->place == loop->end - 1 &&
               action.iteration == loop->end) {
      reverse(environment, loop->place);
      loop->end = loop->place;
      loop->place = -1;
    } else if (action.flag == ENZYME_CKPT_DONE && loop->end == 0) {
      break;
    } else {
      __enzyme_checkpoint_stop(WRONG_ACTION, action.flag);
    }
  }
  restore(loop, -1, loop->steps, environment);
  end(loop);
  exchange(loop);
  for (uint64_t index = loop->changing; index < loop->regions; index++)
    free(loop->copies[index]);
  free(loop->copies);
  free(loop->region);
  free(loop);
}
