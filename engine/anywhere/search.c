/* A* in levels of the rank, moves so far and bound, with partial expansion (Yoshizumi, Miura and Ishida 2000).

A bound is consistent: it falls by one move at most. So the children of a state have its rank, or a higher one, and a level
is done before the next one begins. A child is stored at its own level only; until then its parent says how far away its
next children are, and makes them once more. A state is stored first at its least rank, and its bound is known from the
position, so its moves so far are as few as can be, and nothing is stored but its key, its parent and two marks.

The ball just moved isn't moved again: its second move would lead to a position that is reached without the first one, or
is the one before; from there on no way is shorter. Where the tubes have locks, the first move may open one that the second
needs; there nothing is left out. Of the empty tubes of a group the first one counts for all. */

#include "anywhere/space.h"

#include "memory.h"
#include "search/packing.h"

#include <string.h>

#define NOBODY UINT32_MAX

enum { FIRST_ROOM = 1 << 9, FIRST_PLACES = 1 << 10, FULL_OF_TEN = 8, MOST_STATES_HERE = INT32_MAX - 1, NO_TUBE = 255 };

/* Makes an array longer, with room for so many items; false when memory is used up. */

static bool lengthen (void *array, int64_t *items, int64_t wanted, int64_t size) {
  if (wanted <= *items)
    return true;
  void *moved, *given;
  memcpy (&given, array, sizeof given);
  moved = resize_large (given, *items * size, wanted * size);
  if (!moved)
    return false;
  memcpy (array, &moved, sizeof moved);
  *items = wanted;
  return true;
}

static int64_t key_bytes (const struct bspsat_anywhere *search) { return search->words * (int64_t) sizeof *search->keys; }

static int64_t bytes_of (const struct bspsat_anywhere *search, int64_t room, int64_t places, int64_t open) {
  return room * (key_bytes (search) + (int64_t) (sizeof *search->parents + sizeof *search->marks)) + places * 4 + open * (int64_t) sizeof *search->open;
}

static uint32_t *place_of_key (const struct bspsat_anywhere *search, const uint64_t *key) {
  const size_t bytes = (size_t) key_bytes (search);
  int64_t place = (int64_t) ((hash_of (key, search->words) >> 32) * (uint64_t) search->places >> 32);
  for (;; place = place + 1 < search->places ? place + 1 : 0) {
    uint32_t *slot = &search->table[place];
    if (*slot == NOBODY || !memcmp (search->keys + *slot * (int64_t) search->words, key, bytes))
      return slot;
  }
}

/* Makes room for so many further states, within a number of bytes; false where there isn't as much. */

static bool make_room (struct bspsat_anywhere *search, int64_t further, int64_t most_bytes) {
  const int64_t needed = search->states + further;
  int64_t room = search->mark_room, places = search->places, open = search->open_room;
  while (room < needed)
    room += room / 2;
  while (places * FULL_OF_TEN / 10 < needed)
    places += places / 2;
  while (open < search->open_made + further)
    open += open / 2;
  if (room == search->mark_room && places == search->places && open == search->open_room)
    return true;
  if (needed > MOST_STATES_HERE || bytes_of (search, room, places, open) > most_bytes ||
      !lengthen (&search->keys, &search->key_room, room, key_bytes (search)) ||
      !lengthen (&search->parents, &search->parent_room, room, sizeof *search->parents) ||
      !lengthen (&search->marks, &search->mark_room, room, sizeof *search->marks) ||
      !lengthen (&search->open, &search->open_room, open, sizeof *search->open))
    return false;
  if (places > search->places) {
    uint32_t *table = take_large (places * 4);
    if (!table)
      return false;
    give_back_large (search->table, search->places * 4);
    search->table = table, search->places = places;
    memset (table, 255, (size_t) places * 4);
    for (int64_t state = 0; state < search->states; state++)
      *place_of_key (search, search->keys + state * search->words) = (uint32_t) state;
  }
  search->facts.bytes = bytes_of (search, room, places, open);
  return true;
}

/* Stores a position with a bound, unless it is there. */

static void store (struct bspsat_anywhere *search, const struct position *position, int64_t parent, int32_t last,
                   int32_t bound) {
  uint64_t *key = search->keys + search->states * search->words;
  int32_t place = last;
  write_key (search, position, key, &place);
  uint32_t *slot = place_of_key (search, key);
  if (*slot != NOBODY)
    return;
  const uint32_t state = (uint32_t) search->states++;
  *slot = state;
  search->parents[state] = (uint32_t) parent;
  search->marks[state] = (struct mark) {.last = (uint8_t) place};
  uint32_t entry = search->open_free;
  if (entry == NOBODY)
    entry = (uint32_t) search->open_made++;
  else
    search->open_free = search->open[entry].next;
  search->open[entry] = (struct open) {state, search->heads[bound]};
  search->heads[bound] = entry;
  search->lowest = least (search->lowest, bound);
  if (!bound)
    search->found = state;
}

/* Stores the children of a state whose rank is higher by `rise`; its mark says how far away the next ones are. False for an
inconsistent bound. */

static bool expand (struct bspsat_anywhere *search, int64_t state, int32_t rise) {
  struct position *work = &search->work;
  read_key (search, search->keys + state * search->words, work);
  const int32_t tubes = search->tubes, last = search->marks[state].last, bound = bound_of (search, work);
  int32_t next = 0;
  search->spent += tubes;
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
        search->spent += tubes * search->colours;
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
        store (search, &search->other, state, to, after);
      } else {
        const uint8_t run_from = work->run[from], run_to = work->run[to];
        lift (work, from), drop (work, to, ball);
        store (search, work, state, to, after);
        work->load[to]--, work->load[from]++;
        work->run[from] = run_from, work->run[to] = run_to;
      }
      search->spent += search->words + 8;
    }
  }
  search->marks[state].next = (uint16_t) next;
  search->farthest = most_of (search->farthest, next);
  return true;
}

static int64_t first_of (const struct bspsat_anywhere *search, int64_t level) {
  return level > search->level ? search->states : search->levels[level];
}

/* Begins the next level; false where nothing is left for any. */

static bool begin_level (struct bspsat_anywhere *search) {
  bool is_left = false;
  for (int64_t level = search->level; level >= 0 && level > search->level - search->farthest && !is_left; level--)
    for (int64_t state = first_of (search, level); state < first_of (search, level + 1) && !is_left; state++)
      is_left = level + search->marks[state].next > search->level;
  if (!is_left)
    return false;
  search->level++;
  search->levels[search->level] = (uint32_t) search->states;
  search->back = 1;
  search->at = first_of (search, search->level - 1);
  return true;
}

/* Makes the levels, and the lists of a level by bound, longer. */

static bool make_levels (struct bspsat_anywhere *search) {
  const int64_t needed = search->start_bound + search->level + 300;
  if (needed < search->head_room)
    return true;
  const int64_t before = search->head_room;
  if (!lengthen (&search->levels, &search->level_room, 2 * needed, sizeof *search->levels) ||
      !lengthen (&search->heads, &search->head_room, 2 * needed, sizeof *search->heads))
    return false;
  memset (search->heads + before, 255, (size_t) (search->head_room - before) * sizeof *search->heads);
  return true;
}

int64_t bspsat_anywhere_run (struct bspsat_anywhere *search, int64_t limit, int64_t steps, int64_t most_bytes) {
  const int64_t until = search->spent + (steps < 0 ? 0 : steps < MOST_STEPS ? steps : MOST_STEPS);
  const int64_t further = search->tubes * (int64_t) search->tubes;
  if (search->is_wrong)
    return BSPSAT_INVALID;
  if (search->start_bound >= NO_PLAN)
    return BSPSAT_EXHAUSTED;
  while (search->spent < until) {
    const int64_t rank = search->start_bound + search->level;
    search->facts.rank = rank;
    search->facts.states = search->states;
    if (rank > limit) {
      search->facts.cut = true;
      return BSPSAT_EXHAUSTED;
    }
    if (search->found >= 0) {
      search->facts.cost = rank;
      return BSPSAT_FOUND;
    }
    if (!make_levels (search) || !make_room (search, further, most_bytes))
      return BSPSAT_MEMORY;
    search->spent++;
    if (search->back) {
      // The children that the states of earlier levels have at this one.
      const int64_t level = search->level - search->back, behind = first_of (search, level + 1);
      while (search->at < behind && search->marks[search->at].next != search->back)
        search->at++;
      if (search->at < behind) {
        if (!expand (search, search->at++, search->back))
          return BSPSAT_INVALID;
      } else if (search->back < search->farthest && level > 0)
        search->at = first_of (search, search->level - ++search->back);
      else
        search->back = 0;
      continue;
    }
    while (search->lowest < search->head_room && search->heads[search->lowest] == NOBODY)
      search->lowest++;
    if (search->lowest == search->head_room) {
      search->lowest = 0;
      if (!begin_level (search))
        return BSPSAT_EXHAUSTED;
      continue;
    }
    const uint32_t entry = search->heads[search->lowest], state = search->open[entry].state;
    search->heads[search->lowest] = search->open[entry].next;
    search->open[entry].next = search->open_free;
    search->open_free = entry;
    search->facts.expansions++;
    if (!expand (search, state, 0))
      return BSPSAT_INVALID;
  }
  return BSPSAT_PAUSED;
}

/*------------------------------------------------------------------------*/

int64_t bspsat_anywhere_plan (struct bspsat_anywhere *search, uint8_t *moves, int64_t room) {
  if (search->found < 0)
    return BSPSAT_INVALID;
  int64_t length = 0;
  for (int64_t state = search->found; search->parents[state] != NOBODY; state = search->parents[state])
    length++;
  if (length > room)
    return length;
  uint32_t *way = take (length * 4 + 4);
  if (!way)
    return BSPSAT_MEMORY;
  int64_t state = search->found;
  for (int64_t move = length; move--; state = search->parents[state])
    way[move] = (uint32_t) state;
  // States are positions up to the order of tubes: each move is one that leads to the next state.
  struct position *work = &search->work, *next = &search->other;
  uint64_t key[MOST_KEY];
  *work = search->start;
  bool is_found = true;
  for (int64_t move = 0; move < length && is_found; move++) {
    is_found = false;
    for (int32_t pair = 0; pair < search->tubes * search->tubes && !is_found; pair++) {
      const int32_t from = pair / search->tubes, to = pair % search->tubes;
      if (from == to || !may_give (search, work, from) || !may_take (search, work, to, top_of (work, from)))
        continue;
      int32_t last = NO_TUBE;
      *next = *work;
      play (search, next, from, to);
      write_key (search, next, key, &last);
      if (memcmp (key, search->keys + way[move] * (int64_t) search->words, (size_t) key_bytes (search)))
        continue;
      moves[2 * move] = (uint8_t) from, moves[2 * move + 1] = (uint8_t) to;
      is_found = true;
    }
    *work = *next;
  }
  give_back (way);
  return is_found ? length : BSPSAT_INVALID;
}

int64_t bspsat_anywhere_states (struct bspsat_anywhere *search, int64_t limit, uint8_t *rows, uint8_t *locked) {
  int64_t listed = 0;
  struct position *work = &search->work;
  for (int64_t level = 0; search->states && level <= search->level && search->start_bound + level <= limit; level++)
    for (int64_t state = first_of (search, level); state < first_of (search, level + 1); state++, listed++) {
      if (!rows)
        continue;
      read_key (search, search->keys + state * search->words, work);
      const int64_t cost = search->start_bound + level - bound_of (search, work);
      for (int32_t byte = 0; byte < 4; byte++)
        *rows++ = (uint8_t) (cost >> 8 * byte);
      for (int32_t tube = 0; tube < search->tubes; tube++, rows += search->tallest + 1) {
        memset (rows, 0, (size_t) search->tallest + 1);
        rows[0] = work->load[tube];
        memcpy (rows + 1, work->balls[tube], work->load[tube]);
        *locked++ = work->locked[tube];
      }
    }
  return listed;
}

const struct bspsat_facts *bspsat_anywhere_facts (const struct bspsat_anywhere *search) { return &search->facts; }

/*------------------------------------------------------------------------*/

static bool are_alike (const struct bspsat_tube *rule, const struct bspsat_tube *other) {
  return rule->takes == other->takes && rule->capacity == other->capacity && rule->own == other->own &&
         rule->gives == other->gives && rule->matches == other->matches && rule->lock_colour == other->lock_colour &&
         rule->lock_tubes == other->lock_tubes;
}

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
      if (board->rules[other].group == rule->group && !are_alike (&board->rules[other], rule))
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
      put (search, &search->start, tube, *balls);
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
  search->words = (search->offset[board->tubes] + (search->locks ? board->tubes : 0) + 63) / 64;
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

/* Takes the first memory; false when it is used up. */

static bool take_first (struct bspsat_anywhere *search) {
  search->table = take_large (FIRST_PLACES * 4);
  search->places = FIRST_PLACES;
  if (!search->table || !lengthen (&search->keys, &search->key_room, FIRST_ROOM, key_bytes (search)) ||
      !lengthen (&search->parents, &search->parent_room, FIRST_ROOM, sizeof *search->parents) ||
      !lengthen (&search->marks, &search->mark_room, FIRST_ROOM, sizeof *search->marks) ||
      !lengthen (&search->open, &search->open_room, FIRST_ROOM, sizeof *search->open))
    return false;
  memset (search->table, 255, FIRST_PLACES * 4);
  return true;
}

int64_t bspsat_anywhere_new (const struct bspsat_loose *board, struct bspsat_anywhere **made) {
  if (!is_board (board))
    return BSPSAT_INVALID;
  struct bspsat_anywhere *search = take_zeros (sizeof *search);
  if (!search)
    return BSPSAT_MEMORY;
  take_over (search, board);
  search->open_free = NOBODY, search->found = -1;
  if (take_first (search) && choose_bound (search)) {
    search->start_bound = bound_of (search, &search->start);
    if (search->start_bound < NO_PLAN && make_levels (search)) {
      search->levels[0] = 0;
      store (search, &search->start, NOBODY, NO_TUBE, search->start_bound);
    }
    if (search->states || search->start_bound >= NO_PLAN) {
      *made = search;
      return BSPSAT_FOUND;
    }
  }
  bspsat_anywhere_free (search);
  return BSPSAT_MEMORY;
}

void bspsat_anywhere_free (struct bspsat_anywhere *search) {
  if (!search)
    return;
  give_back_large (search->levels, search->level_room * (int64_t) sizeof *search->levels);
  give_back_large (search->heads, search->head_room * (int64_t) sizeof *search->heads);
  give_back_large (search->keys, search->key_room * key_bytes (search));
  give_back_large (search->parents, search->parent_room * (int64_t) sizeof *search->parents);
  give_back_large (search->marks, search->mark_room * (int64_t) sizeof *search->marks);
  give_back_large (search->open, search->open_room * (int64_t) sizeof *search->open);
  give_back_large (search->table, search->places * 4);
  give_back_beam (search);
  give_back (search->group);
  give_back (search->tables);
  give_back (search);
}
