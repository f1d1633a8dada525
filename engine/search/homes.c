/* Steps in the space of homes: engine/homes.md has the six claims they rest on. */

#include "search/spaces.h"

/* Moves the balls of a tube home that can go there, and returns their number. */
static int32_t close_tube (const struct bspsat_tables *tables, int32_t *tube, uint64_t homes) {
  int32_t number = *tube, moved = 0;
  for (; number && is_in (tables->top[number], homes); number = tables->less[number])
    moved += tables->run[number];
  *tube = number;
  return moved;
}

/* Whether a temporary of a colour has at least so many balls. */
static bool has_temporary (const struct bspsat_tables *tables, const int32_t *numbers, int32_t tubes, int32_t colour,
                           int32_t run) {
  for (int32_t place = 0; place < tubes; place++) {
    const int32_t number = numbers[place];
    if (tables->kind[number] == TEMPORARY && tables->top[number] == colour && tables->run[number] >= run)
      return true;
  }
  return false;
}

/* Enters the state in `search->child` for each decision on its tubes with one colour; false when memory is used up.

Such a tube becomes its colour's home, unless a temporary of the colour has as many balls; then what is left is to be
decided when that state is expanded. Or it becomes a temporary, and the next one is decided. */
static bool emit_decided (struct bspsat_search *search, uint64_t homes, int32_t cost) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t tubes = search->packing.tubes;
  int32_t *child = search->child;
  for (;;) {
    search->decided = -1;
    int32_t pending = tubes - 1;
    while (pending >= 0 && tables->kind[child[pending]] != UNIFORM)
      pending--;
    if (pending < 0)
      return emit (search, homes, cost);
    const int32_t number = child[pending], colour = tables->top[number], run = tables->run[number];
    if (!has_temporary (tables, child, tubes, colour, run)) {
      copy (child, search->kept, tubes);
      child[pending] = 0;
      search->decided = pending;
      const uint64_t opened = with (homes, colour);
      int32_t moved = 0;
      for (int32_t place = 0; place < tubes; place++)
        moved += close_tube (tables, child + place, opened);
      if (!emit (search, opened, cost + moved))
        return false;
      copy (search->kept, child, tubes);
    }
    child[pending] = *founded (tables, colour, run);
  }
}

void move_run (const struct bspsat_search *search, int32_t *numbers) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t number = numbers[search->source], sink = search->sink;
  for (int32_t place = 0; place < search->shared; place++)
    for (int32_t ball = 0; ball < search->amounts[place]; ball++)
      numbers[search->targets[place]] = tables->more[numbers[search->targets[place]]];
  if (search->left)
    numbers[sink] = *founded (tables, tables->top[number], (numbers[sink] ? tables->run[numbers[sink]] : 0) + search->left);
  numbers[search->source] = tables->less[number]; // all other tops stay, or have a colour whose home isn't open
}

/* Enters all states after the top run of the tube at `source` has gone elsewhere but home; false when memory is used
up. There may be more ways than can ever be listed: at the end of the call's work `search->half` is the source, and the next
way stays in `search->amounts`, to go on with it. */
static bool clear (struct bspsat_search *search, uint64_t homes, int32_t source, int32_t free) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t tubes = search->packing.tubes;
  const int32_t *numbers = search->state;
  int32_t *child = search->child, *targets = search->targets, *amounts = search->amounts;
  const int32_t number = numbers[source], colour = tables->top[number], run = tables->run[number];
  const bool temporary = tables->kind[number] == TEMPORARY;

  // What finds no room on tubes of its colour goes to the fullest temporary, or to a new one.
  int32_t sink = -1, room = 0, places = 0, left = run;
  for (int32_t half = 0; half <= (tubes - 1) / 64; half++)
    for (uint64_t alike = search->by_top[colour][half]; alike; alike &= alike - 1) {
      const int32_t place = 64 * half + __builtin_ctzll (alike), other = numbers[place];
      if (place == source)
        continue;
      if (tables->kind[other] == TEMPORARY) {
        if (temporary && tables->run[other] < run)
          return true; // of two temporaries of a colour the one with less is cleared
        if (sink < 0 || tables->run[other] > tables->run[numbers[sink]])
          sink = place;
      } else if (tables->room[other]) {
        targets[places] = place;
        if (search->half == NOTHING)
          amounts[places] = 0;
        left -= amounts[places++];
        room += tables->room[other];
      }
    }
  if (sink < 0 && free && !temporary)
    sink = tubes - __builtin_popcountll (homes) - free; // the first empty tube
  if (sink < 0 && room < run)
    return true;

  const int32_t cost = search->now_cost + run;
  search->source = source, search->sink = sink, search->shared = places;
  for (search->half = NOTHING;;) {
    if (search->work >= search->turn && !search->outbox) {
      search->half = source;
      return true;
    }
    if (left == 0 || sink >= 0) {
      copy (numbers, child, tubes);
      search->left = left;
      move_run (search, child);
      const int32_t moved = close_tube (tables, child + source, homes);
      if (!emit_decided (search, homes, cost + moved))
        return false;
    }
    int32_t place = 0; // the next way to share the balls out, as an odometer counts
    while (place < places && (left == 0 || amounts[place] == tables->room[numbers[targets[place]]])) {
      left += amounts[place];
      amounts[place++] = 0;
    }
    if (place == places)
      return true;
    amounts[place]++;
    left--;
  }
}

bool expand_homes (struct bspsat_search *search, uint64_t homes) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t tubes = search->packing.tubes, cost = search->now_cost, colours = (int32_t) tables->colours;
  const int32_t *numbers = search->state;
  int32_t *child = search->child;
  int32_t free = tubes - __builtin_popcountll (homes);
  bool pending = false;
  int32_t *loads = search->loads; // by colour, the most balls in a temporary
  int32_t most = 0;               // balls in a top run
  memset (loads, 0, (size_t) colours * sizeof *loads);
  memset (search->by_top, 0, (size_t) colours * sizeof *search->by_top);
  for (int32_t place = 0; place < tubes && numbers[place]; place++) {
    const int32_t number = numbers[place], colour = tables->top[number], run = tables->run[number];
    free--;
    search->by_top[colour][place / 64] |= UINT64_C (1) << place % 64;
    if (run > most)
      most = run;
    if (tables->kind[number] == UNIFORM)
      pending = true;
    else if (tables->kind[number] == TEMPORARY && run > loads[colour])
      loads[colour] = run;
  }
  if (pending) {
    search->source = -1;
    copy (numbers, child, tubes);
    return emit_decided (search, homes, cost);
  }

  // A plan through here has at least `fewest` moves, and more by what its next step adds: see engine/homes.md. This is
  // found out where the limit may keep out some child, and has kept out a state: that makes a difference in the end.
  const int32_t *savings = search->savings;
  const bool skips = search->pruned && search->facts.cut && cost + search->now_bound + most > search->limit;
  int32_t fewest = cost;
  if (skips)
    fewest += balls_of_homes (search, numbers, homes, search->savings);
  if (free && search->half == NOTHING) {
    uint64_t seen = homes;
    search->source = -1;
    for (int32_t place = 0; place < tubes && numbers[place]; place++) {
      const int32_t colour = tables->top[numbers[place]];
      if (is_in (colour, seen))
        continue;
      seen = with (seen, colour);
      if (loads[colour] || (skips && fewest + savings[colour] > search->limit))
        continue;
      copy (numbers, child, tubes);
      const uint64_t opened = with (homes, colour);
      int32_t moved = 0;
      for (int32_t half = 0; half <= (tubes - 1) / 64; half++)
        for (uint64_t alike = search->by_top[colour][half]; alike; alike &= alike - 1)
          moved += close_tube (tables, child + 64 * half + __builtin_ctzll (alike), opened);
      if (!emit_decided (search, opened, cost + moved))
        return false;
    }
  }
  int32_t last = -1;
  for (int32_t source = most_of (0, search->half); source < tubes && numbers[source]; source++) {
    const int32_t number = numbers[source];
    const bool mixed = tables->top[number] != tables->bottom[number];
    const bool skipped = number == last || (skips && mixed && fewest + tables->run[number] > search->limit);
    if (skipped)
      search->half = NOTHING;
    else if (!clear (search, homes, source, free))
      return false;
    if (search->half != NOTHING)
      return true;
    last = number;
  }
  return true;
}
