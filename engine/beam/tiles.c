/* Beams of tiles: a click on the bottom row removes the connected group of one colour, and the tiles above fall. A state is
a byte a cell, column by column, bottom first, 0 for none and else 1 + colour. The bound is that of `Tiles.lower_bound`. */

#include "beam/layers.h"

#include "memory.h"

enum { MOST_CELLS = BSPSAT_MOST_CELLS };

struct tiles {
  int32_t columns, rows;
  uint8_t start[MOST_CELLS];
};

/* A click costs one; what is left counts half a click a group, and a twentieth a tile. */
static const struct weights OF_TILES[] = {{64, {32, 3}}};

/* Numbers the groups of connected tiles of one colour, and returns how many there are. */

static int32_t number_groups (const struct tiles *tiles, const uint8_t *cells, int16_t *group) {
  const int32_t rows = tiles->rows, number = tiles->columns * rows;
  int16_t stack[MOST_CELLS];
  int32_t groups = 0;
  for (int32_t cell = 0; cell < number; cell++)
    group[cell] = -1;
  for (int32_t cell = 0; cell < number; cell++) {
    if (!cells[cell] || group[cell] >= 0)
      continue;
    int32_t waiting = 0;
    group[cell] = (int16_t) groups;
    stack[waiting++] = (int16_t) cell;
    while (waiting) {
      const int32_t at = stack[--waiting], row = at % rows;
      const int32_t beside[] = {at - rows, at + rows, row ? at - 1 : -1, row + 1 < rows ? at + 1 : -1};
      for (int32_t side = 0; side < 4; side++) {
        const int32_t other = beside[side];
        if (other < 0 || other >= number || group[other] >= 0 || cells[other] != cells[cell])
          continue;
        group[other] = (int16_t) groups;
        stack[waiting++] = (int16_t) other;
      }
    }
    groups++;
  }
  return groups;
}

/* Writes what is left when a group is gone into `left`, and returns how many tiles that are. */

static int32_t click (const struct tiles *tiles, const uint8_t *cells, const int16_t *group, int32_t gone,
                      uint8_t *left) {
  int32_t remain = 0;
  for (int32_t column = 0; column < tiles->columns; column++) {
    uint8_t *to = left + column * tiles->rows, *end = to + tiles->rows;
    for (int32_t cell = column * tiles->rows; cell < (column + 1) * tiles->rows; cell++)
      if (cells[cell] && group[cell] != gone)
        *to++ = cells[cell], remain++;
    while (to < end)
      *to++ = 0;
  }
  return remain;
}

/* The number of runs of neighbouring columns that hold a colour, over all colours. */

static int32_t bound_of_tiles (const struct tiles *tiles, const uint8_t *cells) {
  uint64_t before = 0;
  int32_t bound = 0;
  for (int32_t column = 0; column < tiles->columns; column++) {
    uint64_t here = 0;
    for (const uint8_t *cell = cells + column * tiles->rows, *end = cell + tiles->rows; cell < end && *cell; cell++)
      here |= UINT64_C (1) << (*cell - 1);
    bound += __builtin_popcountll (here & ~before);
    before = here;
  }
  return bound;
}

/* Takes a state as a child of the one in work; false when memory is used up. */

static bool enter_tiles (struct bspsat_beam *beam, const uint8_t *cells, int32_t remain, int32_t cost) {
  const struct tiles *tiles = beam->space;
  uint64_t key[MOST_WORDS] = {0};
  memcpy (key, cells, (size_t) (tiles->columns * tiles->rows));
  if (remain == 0)
    return cost > beam->search.limit || take_goal (beam, key, cost);
  const int32_t bound = bound_of_tiles (tiles, cells);
  if (cost + bound > beam->search.limit)
    return true;
  int16_t group[MOST_CELLS];
  const int32_t measures[MEASURES] = {number_groups (tiles, cells, group), remain};
  return take_candidate (beam, key, cost, bound, measures, false);
}

static bool enter_first_tiles (struct bspsat_beam *beam) {
  const struct tiles *tiles = beam->space;
  int32_t remain = 0;
  for (int32_t cell = 0; cell < tiles->columns * tiles->rows; cell++)
    remain += tiles->start[cell] > 0;
  beam->search.limit = BSPSAT_NO_LIMIT;
  return enter_tiles (beam, tiles->start, remain, 0);
}

static bool expand_tiles (struct bspsat_beam *beam, int32_t state) {
  const struct tiles *tiles = beam->space;
  const struct record *record = record_at (&beam->search, state);
  const int32_t cost = record->cost + 1;
  uint8_t cells[8 * MOST_WORDS], left[MOST_CELLS];
  int16_t group[MOST_CELLS];
  bool clicked[MOST_CELLS] = {false};
  memcpy (cells, key_at (record), 8 * (size_t) beam->search.packing.words);
  number_groups (tiles, cells, group);
  beam->search.now = state;
  for (int32_t column = 0; column < tiles->columns; column++) {
    const int32_t gone = group[column * tiles->rows];
    if (gone < 0 || clicked[gone])
      continue;
    clicked[gone] = true;
    const int32_t remain = click (tiles, cells, group, gone, left);
    if (!enter_tiles (beam, left, remain, cost))
      return false;
  }
  return true;
}

/* Finds, for each state of the plan, a click that leads there. */

static int64_t plan_of_tiles (struct bspsat_beam *beam, uint8_t *moves, int64_t room) {
  const struct tiles *tiles = beam->space;
  const struct bspsat_search *search = &beam->search;
  const int32_t number = tiles->columns * tiles->rows;
  int32_t length = record_at (search, search->found)->cost;
  const int64_t all = length;
  for (int32_t state = search->found; length > 0; length--) {
    const char *after = key_at (record_at (search, state));
    state = record_at (search, state)->parent;
    uint8_t cells[8 * MOST_WORDS], left[MOST_CELLS];
    int16_t group[MOST_CELLS];
    memcpy (cells, key_at (record_at (search, state)), 8 * (size_t) search->packing.words);
    number_groups (tiles, cells, group);
    for (int32_t column = 0; column < tiles->columns; column++) {
      if (!cells[column * tiles->rows])
        continue;
      click (tiles, cells, group, group[column * tiles->rows], left);
      if (memcmp (left, after, (size_t) number))
        continue;
      if (length <= room)
        moves[2 * (length - 1)] = moves[2 * length - 1] = (uint8_t) column;
      break;
    }
  }
  return all;
}

static void give_back_tiles (struct bspsat_beam *beam) { give_back (beam->space); }

struct bspsat_beam *bspsat_beam_of_tiles (const uint8_t *cells, int64_t columns, int64_t rows) {
  if (columns < 1 || rows < 1 || columns > UINT8_MAX || rows > MOST_CELLS / columns)
    return 0;
  for (int64_t cell = 0; cell < columns * rows; cell++)
    if (cells[cell] > 64 || (cells[cell] && cell % rows && !cells[cell - 1]))
      return 0;
  struct bspsat_beam *beam = take_zeros (sizeof *beam);
  if (!beam)
    return 0;
  beam->begin = enter_first_tiles, beam->expand = expand_tiles;
  beam->plan = plan_of_tiles, beam->free_space = give_back_tiles;
  beam->weights = OF_TILES, beam->vectors = 1;
  struct tiles *tiles = beam->space = take_zeros (sizeof *tiles);
  beam->search.packing.words = (int32_t) ((columns * rows + 7) / 8);
  beam->search.stride = HEAD + 8 * beam->search.packing.words;
  if (tiles && clear_states (&beam->search)) {
    tiles->columns = (int32_t) columns, tiles->rows = (int32_t) rows;
    memcpy (tiles->start, cells, (size_t) (columns * rows));
    return beam;
  }
  bspsat_beam_free (beam);
  return 0;
}
