/* Lower bounds on the moves still to be made, see instances/README.md. */

#include "search/spaces.h"

/* The lower bound of `WaterSort.lower_bound` for positions whose colours don't fill one tube each. */
static int32_t bound_by_fills (const struct bspsat_search *search, const int32_t *child) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t colours = (int32_t) tables->colours, tubes = search->packing.tubes;
  int32_t pours = 0;
  for (int32_t colour = 0; colour < colours; colour++) {
    const int32_t homes = tables->homes[colour];
    int32_t blocks = 0, bottoms = 0, full = 0;
    for (int32_t place = 0; place < tubes && child[place]; place++) {
      const int32_t number = child[place];
      blocks += tables->blocks[number * colours + colour];
      if (tables->bottom[number] == colour) {
        bottoms++;
        full += tables->done[number];
      }
    }
    const int32_t stay = homes ? least (homes, bottoms) : bottoms;
    pours += most_of (blocks - stay, homes - full);
  }
  return pours;
}

/* The lower bound of `SortPuzzle.lower_bound`, but for what `bound_by_fills` is for. */
static int32_t bound_of_moves (struct bspsat_search *search, const int32_t *child) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t tubes = search->packing.tubes, keeps = (int32_t) tables->capacity + 1;
  const int32_t colours = (int32_t) tables->colours;
  int32_t work = 0;
  if (!search->board->rank_keeps) { // each colour keeps its best bottom run
    int32_t *best = search->best;
    memset (best, 0, (size_t) colours * sizeof *best);
    for (int32_t place = 0; place < tubes && child[place]; place++) {
      const int32_t number = child[place];
      work += tables->work[number];
      const int32_t colour = tables->bottom[number], keep = tables->keep[number];
      if (keep > best[colour])
        best[colour] = keep;
    }
    for (int32_t colour = 0; colour < colours; colour++)
      work -= best[colour];
    return work;
  }
  int32_t *ranks = search->ranks;
  memset (ranks, 0, (size_t) (colours * keeps) * sizeof *ranks);
  for (int32_t place = 0; place < tubes && child[place]; place++) {
    const int32_t number = child[place];
    work += tables->work[number];
    if (tables->keep[number]) // an empty tube with a rule has a number, but no colour at the bottom
      ranks[tables->bottom[number] * keeps + tables->keep[number]]++;
  }
  for (int32_t colour = 0; colour < colours; colour++) {
    int32_t places = tables->homes[colour] ? tables->homes[colour] : tubes;
    for (int32_t keep = keeps - 1; keep > 0; keep--) {
      const int32_t stay = least (places, ranks[colour * keeps + keep]);
      work -= stay * keep;
      places -= stay;
    }
  }
  return work;
}

/* The lower bound of `SortPuzzle.lower_bound` where some full tubes are wanted, UNREACHABLE where a colour has too few that it
may fill; 0 at goals alone. */
static int32_t bound_by_needs (struct bspsat_search *search, const int32_t *child) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t colours = (int32_t) tables->colours, capacity = (int32_t) tables->capacity, needs = capacity + 1;
  int32_t *fills = search->ranks, moves = 0; // tubes by colour and what they need
  memcpy (fills, tables->fills, (size_t) (colours * needs) * sizeof *fills);
  for (int32_t place = 0; place < search->packing.tubes; place++) {
    const int32_t number = child[place], need = tables->needs[number], afresh = tables->afresh[number];
    if (tables->bottom[number] < 0)
      continue;
    int32_t *of_colour = fills + tables->bottom[number] * needs;
    if (afresh <= capacity)
      of_colour[afresh]--;
    if (need <= capacity)
      of_colour[need]++;
  }
  for (int32_t colour = 0; colour < colours; colour++) {
    int32_t missing = tables->homes[colour];
    for (int32_t need = 0; missing && need <= capacity; need++) {
      const int32_t filled = least (missing, most_of (0, fills[colour * needs + need]));
      moves += filled * need;
      missing -= filled;
    }
    if (missing)
      return UNREACHABLE;
  }
  return moves;
}

int32_t bound_in_moves (struct bspsat_search *search, const int32_t *child) {
  if (search->tables.needs)
    return bound_by_needs (search, child);
  return search->tables.blocks ? bound_by_fills (search, child) : bound_of_moves (search, child);
}

int32_t balls_of_homes (struct bspsat_search *search, const int32_t *numbers, uint64_t homes,
                                      int32_t *savings) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t tubes = search->packing.tubes, colours = (int32_t) tables->colours;
  int32_t *longest = search->longest, work = 0;
  memset (savings, 0, (size_t) colours * sizeof *savings);
  memset (longest, 0, (size_t) colours * sizeof *longest);
  uint64_t below = 0;
  bool temporaries = false;
  for (int32_t place = 0; place < tubes && numbers[place]; place++) {
    const int32_t number = numbers[place];
    work += tables->work[number];
    if (tables->kind[number] == TEMPORARY) {
      temporaries = true;
      continue;
    }
    below |= tables->colours_in[number];
    const int32_t colour = tables->bottom[number];
    if (!is_in (colour, homes)) {
      const int32_t keep = tables->keep[number], stays = tables->stays[number];
      if (keep > savings[colour])
        savings[colour] = keep;
      if (stays > longest[colour])
        longest[colour] = stays;
    }
  }
  if (temporaries)
    for (int32_t place = 0; place < tubes && numbers[place]; place++) {
      const int32_t number = numbers[place];
      if (tables->kind[number] != TEMPORARY)
        continue;
      const int32_t colour = tables->top[number], run = tables->run[number];
      if (!is_in (colour, below))
        return UNREACHABLE;
      work += run - least (run, most_of (0, longest[colour] - 1));
    }
  for (int32_t colour = 0; colour < colours; colour++)
    work -= savings[colour];
  return work;
}

/* A lower bound on the balls still to be moved; UNREACHABLE where there is no way.

To `balls_of_homes` comes that, where no tube is free, no home opens before one tube is cleared down to one colour: what
lies above, but for balls whose home is open, goes somewhere else first. */
static int32_t bound_of_homes (struct bspsat_search *search, const int32_t *child, uint64_t homes) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t work = balls_of_homes (search, child, homes, search->best);
  const int32_t tubes = search->packing.tubes - __builtin_popcountll (homes);
  if (work == UNREACHABLE || tubes == 0 || child[tubes - 1] == 0)
    return work;
  int32_t first = UNREACHABLE; // balls that move twice for the first tube cleared, and aren't counted above
  for (int32_t place = tubes - 1; place >= 0 && first; place--) { // temporaries come last, and are the cheapest
    int32_t left = child[place], twice = 0;
    if (tables->kind[left] == TEMPORARY)
      twice = least (tables->run[left], most_of (0, search->longest[tables->top[left]] - 1));
    for (; tables->kind[left] == MIXED; left = tables->less[left])
      if (tables->top[left] != tables->bottom[left] && !is_in (tables->top[left], homes))
        twice += tables->run[left];
    first = least (first, twice);
  }
  return work + first;
}

int32_t bound_of_state (struct bspsat_search *search, const int32_t *numbers, uint64_t homes) {
  return search->packing.by_homes ? bound_of_homes (search, numbers, homes) : bound_in_moves (search, numbers);
}
