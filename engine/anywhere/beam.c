/* Beams where balls go anywhere.

Every move can be undone where tubes have no rules, so there are no dead ends. A position is better the less its bound is,
and the less has to be moved for the next ball to go home. */

#include "anywhere/space.h"

#include "memory.h"
#include "search/spaces.h"

enum { ABOVE_COUNTS = 3, FOREIGN_COUNTS = 2, FAR = 1 << 18, MOST_CANDIDATES = 1 << 18, MOST_BYTES = 1 << 28 };

static const struct weights OF_ANYWHERE[] = {{20, {1}}};

/* Foreign balls in homes, and those that have to leave before one more ball can go home: the foreign ones on its home, and
with a greater weight the ones above it; the colour with fewest counts. So to put a ball aside on a home, where it lies above
another that goes there, is a gain. The homes are given, or each colour's is the tube with most of it at the bottom; those
without any choose last, since they would take others' homes: that left boards of (12,8) with 13 tubes without a plan. */
static int32_t work_left (const struct bspsat_anywhere *search, const struct position *position) {
  int32_t home[COLOURS], above[COLOURS], fewest = FAR, all = 0;
  bool is_home[TUBES] = {false};
  for (int32_t colour = 0; colour < search->colours; colour++)
    home[colour] = -1, above[colour] = FAR;
  for (int32_t round = 0; round < 2; round++) // those without a ball at a bottom choose last
    for (int32_t colour = 0; colour < search->colours; colour++) {
      int32_t best = -HEIGHT - 1, *chosen = &home[colour];
      if (*chosen >= 0)
        continue;
      for (int32_t tube = 0; tube < search->tubes; tube++) {
        if (is_home[tube] || !is_in (colour, search->ends[tube]))
          continue;
        const int32_t kept = kept_in (search, position, tube, colour);
        const int32_t worth = search->rules[tube].own == colour ? HEIGHT + 1 : kept ? kept : -position->load[tube];
        if (worth > best && (worth > 0 || round == 1))
          *chosen = tube, best = worth;
      }
      if (*chosen >= 0)
        is_home[*chosen] = true;
    }
  for (int32_t tube = 0; tube < search->tubes; tube++)
    for (int32_t ball = position->load[tube] - 1; ball >= 0; ball--) {
      const int32_t colour = position->balls[tube][ball];
      if (home[colour] != tube || ball >= kept_in (search, position, tube, colour))
        above[colour] = least (above[colour], position->load[tube] - 1 - ball);
    }
  for (int32_t colour = 0; colour < search->colours; colour++) {
    if (home[colour] < 0)
      continue;
    const int32_t foreign = position->load[home[colour]] - kept_in (search, position, home[colour], colour);
    fewest = least (fewest, FOREIGN_COUNTS * foreign + ABOVE_COUNTS * above[colour]);
    all += foreign;
  }
  return (fewest == FAR ? 0 : fewest) + all;
}

/* Takes the moves of a state, from one tube after the other, while there are steps; up to a goal. */
static bool expand_position (struct bspsat_beam *beam, int32_t state) {
  struct bspsat_anywhere *search = beam->board;
  struct bspsat_search *store = &beam->search;
  struct position *work = &search->work, *next = &search->other;
  const struct record *record = record_at (store, state);
  const int32_t tubes = search->tubes, cost = record->cost + 1;
  read_key (search, key_at (record), work);
  search->core.work = store->work;
  const int32_t bound = bound_of (search, work);
  int32_t from = most_of (0, store->half);
  store->half = NOTHING, store->now = state;
  for (bool goes_on = true; from < tubes && goes_on; from++) {
    search->core.work++;
    for (int32_t to = 0; may_give (search, work, from) && to < tubes; to++) {
      if (to == from || !may_take (search, work, to, top_of (work, from)))
        continue;
      const int32_t after = bound_after (search, work, bound, from, to);
      if (cost + after > store->limit)
        continue;
      uint64_t key[MOST_WORDS];
      int32_t last = 0;
      *next = *work;
      play (search, next, from, to);
      write_key (search, next, key, &last);
      if (!after)
        return take_goal (beam, key, cost);
      const int32_t measures[MEASURES] = {work_left (search, next)};
      search->core.work += tubes * (20 + search->colours) + store->packing.words;
      if (!take_candidate (beam, key, cost, after, measures, false))
        return false;
    }
    goes_on = search->core.work < store->turn;
    if (!goes_on && from + 1 < tubes)
      store->half = from + 1;
  }
  store->work = search->core.work;
  return true;
}

static bool enter_position (struct bspsat_beam *beam) {
  struct bspsat_anywhere *search = beam->board;
  static const int32_t none[MEASURES];
  uint64_t key[MOST_WORDS];
  int32_t last = 0;
  write_key (search, &search->start, key, &last);
  return search->start_bound >= NO_PLAN || take_candidate (beam, key, 0, search->start_bound, none, false);
}

static int64_t plan_of_positions (struct bspsat_beam *beam, uint8_t *moves, int64_t room) {
  return write_plan (beam->board, &beam->search, moves, room);
}

int64_t bspsat_anywhere_beam (struct bspsat_anywhere *search, int64_t width, int64_t limit, int64_t steps) {
  bspsat_beam_free (search->beam);
  search->beam = 0;
  if (!search->by_ball)
    return BSPSAT_INVALID;
  struct bspsat_beam *beam = search->beam = take_zeros (sizeof *beam);
  if (!beam)
    return BSPSAT_MEMORY;
  const int64_t each = search->tubes * (int64_t) search->tubes, most = (MOST_CANDIDATES + each - 1) / each;
  beam->only_width = (int32_t) (width < 1 ? 1 : width < most ? width : most);
  beam->begin = enter_position, beam->expand = expand_position, beam->plan = plan_of_positions;
  beam->weights = OF_ANYWHERE, beam->vectors = 1;
  beam->board = search;
  beam->search.packing = search->core.packing;
  beam->search.stride = HEAD + 8 * beam->search.packing.words;
  beam->search.limit = (int32_t) (limit < 0 ? -1 : limit < BSPSAT_NO_LIMIT ? limit : BSPSAT_NO_LIMIT);
  search->beam_left = steps < 0 ? 0 : steps;
  if (clear_states (&beam->search))
    return BSPSAT_FOUND;
  bspsat_beam_free (beam);
  search->beam = 0;
  return BSPSAT_MEMORY;
}

int64_t bspsat_anywhere_beam_run (struct bspsat_anywhere *search, int64_t steps) {
  struct bspsat_beam *beam = search->beam;
  if (!beam || beam->is_over)
    return BSPSAT_INVALID;
  beam->search.turn = steps < 0 ? 0 : steps < search->beam_left ? steps : search->beam_left;
  int64_t status = bspsat_beam_run (beam, beam->search.limit, INT64_MAX, MOST_BYTES);
  search->beam_left -= beam->search.work;
  if (status == BSPSAT_PAUSED && search->beam_left <= 0)
    status = BSPSAT_EXHAUSTED;
  beam->is_over = status != BSPSAT_PAUSED;
  return status;
}

int64_t bspsat_anywhere_beam_plan (struct bspsat_anywhere *search, uint8_t *moves, int64_t room) {
  return search->beam ? bspsat_beam_plan (search->beam, moves, room) : BSPSAT_INVALID;
}
