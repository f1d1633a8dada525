/* Beams of tiles: a click on the bottom row removes the connected group of one colour, and the tiles above fall. A state is
a byte a cell, column by column, bottom first, 0 for none and else 1 + colour. The bound is that of `Tiles.lower_bound`. */

#include "beam/layers.h"

#include "memory.h"

enum { MOST_CELLS = BSPSAT_MOST_CELLS, ROOM = 2 * (MOST_CELLS + 8) }; // with zeros behind the cells

#define EACH UINT64_C (0x8080808080808080)

struct tiles {
  int32_t columns, rows;
  uint8_t start[MOST_CELLS];
  uint8_t below[MOST_CELLS];       // 128 for cells that have one above them in their column
  uint64_t colours[UINT8_MAX];     // of each column of the state that is expanded
  uint8_t cells[ROOM], left[ROOM]; // that state; the same after a click
};

/* A click costs one; what is left counts half a click a group, and a twentieth a tile. */
static const struct weights OF_TILES[] = {{64, {32, 3}}};

/* Of eight cells: which aren't 0, which equal those of others. */
static uint64_t taken (uint64_t cells) { return (cells + (EACH - EACH / 128)) & EACH; }
static uint64_t equal (uint64_t cells, uint64_t others) { return ~taken (cells ^ others) & EACH; }

static uint64_t eight (const uint8_t *cells) {
  uint64_t word;
  memcpy (&word, cells, sizeof word);
  return word;
}

/* Tiles less pairs of equal neighbours, plus squares of four equal ones: the number of groups, less the holes in them
(Euler's formula). */
static int32_t count_groups (const struct tiles *tiles, const uint8_t *cells) {
  const int32_t rows = tiles->rows, words = (tiles->columns * rows + 7) / 8;
  int32_t groups = 0;
  for (int32_t word = 0; word < words; word++, cells += 8) {
    const uint64_t here = eight (cells), beside = eight (cells + rows), any = taken (here);
    const uint64_t up = any & eight (tiles->below + 8 * word) & equal (here, eight (cells + 1)), right = any & equal (here, beside);
    const uint64_t square = up & right & equal (beside, eight (cells + rows + 1));
    groups += __builtin_popcountll (any) + __builtin_popcountll (square);
    groups -= __builtin_popcountll (up) + __builtin_popcountll (right);
  }
  return groups;
}

/* The colours in a column. */
static uint64_t colours_of (const struct tiles *tiles, const uint8_t *cells, int32_t column) {
  uint64_t colours = 0;
  const uint8_t *cell = cells + column * tiles->rows;
  for (const uint8_t *end = cell + tiles->rows; cell < end && *cell; cell++)
    colours |= UINT64_C (1) << (*cell - 1);
  return colours;
}

/* Takes the state in `left`, which differs from `cells` in these columns, as a child; false when memory is used up. The bound
is the number of runs of neighbouring columns that hold a colour, over all colours. */
static bool enter_tiles (struct bspsat_beam *beam, int32_t first, int32_t last, int32_t remain, int32_t cost) {
  const struct tiles *tiles = beam->space;
  uint64_t key[MOST_WORDS], before = 0;
  memcpy (key, tiles->left, 8 * (size_t) beam->search.packing.words);
  if (remain == 0)
    return cost > beam->search.limit || take_goal (beam, key, cost);
  int32_t bound = 0;
  for (int32_t column = 0; column < tiles->columns; column++) {
    const bool same = column < first || column > last;
    const uint64_t here = same ? tiles->colours[column] : colours_of (tiles, tiles->left, column);
    bound += __builtin_popcountll (here & ~before);
    before = here;
  }
  if (cost + bound > beam->search.limit)
    return true;
  const int32_t measures[MEASURES] = {count_groups (tiles, tiles->left), remain};
  return take_candidate (beam, key, cost, bound, measures, false);
}

/* Writes what is left when the group at the bottom of a column is gone into `left`, sets the first and the last column that
it had tiles in, and returns how many tiles those were. */
static int32_t click (struct tiles *tiles, int32_t column, int32_t *first, int32_t *last) {
  const int32_t rows = tiles->rows, number = tiles->columns * rows;
  uint8_t *left = tiles->left;
  int16_t stack[MOST_CELLS];
  int32_t waiting = 0, gone = 0;
  memcpy (left, tiles->cells, (size_t) number);
  const uint8_t colour = left[column * rows];
  stack[waiting++] = (int16_t) (column * rows);
  left[column * rows] = 0;
  *first = *last = column;
  while (waiting) {
    const int32_t at = stack[--waiting], row = at % rows;
    const int32_t beside[] = {at - rows, at + rows, row ? at - 1 : -1, row + 1 < rows ? at + 1 : -1};
    *first = least (*first, at / rows);
    *last = most_of (*last, at / rows);
    gone++;
    for (int32_t side = 0; side < 4; side++) {
      const int32_t other = beside[side];
      if (other < 0 || other >= number || left[other] != colour)
        continue;
      left[other] = 0;
      stack[waiting++] = (int16_t) other;
    }
  }
  for (int32_t fallen = *first; fallen <= *last; fallen++) {
    uint8_t *to = left + fallen * rows, *end = to + rows;
    for (const uint8_t *cell = to; cell < end; cell++)
      if (*cell)
        *to++ = *cell;
    while (to < end)
      *to++ = 0;
  }
  return gone;
}

/* Makes a state that whose children are looked at. */
static void take_up_tiles (struct bspsat_beam *beam, const void *cells) {
  struct tiles *tiles = beam->space;
  memcpy (tiles->cells, cells, (size_t) (tiles->columns * tiles->rows));
  for (int32_t column = 0; column < tiles->columns; column++)
    tiles->colours[column] = colours_of (tiles, tiles->cells, column);
}

static int32_t count_tiles (const struct tiles *tiles) {
  int32_t count = 0;
  for (int32_t cell = 0; cell < tiles->columns * tiles->rows; cell++)
    count += tiles->cells[cell] > 0;
  return count;
}

static bool enter_first_tiles (struct bspsat_beam *beam) {
  struct tiles *tiles = beam->space;
  take_up_tiles (beam, tiles->start);
  memcpy (tiles->left, tiles->start, sizeof tiles->start);
  beam->search.limit = BSPSAT_NO_LIMIT;
  return enter_tiles (beam, 0, -1, count_tiles (tiles), 0);
}

static bool expand_tiles (struct bspsat_beam *beam, int32_t state) {
  struct tiles *tiles = beam->space;
  const struct record *record = record_at (&beam->search, state);
  const int32_t rows = tiles->rows, cost = record->cost + 1;
  take_up_tiles (beam, key_at (record));
  const int32_t count = count_tiles (tiles);
  beam->search.now = state;
  for (int32_t column = 0, first, last; column < tiles->columns; column++) {
    const uint8_t colour = tiles->cells[column * rows];
    if (!colour || (column > 0 && tiles->cells[(column - 1) * rows] == colour))
      continue; // the same group as the column before
    const int32_t remain = count - click (tiles, column, &first, &last);
    if (!enter_tiles (beam, first, last, remain, cost))
      return false;
  }
  return true;
}

/* Finds, for each state of the plan, a click that leads there. */
static int64_t plan_of_tiles (struct bspsat_beam *beam, uint8_t *moves, int64_t room) {
  struct tiles *tiles = beam->space;
  const struct bspsat_search *search = &beam->search;
  int32_t length = record_at (search, search->found)->cost, first, last;
  const int64_t all = length;
  for (int32_t state = search->found; length > 0; length--) {
    const key_word *after = key_at (record_at (search, state));
    state = record_at (search, state)->parent;
    take_up_tiles (beam, key_at (record_at (search, state)));
    for (int32_t column = 0; column < tiles->columns; column++) {
      if (!tiles->cells[column * tiles->rows])
        continue;
      click (tiles, column, &first, &last);
      if (memcmp (tiles->left, after, (size_t) (tiles->columns * tiles->rows)))
        continue;
      if (length <= room)
        moves[2 * (length - 1)] = moves[2 * length - 1] = (uint8_t) column;
      break;
    }
  }
  return all;
}

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
  beam->plan = plan_of_tiles;
  beam->weights = OF_TILES, beam->vectors = 1;
  struct tiles *tiles = beam->space = take_zeros (sizeof *tiles);
  beam->search.packing.words = (int32_t) ((columns * rows + 7) / 8);
  beam->search.stride = HEAD + 8 * beam->search.packing.words;
  if (tiles && clear_states (&beam->search)) {
    tiles->columns = (int32_t) columns, tiles->rows = (int32_t) rows;
    memcpy (tiles->start, cells, (size_t) (columns * rows));
    for (int32_t cell = 0; cell < columns * rows; cell++)
      tiles->below[cell] = cell % rows + 1 < rows ? 128 : 0;
    return beam;
  }
  bspsat_beam_free (beam);
  return 0;
}
