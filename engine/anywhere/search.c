/* Positions as states, and A* with partial expansion (Yoshizumi, Miura and Ishida 2000).

A bound is consistent: it falls by one move at most. So the children of a state have its rank, or a higher one, and a state is
stored first with the fewest moves. A child is stored when its own rank is in work; until then its parent, which is put
back for the rank of its next children, makes it again.

The ball just moved isn't moved again: its second move would lead to a position that is reached without the first one, or
is the one before; from there on no way is shorter. Where the tubes have locks, the first move may open one that the second
needs; there nothing is left out. Of the empty tubes of a group the first one counts for all. */

#include "anywhere/space.h"

#include "memory.h"
#include "search/spaces.h"

#include <stddef.h>
#include <string.h>

enum { NO_TUBE = 255, MARK = 4 }; // bytes behind a key, the first of which says where the last ball went to
enum { TUBE_BYTES = offsetof (struct bspsat_tube, lock_tubes) + sizeof (int32_t) }; // without what fills it up

static uint8_t *mark_of (const struct bspsat_search *core, int32_t state) {
  return (uint8_t *) record_at (core, state) + core->stride - MARK;
}

/* Stores a position after the one in work, unless it is there; false when memory is used up. */
static bool store (struct bspsat_anywhere *search, const struct position *position, int32_t last, int32_t bound) {
  struct bspsat_search *core = &search->core;
  uint64_t key[MOST_WORDS];
  write_key (search, position, key, &last);
  const struct child child = {hash_of (key, core->packing.words), 0, core->now_cost + 1, core->now, 0};
  uint32_t *slot = slot_of (core, key, child.hash, place_of (core, child.hash));
  core->work += core->packing.words + 8;
  if (*slot != EMPTY)
    return true;
  const int64_t bucket = bucket_of (core, child.cost, bound);
  if (child.cost > MOST_COST || bound > MOST_BOUND || !enter (core, slot, key, &child, bound, bucket))
    return false;
  *mark_of (core, core->states - 1) = (uint8_t) last;
  return true;
}

/* Stores the children of the state in work whose rank is the one in work, and puts it back for the next ones. */
static bool expand_anywhere (struct bspsat_search *core, uint64_t none) {
  struct bspsat_anywhere *search = (struct bspsat_anywhere *) core;
  struct position *work = &search->work;
  const int32_t state = core->now, rank = core->now_cost + core->now_bound, rise = (int32_t) core->layer - rank;
  if (core->layer > core->limit)
    core->facts.cut = true;
  if (core->layer > core->limit || rise)
    core->facts.expansions--; // a state counts once
  if (core->layer > core->limit)
    return true;
  read_key (search, key_at (record_at (core, state)), work);
  const int32_t tubes = search->tubes, last = *mark_of (core, state), bound = bound_of (search, work);
  int32_t next = (int32_t) none;
  core->work += tubes;
  for (int32_t from = 0; from < tubes; from++) {
    if (!may_give (search, work, from) || (from == last && !search->plain && !search->locks && search->by_ball))
      continue;
    const int32_t ball = top_of (work, from);
    for (int32_t to = 0; to < tubes; to++) {
      if (to == from || !may_take (search, work, to, ball))
        continue;
      if (!work->load[to]) {
        const int32_t before = search->before[to];
        if (before >= 0 && !work->load[before])
          continue;
        if (work->load[from] == 1 && search->rules[from].group == search->rules[to].group)
          continue;
      }
      if (!amount_of (search, work, from, to))
        continue;
      int32_t after;
      if (search->by_ball)
        after = bound_after (search, work, bound, from, to);
      else {
        search->other = *work;
        play (search, &search->other, from, to);
        after = bound_of (search, &search->other);
        core->work += tubes * search->colours;
      }
      if (after >= NO_PLAN)
        continue;
      const int32_t further = 1 + after - bound;
      search->is_wrong = further < 0 || further > UINT16_MAX;
      if (search->is_wrong)
        return false;
      if (further < rise)
        continue;
      if (further > rise) {
        next = next ? least (next, further) : further;
        continue;
      }
      if (search->locks || !search->by_ball) {
        if (search->by_ball) {
          search->other = *work;
          play (search, &search->other, from, to);
        }
        if (!store (search, &search->other, to, after))
          return false;
      } else {
        const uint8_t run_from = work->run[from], run_to = work->run[to];
        lift (work, from), drop (work, to, ball);
        const bool is_stored = store (search, work, to, after);
        work->load[to]--, work->load[from]++;
        work->run[from] = run_from, work->run[to] = run_to;
        if (!is_stored)
          return false;
      }
    }
  }
  if (!next)
    return true;
  struct record *record = record_at (core, state);
  record->bound &= (uint16_t) ~CLOSED;
  return put (core, record, state, (int64_t) TIES * (rank + next)); // before all others of that rank
}

int64_t bspsat_anywhere_run (struct bspsat_anywhere *search, int64_t limit, int64_t steps, int64_t most_bytes) {
  struct bspsat_search *core = &search->core;
  if (search->is_wrong)
    return BSPSAT_INVALID;
  core->facts.cut |= core->facts.rank > limit;
  if (search->start_bound >= NO_PLAN || core->facts.rank > limit)
    return BSPSAT_EXHAUSTED;
  if (core->found != NOTHING)
    return BSPSAT_FOUND;
  if (!limit_room (core, most_bytes))
    return BSPSAT_MEMORY;
  core->turn = steps < 0 ? 0 : steps < MOST_STEPS ? steps : MOST_STEPS;
  const enum bspsat_status status = go_by_rank (core, (int32_t) (limit < BSPSAT_NO_LIMIT ? limit : BSPSAT_NO_LIMIT), MOST_STATES);
  core->facts.rank = core->bucket / TIES;
  core->facts.states = core->states;
  return search->is_wrong ? BSPSAT_INVALID : status;
}

/*------------------------------------------------------------------------*/

/* Makes the move that leads to the position with a key; false where there is none. */
static bool make_move (struct bspsat_anywhere *search, struct position *position, const key_word *wanted, uint8_t *move) {
  uint64_t key[MOST_WORDS];
  for (int32_t pair = 0; pair < search->tubes * search->tubes; pair++) {
    const int32_t from = pair / search->tubes, to = pair % search->tubes;
    if (from == to || !may_give (search, position, from) || !may_take (search, position, to, top_of (position, from)))
      continue;
    int32_t last = NO_TUBE;
    search->other = *position;
    play (search, &search->other, from, to);
    write_key (search, &search->other, key, &last);
    if (memcmp (key, wanted, 8 * (size_t) search->core.packing.words))
      continue;
    move[0] = (uint8_t) from, move[1] = (uint8_t) to;
    *position = search->other;
    return true;
  }
  return false;
}

/* States are positions up to the order of tubes: each move is one that leads to the next state. */
int64_t write_plan (struct bspsat_anywhere *search, const struct bspsat_search *core, uint8_t *moves, int64_t room) {
  const int64_t length = record_at (core, core->found)->cost;
  if (length > room)
    return length;
  int32_t *way = take ((length + 1) * (int64_t) sizeof *way);
  if (!way)
    return BSPSAT_MEMORY;
  way[length] = core->found;
  for (int64_t move = length; move--;)
    way[move] = record_at (core, way[move + 1])->parent;
  search->work = search->start;
  bool is_made = true;
  for (int64_t move = 0; move < length && is_made; move++)
    is_made = make_move (search, &search->work, key_at (record_at (core, way[move + 1])), moves + 2 * move);
  give_back (way);
  return is_made ? length : BSPSAT_INVALID;
}

int64_t bspsat_anywhere_plan (struct bspsat_anywhere *search, uint8_t *moves, int64_t room) {
  return search->core.found == NOTHING ? BSPSAT_INVALID : write_plan (search, &search->core, moves, room);
}

int64_t bspsat_anywhere_states (struct bspsat_anywhere *search, int64_t limit, uint8_t *rows, uint8_t *locked) {
  int64_t listed = 0;
  struct position *work = &search->work;
  for (int32_t state = 0; state < search->core.states; state++) {
    const struct record *record = record_at (&search->core, state);
    if (record->cost + bound_at (record) > limit)
      continue;
    listed++;
    if (!rows)
      continue;
    read_key (search, key_at (record), work);
    for (int32_t byte = 0; byte < 4; byte++)
      *rows++ = (uint8_t) (record->cost >> 8 * byte);
    for (int32_t tube = 0; tube < search->tubes; tube++, rows += search->tallest + 1) {
      memset (rows, 0, (size_t) search->tallest + 1);
      rows[0] = work->load[tube];
      memcpy (rows + 1, work->balls[tube], work->load[tube]);
      *locked++ = work->locked[tube];
    }
  }
  return listed;
}

const struct bspsat_facts *bspsat_anywhere_facts (const struct bspsat_anywhere *search) { return &search->core.facts; }

/*------------------------------------------------------------------------*/

/* Whether a board is one: all its numbers are within its bounds, and tubes of a group have the same rules. */
static bool is_board (const struct bspsat_loose *board) {
  if (board->goal < BSPSAT_GOAL_FULL || board->goal > BSPSAT_GOAL_WANTED || board->colours < 0 ||
      board->colours > COLOURS || board->tubes < 1 || board->tubes > TUBES)
    return false;
  const uint8_t *ball = board->balls;
  for (int32_t tube = 0; tube < board->tubes; tube++) {
    const struct bspsat_tube *rule = &board->rules[tube];
    if (rule->capacity < 1 || rule->capacity > HEIGHT || board->loads[tube] > rule->capacity || rule->own < -1 ||
        rule->own >= board->colours || rule->lock_colour < -1 || rule->lock_colour >= board->colours || rule->lock_tubes < 0)
      return false;
    for (int32_t other = 0; other < tube; other++)
      if (board->rules[other].group == rule->group && memcmp (&board->rules[other], rule, TUBE_BYTES))
        return false;
    for (int32_t each = 0; each < board->loads[tube]; each++)
      if (*ball++ >= board->colours)
        return false;
  }
  return true;
}

/* Takes over a board that is one. */
static void take_over (struct bspsat_anywhere *search, const struct bspsat_loose *board) {
  search->goal = board->goal, search->colours = board->colours, search->tubes = board->tubes;
  search->corks = board->corks, search->plain = board->plain;
  search->pours = board->pours, search->whole = board->pours && board->whole, search->drains = board->drains;
  search->by_ball = !search->pours && !search->drains;
  search->bits = 1;
  while (1 << search->bits < board->colours)
    search->bits++;
  const uint8_t *balls = board->balls;
  for (int32_t tube = 0; tube < board->tubes; tube++) {
    const struct bspsat_tube *rule = &board->rules[tube];
    search->rules[tube] = *rule;
    search->tallest = most_of (search->tallest, rule->capacity);
    for (int32_t ball = 0; ball < board->loads[tube]; ball++, balls++) {
      put_ball (search, &search->start, tube, *balls);
      search->counts[*balls]++;
    }
    search->start.locked[tube] = rule->lock_colour >= 0 || rule->lock_tubes > 0;
    search->locks |= search->start.locked[tube];
    search->offset[tube + 1] = search->offset[tube] + rule->capacity * search->bits + 1;
    search->before[tube] = -1;
    for (int32_t other = 0; other < tube; other++)
      if (search->rules[other].group == rule->group)
        search->before[tube] = other;
  }
  search->core.packing.words = (search->offset[board->tubes] + (search->locks ? board->tubes : 0) + 63) / 64;
  for (int32_t colour = 0; colour < board->colours; colour++) {
    search->wanted[colour] = board->wanted[colour], search->most[colour] = board->homes[colour];
    const int32_t count = search->counts[colour];
    for (int32_t tube = 0; tube < board->tubes; tube++) {
      const struct bspsat_tube *rule = &board->rules[tube];
      const bool fits = board->goal == BSPSAT_GOAL_COLOURED   ? rule->own == colour
                        : board->goal == BSPSAT_GOAL_FULL     ? rule->capacity <= count
                        : board->goal == BSPSAT_GOAL_GATHERED ? rule->capacity >= count
                                                              : true;
      if (fits && is_in (colour, rule->takes))
        search->ends[tube] = with (search->ends[tube], colour);
    }
  }
}

/* Enters the start, unless no plan begins there; false when memory is used up. */
static bool begin (struct bspsat_anywhere *search) {
  struct bspsat_search *core = &search->core;
  core->stride = HEAD + 8 * core->packing.words + MARK;
  core->cost_weight = core->bound_weight = 1;
  core->expands = expand_anywhere;
  if (!clear_states (core) || !choose_bound (search))
    return false;
  search->start_bound = bound_of (search, &search->start);
  core->now = NOTHING, core->now_cost = -1;
  core->facts.rank = search->start_bound < NO_PLAN ? search->start_bound : 0;
  return search->start_bound >= NO_PLAN || store (search, &search->start, NO_TUBE, search->start_bound);
}

int64_t bspsat_anywhere_new (const struct bspsat_loose *board, struct bspsat_anywhere **made) {
  if (!is_board (board))
    return BSPSAT_INVALID;
  struct bspsat_anywhere *search = take_zeros (sizeof *search);
  if (!search)
    return BSPSAT_MEMORY;
  take_over (search, board);
  if (begin (search)) {
    *made = search;
    return BSPSAT_FOUND;
  }
  bspsat_anywhere_free (search);
  return BSPSAT_MEMORY;
}

void bspsat_anywhere_free (struct bspsat_anywhere *search) {
  if (!search)
    return;
  give_back_states (&search->core);
  bspsat_beam_free (search->beam);
  give_back (search->group);
  give_back (search->tables);
  give_back (search);
}
