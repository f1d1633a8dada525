/* Beams of sort boards, in the space of homes and in that of moves: steps and bounds are those of the exact search. */

#include "beam/layers.h"

#include "memory.h"
#include "search/spaces.h"

enum { TALL = 8 }; // balls a tube

/* `benchmarks/tried.md` says how they were found. No vector finds a plan of each board that has one. */
static const struct weights BY_HOMES[] = {
    {146, {127, 174, -36, 114, -12, 46, 29, -46}}, {119, {-63, 211, 39, -31, -6, -110, 19, 8}},
    {64, {-64, 0, 19, 0, 13, 0, 0, 0}},            {67, {-24, -13, 40, -58, 8, -35, 38, -55}},
    {132, {19, 26, -3, 44, 5, 0, 15, 11}},         {128, {-64, 0, 19, 0, 13, 0, 0, 0}},
};
/* On (12,8,4) these two have plans of 102, 97 and 99 moves within 0.2 s; all six 112, 106 and 110. */
static const struct weights TALL_BY_HOMES[] = {
    {128, {-64, 0, 19, 0, 13, 0, 0, 0}},
    {119, {-63, 211, 39, -31, -6, -110, 19, 8}},
};
static const struct weights BY_MOVES[] = {
    {64, {-64}},
    {207, {-71, -31, 6, -97, -50, -55, 8, 40}},
    {128, {-64, 0, 0, 0, 10, -10}},
    {64, {-32, 0, 16}},
};

/* Measures of a state in the space of homes: empty tubes; temporaries; runs in mixed tubes; mixed tubes; balls above those
that could go home at once; runs to be cleared before the first, and before the second tube is free for a home; different
colours on top. Returns whether some tube is still to be decided on. */
static bool measure_homes (const struct bspsat_beam *beam, const int32_t *numbers, uint64_t homes, int32_t *measures) {
  const struct bspsat_tables *tables = &beam->search.tables;
  const int32_t tubes = beam->search.packing.tubes, many = INT32_MAX, *blocks = beam->space;
  int32_t temporaries = 0, runs = 0, mixed = 0, buried = 0, first = many, second = many, used = 0;
  uint64_t tops = 0;
  bool undecided = false;
  for (; used < tubes && numbers[used]; used++) {
    int32_t left = numbers[used], above = 0, blocked = 0;
    tops = with (tops, tables->top[left]);
    undecided |= tables->kind[left] == UNIFORM;
    if (tables->kind[left] == TEMPORARY)
      temporaries++;
    if (tables->kind[left] == MIXED) {
      mixed++;
      runs += blocks[left];
    }
    for (; tables->kind[left] == MIXED; left = tables->less[left]) {
      const int32_t run = tables->run[left];
      if (is_in (tables->top[left], homes))
        buried += run * above + run * (run - 1) / 2;
      else
        blocked++;
      above += run;
    }
    if (blocked < first)
      second = first, first = blocked;
    else
      second = least (second, blocked);
  }
  measures[0] = tubes - used - __builtin_popcountll (homes);
  measures[1] = temporaries, measures[2] = runs, measures[3] = mixed, measures[4] = buried;
  measures[5] = first == many ? 0 : first;
  measures[6] = second == many ? 0 : second;
  measures[7] = __builtin_popcountll (tops);
  return undecided;
}

/* The same in the space of moves: empty tubes; tubes with one colour that have room; the squares of runs; full tubes of one
colour; least runs in a tube with several; different colours on top of tubes that aren't finished. */
static void measure_moves (const struct bspsat_beam *beam, const int32_t *numbers, int32_t *measures) {
  const struct bspsat_tables *tables = &beam->search.tables;
  const int32_t *blocks = beam->space;
  int32_t empty = 0, uniform = 0, squares = 0, full = 0, fewest = INT32_MAX;
  uint64_t tops = 0;
  for (int32_t place = 0; place < beam->search.packing.tubes; place++) {
    const int32_t number = numbers[place], runs = blocks[number];
    squares += runs * runs;
    if (runs == 0)
      empty++;
    else if (runs == 1 && tables->room[number] == 0) {
      full++;
      continue;
    } else if (runs == 1)
      uniform++;
    else
      fewest = least (fewest, runs);
    if (runs)
      tops = with (tops, tables->top[number]);
  }
  measures[0] = empty, measures[1] = uniform, measures[2] = squares, measures[3] = full;
  measures[4] = fewest == INT32_MAX ? 1 : fewest;
  measures[5] = __builtin_popcountll (tops);
  measures[6] = measures[7] = 0;
}

/* Takes a child whose numbers are in `search->child`; false when memory is used up. */
static bool enter_child (struct bspsat_search *search, uint64_t homes, int32_t cost) {
  struct bspsat_beam *beam = (struct bspsat_beam *) search;
  int32_t *child = search->child;
  sort (child, search->packing.tubes);
  const int32_t bound = bound_of_state (search, child, homes);
  if (cost + bound > search->limit || cost > MOST_COST || bound > MOST_BOUND)
    return true;
  uint64_t key[MOST_WORDS];
  pack (&search->packing, child, key);
  if (bound == 0 && is_at_goal (search, child))
    return take_goal (beam, key, cost);
  int32_t measures[MEASURES];
  bool undecided = false;
  if (search->packing.by_homes)
    undecided = measure_homes (beam, child, homes, measures);
  else
    measure_moves (beam, child, measures);
  return take_candidate (beam, key, cost, bound, measures, undecided);
}

static bool expand_board (struct bspsat_beam *beam, int32_t state) {
  struct bspsat_search *search = &beam->search;
  const bool has_room = expand (search, take_up (search, record_at (search, state), state));
  beam->complete &= search->half == NOTHING;
  search->half = NOTHING; // what is left of the children is left out
  return has_room;
}

static bool enter_board (struct bspsat_beam *beam) { return enter_start (&beam->search); }

static int64_t plan_of_board (struct bspsat_beam *beam, uint8_t *moves, int64_t room) {
  return bspsat_search_plan (&beam->search, moves, room);
}

/* Counts the runs of each content: of one with less first, which has a greater number where the board has no rules. */
static bool count_runs (struct bspsat_beam *beam) {
  const struct bspsat_tables *tables = &beam->search.tables;
  int32_t *blocks = beam->space = take ((int64_t) sizeof *blocks * tables->numbers);
  if (!blocks)
    return false;
  for (int32_t number = 0; number < tables->numbers; number++) {
    int32_t runs = 0, colour = -1;
    int64_t balls = tables->capacity; // at most: no more are counted of tables that go in a circle
    for (int32_t left = number; left && tables->top[left] >= 0 && balls; left = tables->less[left], balls--) {
      runs += tables->top[left] != colour;
      colour = tables->top[left];
    }
    blocks[number] = runs;
  }
  return true;
}

struct bspsat_beam *bspsat_beam_new (const struct bspsat_board *board, const int32_t *numbers) {
  struct bspsat_beam *beam = take_zeros (sizeof *beam);
  if (!beam)
    return 0;
  struct bspsat_search *search = &beam->search;
  search->pruned = true;
  search->enters = enter_child;
  beam->begin = enter_board, beam->expand = expand_board, beam->plan = plan_of_board;
  if (board->by_homes && board->tables.capacity >= TALL)
    beam->weights = TALL_BY_HOMES, beam->vectors = sizeof TALL_BY_HOMES / sizeof *TALL_BY_HOMES;
  else if (board->by_homes)
    beam->weights = BY_HOMES, beam->vectors = sizeof BY_HOMES / sizeof *BY_HOMES;
  else
    beam->weights = BY_MOVES, beam->vectors = sizeof BY_MOVES / sizeof *BY_MOVES;
  if (fit_search (search, board) && bspsat_search_start (search, numbers) == BSPSAT_FOUND && count_runs (beam))
    return beam;
  bspsat_beam_free (beam);
  return 0;
}
