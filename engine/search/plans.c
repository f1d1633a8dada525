/* From the states of a search to a plan, move by move.

A state tells what tubes hold, not where they stand. So each state of the way is expanded once more, up to the child that is
the next state of the way, at no greater cost. A place of both is one tube: what it has lost or gained are the moves. */

#include "search/spaces.h"

#include "memory.h"

struct plan {
  uint8_t *moves;              // source and target of each
  int64_t room, length;        // for moves; so far
  int32_t next[MOST_TUBES];    // the state to come to, its open homes, and the cost by then
  uint64_t homes;
  int32_t most;
  int32_t child[MOST_TUBES];   // the same numbers, by places of the state before
  bool found;
  int32_t numbers[MOST_TUBES]; // of the board's tubes, -1 - colour for open homes
  int32_t at[MOST_TUBES];      // the tube at each place: from high numbers to low
};

static void write (struct plan *plan, int32_t source, int32_t target, int32_t times) {
  for (; times > 0; times--, plan->length++)
    if (plan->length < plan->room) {
      plan->moves[2 * plan->length] = (uint8_t) source;
      plan->moves[2 * plan->length + 1] = (uint8_t) target;
    }
}

/* Takes the child that is wanted, and ends the expansion by that. */
static bool take_wanted (struct bspsat_search *search, uint64_t homes, int32_t cost) {
  struct plan *plan = search->taker;
  const int32_t tubes = search->packing.tubes;
  if (homes != plan->homes || cost > plan->most)
    return true;
  copy (search->child, plan->child, tubes);
  sort (search->child, tubes);
  plan->found = !memcmp (search->child, plan->next, (size_t) tubes * sizeof *plan->next);
  return !plan->found;
}

static void order_places (struct plan *plan, int32_t tubes) {
  for (int32_t tube = 0; tube < tubes; tube++) {
    int32_t place = tube;
    for (; place && plan->numbers[plan->at[place - 1]] < plan->numbers[tube]; place--)
      plan->at[place] = plan->at[place - 1];
    plan->at[place] = tube;
  }
}

/* Moves balls home from a place until it has so much room, or for `room` -1, one colour. */
static int32_t go_home (struct plan *plan, const struct bspsat_tables *tables, int32_t place, int32_t number, int32_t room) {
  while (room < 0 ? tables->kind[number] == MIXED : tables->room[number] < room) {
    int32_t home = 0;
    while (plan->numbers[home] != -1 - tables->top[number])
      home++;
    write (plan, plan->at[place], home, tables->run[number]);
    number = tables->less[number];
  }
  return number;
}

/* Makes the moves of the step to the child. In the space of homes, balls go home after that, first from a tube that becomes one. */
static void make_moves (struct plan *plan, const struct bspsat_search *search) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t tubes = search->packing.tubes, source = search->source, decided = search->decided, *at = plan->at;
  int32_t before[MOST_TUBES], end = tubes;
  uint64_t opened = plan->homes;
  while (end && plan->numbers[at[end - 1]] < 0)
    opened &= ~with (0, -1 - plan->numbers[at[--end]]);
  for (int32_t place = 0; place < end; place++)
    before[place] = plan->numbers[at[place]];
  for (int32_t place = 0; source >= 0 && place < search->shared; place++)
    write (plan, at[source], at[search->targets[place]], search->amounts[place]);
  if (source >= 0)
    write (plan, at[source], at[search->sink], search->left);
  if (search->packing.by_homes) {
    if (source >= 0)
      move_run (search, before);
    if (decided >= 0)
      opened &= ~with (0, tables->bottom[before[decided]]);
    for (int32_t place = 0; place < end && opened; place++)
      if (before[place] == 0) {
        plan->numbers[at[place]] = -1 - __builtin_ctzll (opened);
        opened = 0;
      }
    if (decided >= 0)
      plan->numbers[at[decided]] = -1 - tables->top[go_home (plan, tables, decided, before[decided], -1)];
    for (int32_t place = 0; place < end; place++)
      if (place != decided)
        go_home (plan, tables, place, before[place], tables->room[plan->child[place]]);
  }
  for (int32_t place = 0; place < end; place++)
    if (plan->numbers[at[place]] >= 0)
      plan->numbers[at[place]] = plan->child[place];
}

int64_t bspsat_search_plan (struct bspsat_search *search, uint8_t *moves, int64_t room) {
  if (search->found == NOTHING)
    return BSPSAT_INVALID;
  int64_t length = 0, steps = 0;
  for (int32_t state = search->found; state >= 0; state = any_record_at (search, state)->parent)
    length++;
  int32_t *way = take (length * (int64_t) sizeof *way);
  if (!way)
    return BSPSAT_MEMORY;
  for (int32_t state = search->found; state >= 0; state = any_record_at (search, state)->parent)
    way[length - ++steps] = state;
  struct plan plan = {.moves = moves, .room = room, .found = true};
  copy (search->start, plan.numbers, search->packing.tubes);
  bool (*const enters) (struct bspsat_search *, uint64_t, int32_t) = search->enters;
  search->enters = take_wanted, search->taker = &plan;
  search->limit = BSPSAT_NO_LIMIT, search->work = INT64_MIN / 2; // all children, at once
  for (int64_t step = 1; step < length && plan.found; step++) {
    const struct record *record = any_record_at (search, way[step]);
    unpack (&search->packing, key_at (record), plan.next);
    plan.homes = homes_of (search, plan.next), plan.most = record->cost;
    plan.found = false;
    order_places (&plan, search->packing.tubes);
    expand (search, take_up (search, any_record_at (search, way[step - 1]), way[step - 1]));
    if (plan.found)
      make_moves (&plan, search);
  }
  search->enters = enters;
  search->half = NOTHING;
  give_back (way);
  return plan.found ? plan.length : BSPSAT_INVALID;
}
