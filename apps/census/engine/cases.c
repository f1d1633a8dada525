/* The boards of a class, case by case, each known only as far as deciding it takes; see `bsp_sat.apps.census.cases`. */

#include "cases.h"

/*------------------------------------------------------------------------*/
/* Runs: what of the tubes is uncovered. */

/* Returns the last run of a tube that is uncovered. */
static const struct run *last_run (const struct bspsat_cases *cases, int64_t tube) {
  return cases->tables.run + tube * cases->capacity + cases->tables.runs[tube] - 1;
}

/* Puts the next run below a level's border, in place of the one before; returns false after the last. */
static bool take_next_run (struct bspsat_cases *cases, int64_t number) {
  struct level_of_cases *level = cases->levels + number;
  int64_t tube = level->tube;
  int32_t colour = level->colour, length = level->length;
  if (length) {
    cases->tables.runs[tube]--;
    cases->rest[colour] += length;
  }
  const struct run *last = last_run (cases, tube);
  int32_t room = (int32_t) cases->capacity - last->end;
  int32_t end = level->used < cases->colours ? level->used + 1 : (int32_t) cases->colours;
  length++;
  while (colour < 0 || colour == last->colour || length > room || length > cases->rest[colour]) {
    colour++;
    length = 1;
    if (colour == end) {
      level->length = 0;
      return false;
    }
  }
  level->colour = colour;
  level->length = length;
  put_run (&cases->tables, tube, colour, length);
  cases->rest[colour] -= length;
  bool new = colour == level->used; // any colour that hasn't been seen yet
  level[1].used = level->used + new;
  level[1].ways = new ? level->ways * (uint64_t) (cases->colours - level->used) : level->ways;
  return true;
}

/* Begins with the runs of a tube at a level. */
static void uncover_tube (struct bspsat_cases *cases, int64_t level, int64_t tube) {
  cases->levels[level].tube = (int32_t) tube;
  cases->levels[level].colour = -1;
  cases->levels[level].length = 0;
}

/* Returns whether the covered balls can be such that each border is one: the ball below it has another colour.

By Hall's theorem: tubes with the same colour above their borders need as many balls of other colours. Two tubes with
different ones may take balls of any colour. */
static bool is_possible (const struct bspsat_cases *cases) {
  int32_t covered = 0;
  for (int64_t colour = 0; colour < cases->colours; colour++)
    covered += cases->rest[colour];
  for (int64_t colour = 0; colour < cases->colours; colour++) {
    int32_t tubes = 0;
    for (int64_t tube = 0; tube < cases->colours; tube++) {
      const struct run *run = last_run (cases, tube);
      tubes += run->end < cases->capacity && run->colour == colour;
    }
    if (tubes > covered - cases->rest[colour])
      return false;
  }
  return true;
}

/*------------------------------------------------------------------------*/
/* What is known of cases that were decided. */

/* Returns in how many orders the covered balls may lie, where below some borders, a bit for each tube, there is a ball of
the colour above it: 0 if they can't. Modulo 2^64. */
static uint64_t orders_without (struct bspsat_cases *cases, uint32_t vanishing) {
  int64_t places = cases->colours * cases->capacity + 1, balls = 0;
  for (int64_t colour = 0; colour < cases->colours; colour++)
    cases->taken[colour] = 0;
  for (int64_t tube = 0; tube < cases->colours; tube++)
    if (vanishing >> tube & 1) {
      const struct run *run = last_run (cases, tube);
      if (run->end == cases->capacity)
        return 0;
      cases->taken[run->colour]++;
    }
  uint64_t orders = 1;
  for (int64_t colour = 0; colour < cases->colours; colour++) {
    int64_t left = cases->rest[colour] - cases->taken[colour];
    if (left < 0)
      return 0;
    balls += left;
    orders *= cases->binomials[balls * places + left];
  }
  return orders;
}

/* Returns in how many ways the covered balls may lie, modulo 2^64, by inclusion and exclusion of vanishing borders. */
static uint64_t completions (struct bspsat_cases *cases) {
  uint64_t total = 0;
  for (uint32_t vanishing = 0; vanishing >> cases->colours == 0; vanishing++) {
    uint64_t orders = orders_without (cases, vanishing);
    total += __builtin_popcount (vanishing) % 2 ? -orders : orders;
  }
  return total;
}

/* Writes down what is known of the case in work. */
static void write_example (struct bspsat_cases *cases) {
  for (int64_t tube = 0; tube < cases->colours; tube++) {
    int32_t *balls = cases->example + tube * cases->capacity, at = 0;
    const struct run *run = cases->tables.run + tube * cases->capacity;
    for (int32_t number = 0; number < cases->tables.runs[tube]; number++, run++)
      while (at < run->end)
        balls[at++] = run->colour;
    while (at < cases->capacity)
      balls[at++] = -1;
  }
}

/* Counts the boards of a case that is decided. */
static void count_case (struct bspsat_cases *cases, bool dead) {
  uint64_t boards = cases->levels[cases->level].ways * completions (cases);
  cases->decided.cases++;
  cases->decided.boards += boards;
  cases->steps -= (INT64_C (1) << cases->colours) / 8; // what `completions` takes
  if (!dead)
    return;
  if (cases->decided.dead++ == 0)
    write_example (cases);
  cases->decided.unsolvable += boards;
}

/* Writes a step of the proof. */
static void write_step (struct bspsat_cases *cases, int64_t step) {
  cases->proof[cases->written++] = (uint8_t) step;
}

/* Writes the way from the first table of the case in work to the one with a won position. */
static void write_way (struct bspsat_cases *cases) {
  int64_t steps = 0;
  const struct border_tables *tables = &cases->tables;
  for (int32_t number = tables->number; number; number -= tables->radix[cases->gone[number]])
    tables->stack[steps++] = cases->gone[number];
  while (steps)
    write_step (cases, CASES_DIG + tables->stack[--steps]);
  write_step (cases, CASES_KNOWN);
}

/*------------------------------------------------------------------------*/
/* The walk. */

/* Begins to choose a tube. */
static void begin_choice (struct bspsat_cases *cases) {
  cases->choice.tube = -1;
  cases->choice.best = -1;
  cases->choice.deciding = false;
  cases->choice.candidates = cases->candidates;
}

/* Compares the tube in work, of which all next runs were tried, with the best so far. */
static void compare_tube (struct bspsat_cases *cases) {
  int64_t tube = cases->choice.tube, end = last_run (cases, tube)->end;
  int64_t lead = cases->choice.open * cases->choice.best_runs - cases->choice.best_open * cases->choice.runs;
  if (cases->choice.best >= 0 && lead >= 0 && !(lead == 0 && end > cases->choice.best_end))
    return;
  cases->choice.best = tube;
  cases->choice.best_open = cases->choice.open;
  cases->choice.best_runs = cases->choice.runs ? cases->choice.runs : 1;
  cases->choice.best_end = end;
}

/* Goes on to choose the tube whose next run is to tell cases apart: the one that leaves the smallest share of them open.
Among equals it is the one with the fewest covered balls, as it has the fewest cases. Returns whether it is chosen; else
no step is left. */
static bool choose_tube (struct bspsat_cases *cases) {
  while (true) {
    if (cases->choice.deciding) {
      enum verdict verdict = decide_case (cases);
      if (verdict == UNDECIDED)
        return false;
      cases->choice.open += verdict == OPEN;
      cases->choice.deciding = false;
    }
    if (cases->choice.tube >= 0) {
      if (take_next_run (cases, cases->level)) {
        cases->choice.runs++;
        if (is_possible (cases)) {
          begin_case (cases);
          cases->choice.deciding = true;
        }
        continue;
      }
      compare_tube (cases);
    }
    do
      cases->choice.tube++;
    while (cases->choice.tube < cases->colours && !(cases->choice.candidates >> cases->choice.tube & 1));
    if (cases->choice.tube == cases->colours)
      return true;
    cases->choice.runs = cases->choice.open = 0;
    uncover_tube (cases, cases->level, cases->choice.tube);
  }
}

/* Goes on with the case in work; returns false when no step is left. */
static bool go_on (struct bspsat_cases *cases) {
  enum verdict verdict;
  switch (cases->phase) {
  case BEGIN:
    cases->phase = is_possible (cases) ? DECIDE : NEXT_RUN;
    if (cases->phase == DECIDE)
      begin_case (cases);
    else
      cases->level--;
    return cases->steps-- > 0;
  case DECIDE:
    verdict = decide_case (cases);
    if (verdict == UNDECIDED)
      return false;
    if (verdict == OPEN) {
      begin_choice (cases);
      cases->phase = CHOOSE;
      return true;
    }
    if (verdict == WON)
      write_way (cases);
    count_case (cases, verdict == LOST);
    cases->level--;
    cases->phase = NEXT_RUN;
    return true;
  case CHOOSE:
    if (!choose_tube (cases))
      return false;
    write_step (cases, CASES_UNCOVER + cases->choice.best);
    uncover_tube (cases, cases->level, cases->choice.best);
    cases->phase = NEXT_RUN;
    return true;
  default:
    if (take_next_run (cases, cases->level)) {
      cases->level++;
      cases->phase = BEGIN;
    } else
      cases->level--;
    return cases->steps-- > 0;
  }
}

int64_t bspsat_cases_begin (struct bspsat_cases *cases, int64_t tubes, const struct bspsat_top *tops, uint64_t ways) {
  if (tubes != cases->colours || !are_tops (cases, tubes, tops))
    return BSPSAT_INVALID;
  for (int64_t colour = 0; colour < cases->colours; colour++) {
    cases->rest[colour] = (int32_t) cases->capacity;
    cases->tables.runs[colour] = 0;
  }
  int32_t used = 0;
  for (int64_t tube = 0; tube < cases->colours; tube++) {
    put_run (&cases->tables, tube, tops[tube].colour, tops[tube].balls);
    cases->rest[tops[tube].colour] -= tops[tube].balls;
    if (tops[tube].colour >= used)
      used = tops[tube].colour + 1;
  }
  cases->levels[0].used = used;
  cases->levels[0].ways = ways;
  cases->level = 0;
  cases->phase = BEGIN;
  cases->decided = (struct bspsat_decided) {.example = cases->example};
  for (int64_t tube = 0, seen = 0; tube < tubes; tube++) {
    if (tops[tube].colour > seen || cases->rest[tops[tube].colour] < 0) {
      cases->task = NOTHING_BEGUN;
      return BSPSAT_INVALID;
    }
    seen += tops[tube].colour == seen;
  }
  cases->task = BOARDS;
  return BSPSAT_FOUND;
}

int64_t bspsat_cases_go_on (struct bspsat_cases *cases, int64_t steps, const uint8_t **proof, int64_t *bytes,
                            struct bspsat_decided *decided) {
  int64_t room = PROOF_BYTES - cases->colours * cases->capacity - 1; // a case has at most a byte a run, and one more
  if (cases->task != BOARDS)
    return BSPSAT_INVALID;
  cases->steps = steps < 0 ? 0 : steps;
  cases->written = 0;
  while (cases->level >= 0 && cases->written < room && go_on (cases))
    ;
  *proof = cases->proof;
  *bytes = cases->written;
  *decided = cases->decided;
  return cases->level >= 0 ? BSPSAT_PAUSED : BSPSAT_EXHAUSTED;
}
