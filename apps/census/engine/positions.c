/* Positions from which every board can be solved, whatever lies below the borders; see `bsp_sat.apps.census.cases`.

A search of a game: one player says which border goes, the other which run is found below it. It goes depth first, one
level for each run, and keeps what it has decided in a table, in which a position may take the place of another. */

#include "cases.h"
#include "search/packing.h"

enum {
  PROBES = 8, // places of the table where a position may be
  DIGIT = 5,  // bits of a number up to 31
};

void add_tube (struct level_of_positions *level, int32_t tubes, int32_t size, int32_t colour) {
  int32_t place = tubes;
  for (; place > 0 && level->sizes[place - 1] < size; place--) {
    level->sizes[place] = level->sizes[place - 1];
    level->colours[place] = level->colours[place - 1];
  }
  level->sizes[place] = size;
  level->colours[place] = colour;
}

/* Writes a position as a number for each colour, sorted: its exposed balls, and the sizes of its tubes.

So positions that differ by names of colours and the order of tubes have one key, and others never: a colour has at most
11 tubes, and they and its balls 5 bits each. */
static void write_key (const struct bspsat_cases *cases, struct level_of_positions *level) {
  for (int32_t colour = 0; colour < cases->colours; colour++) {
    uint64_t number = (uint64_t) level->exposed[colour];
    for (int32_t tube = 0; tube < level->tubes; tube++)
      if (level->colours[tube] == colour)
        number = number << DIGIT | (uint64_t) level->sizes[tube];
    int32_t place = colour;
    for (; place > 0 && level->key[place - 1] < number; place--)
      level->key[place] = level->key[place - 1];
    level->key[place] = number;
  }
}

/* Returns whether a key is at a place of the table. */
static bool is_at (const struct bspsat_cases *cases, const uint64_t *key, uint64_t place) {
  return cases->values[place] != UNDECIDED &&
         is_same (cases->known + place * (uint64_t) cases->colours, key, (int32_t) cases->colours);
}

/* Returns the place of a key in the table, or where it belongs: a free place, or one that it takes from another. */
static uint64_t place_of (const struct bspsat_cases *cases, const uint64_t *key) {
  uint64_t mask = (uint64_t) cases->places - 1, first = hash_of (key, (int32_t) cases->colours) & mask;
  for (uint64_t step = 0; step < PROBES; step++) {
    uint64_t place = (first + step) & mask;
    if (cases->values[place] == UNDECIDED || is_at (cases, key, place))
      return place;
  }
  return first;
}

/* Keeps what a level's position is. */
static void remember (struct bspsat_cases *cases, const struct level_of_positions *level, enum verdict value) {
  uint64_t place = place_of (cases, level->key);
  memcpy (cases->known + place * (uint64_t) cases->colours, level->key, (size_t) cases->colours * sizeof *level->key);
  cases->values[place] = (int8_t) value;
}

enum verdict settle_position (struct bspsat_cases *cases, int64_t number) {
  struct level_of_positions *level = cases->positions + number;
  int64_t colours = cases->colours, free = cases->tables.empty + colours - level->tubes;
  if (free >= colours)
    return WON;
  copy (level->exposed, level->left, (int32_t) colours);
  for (int32_t tube = 0; tube < level->tubes; tube++)
    level->left[level->colours[tube]] -= level->sizes[tube];
  for (int64_t colour = 0; colour < colours; colour++)
    free -= level->left[colour] > 0;
  if (free < 0)
    return LOST;
  level->free = (int32_t) free;
  level->tube = -1;
  write_key (cases, level);
  uint64_t place = place_of (cases, level->key);
  return is_at (cases, level->key, place) ? (enum verdict) cases->values[place] : UNDECIDED;
}

bool take_border (struct bspsat_cases *cases, int64_t number) {
  struct level_of_positions *level = cases->positions + number;
  for (int32_t tube = level->tube + 1; tube < level->tubes; tube++)
    if (border_may_go (level->free, level->left[level->colours[tube]], level->sizes[tube])) {
      level->tube = tube;
      level->colour = 0;
      level->length = 0;
      return true;
    }
  return false;
}

bool take_run (struct bspsat_cases *cases, int64_t number) {
  struct level_of_positions *level = cases->positions + number;
  int32_t capacity = (int32_t) cases->capacity, room = capacity - level->sizes[level->tube];
  level->length++;
  for (; level->colour < cases->colours; level->colour++, level->length = 1) {
    int32_t covered = capacity - level->exposed[level->colour];
    if (level->colour != level->colours[level->tube] && level->length <= (room < covered ? room : covered))
      return true;
  }
  return false;
}

void uncover_run (struct bspsat_cases *cases, int64_t number) {
  const struct level_of_positions *level = cases->positions + number;
  struct level_of_positions *following = cases->positions + number + 1;
  copy (level->exposed, following->exposed, (int32_t) cases->colours);
  following->exposed[level->colour] += level->length;
  int32_t tubes = 0, size = level->sizes[level->tube] + level->length;
  for (int32_t tube = 0; tube < level->tubes; tube++)
    if (tube != level->tube)
      add_tube (following, tubes++, level->sizes[tube], level->colours[tube]);
  if (size < cases->capacity)
    add_tube (following, tubes++, size, level->colour);
  following->tubes = tubes;
}

void begin_position (struct bspsat_cases *cases, int64_t level) {
  cases->first = cases->depth = level;
  cases->fresh = true;
  cases->value = UNDECIDED;
}

/* At each level: as long as the run below a border is won, the next run; if it is lost, the next border. */
enum verdict decide_position (struct bspsat_cases *cases) {
  while (cases->depth >= cases->first) {
    if (cases->steps-- <= 0)
      return UNDECIDED;
    if (cases->fresh) {
      cases->fresh = false;
      cases->value = settle_position (cases, cases->depth);
      if (cases->value != UNDECIDED) {
        cases->depth--;
        continue;
      }
    }
    enum verdict ended = UNDECIDED;
    if (cases->value != WON && !take_border (cases, cases->depth))
      ended = LOST;
    else if (!take_run (cases, cases->depth))
      ended = WON;
    if (ended == UNDECIDED) {
      uncover_run (cases, cases->depth++);
      cases->fresh = true;
    } else {
      remember (cases, cases->positions + cases->depth--, ended);
      cases->value = ended;
    }
  }
  return cases->value;
}
