/* Boards are made: a packed one without rules for tubes, or one of tables that are made elsewhere. */

#include "contents/contents.h"
#include "memory.h"

#include <string.h>

enum { FLAGS, CAPACITY, COLOURS, TUBES, LOADS }; // places in a packed board

/* Returns the byte behind some tubes; NULL where they aren't well-formed. */
static const uint8_t *checked_tubes (const uint8_t *loads, const uint8_t *end, int64_t tubes, int32_t capacity,
                                     int32_t colours) {
  if (tubes < 0 || end - loads < tubes)
    return 0;
  const uint8_t *ball = loads + tubes;
  for (int64_t tube = 0; tube < tubes; tube++) {
    if (loads[tube] > capacity || end - ball < loads[tube])
      return 0;
    for (const uint8_t *behind = ball + loads[tube]; ball < behind; ball++)
      if (*ball >= colours)
        return 0;
  }
  return ball;
}

/* Whether a packed board is one, and in the space of homes each colour fills one tube. */
static bool is_well_formed (const uint8_t *packed, int64_t bytes, int64_t further) {
  if (bytes < LOADS || packed[FLAGS] > (BSPSAT_WATER | BSPSAT_MONOCHROME | BSPSAT_BY_HOMES))
    return false;
  const int32_t capacity = packed[CAPACITY], colours = packed[COLOURS], tubes = packed[TUBES];
  if (capacity < 1 || capacity > BSPSAT_MOST_CAPACITY || colours > BSPSAT_MOST_COLOURS || tubes < 1 ||
      tubes > BSPSAT_MOST_TUBES || further < 0 || further > 1 << 22)
    return false;
  const uint8_t *end = packed + bytes, *balls = packed + LOADS + tubes;
  const uint8_t *behind = checked_tubes (packed + LOADS, end, tubes, capacity, colours);
  if (!behind || checked_tubes (behind, end, further, capacity, colours) != end)
    return false;
  if (!(packed[FLAGS] & BSPSAT_BY_HOMES))
    return true;
  int32_t counts[BSPSAT_MOST_COLOURS] = {0};
  while (balls < behind)
    counts[*balls++]++;
  for (int32_t colour = 0; colour < colours; colour++)
    if (counts[colour] != capacity)
      return false;
  return packed[FLAGS] == BSPSAT_BY_HOMES;
}

int64_t bspsat_board_new (const uint8_t *packed, int64_t bytes, int64_t further, struct bspsat_board **made) {
  if (!is_well_formed (packed, bytes, further))
    return BSPSAT_INVALID;
  struct bspsat_board *board = take_zeros (sizeof *board);
  if (!board)
    return BSPSAT_MEMORY;
  board->by_homes = packed[FLAGS] & BSPSAT_BY_HOMES;
  board->one_ball = !(packed[FLAGS] & BSPSAT_WATER);
  board->full = !(packed[FLAGS] & BSPSAT_MONOCHROME);
  board->tubes = packed[TUBES];
  board->tables.colours = packed[COLOURS], board->tables.capacity = packed[CAPACITY], board->tables.groups = 1;
  if (number_contents (board, packed + LOADS, further) && make_tables (board, packed + LOADS)) {
    bspsat_board_numbers (board, packed + LOADS, board->tubes, board->numbers);
    *made = board;
    return BSPSAT_FOUND;
  }
  bspsat_board_free (board);
  return BSPSAT_MEMORY;
}

void bspsat_board_free (struct bspsat_board *board) {
  if (!board)
    return;
  give_back (board->trie_block);
  give_back (board->tables_block);
  give_back (board);
}

/*------------------------------------------------------------------------*/

static bool are_within (const int32_t *values, int64_t length, int64_t from, int64_t to) {
  for (int64_t place = 0; place < length; place++)
    if (values[place] < from || values[place] > to)
      return false;
  return true;
}

/* Whether the figures of each content go together: what gives or is complete has a colour on top, what stays one at the
bottom, no more stays than there is work, and a lock has something that opens it. */
static bool are_whole (const struct bspsat_tables *tables) {
  for (int64_t number = 0; number < tables->numbers; number++)
    if ((tables->top[number] < 0 && (tables->gives[number] || tables->complete[number])) ||
        (tables->bottom[number] < 0 && tables->keep[number]) || tables->keep[number] > tables->work[number] ||
        (tables->opens[number] >= 0 && !tables->lock_tubes[number] && tables->lock_colour[number] < 0))
      return false;
  return true;
}

/* Whether numbers of contents and colours are such, so that no table is read beyond its end, and no bound is negative. */
static bool are_consistent (const struct bspsat_tables *tables, int64_t tubes) {
  const int64_t numbers = tables->numbers, colours = tables->colours, capacity = tables->capacity;
  if (!are_within (tables->homes, colours, 0, tubes))
    return false;
  return are_within (tables->top, numbers, -1, colours - 1) && are_within (tables->bottom, numbers, -1, colours - 1) &&
         are_within (tables->run, numbers, 0, capacity) && are_within (tables->room, numbers, 0, capacity) &&
         are_within (tables->keep, numbers, 0, capacity) && are_within (tables->work, numbers, 0, capacity) &&
         are_within (tables->less, numbers, 0, numbers - 1) && are_within (tables->more, numbers, 0, numbers - 1) &&
         are_within (tables->founded, tables->groups * colours * (capacity + 1), 0, numbers - 1) &&
         are_within (tables->group, numbers, 0, tables->groups - 1) &&
         are_within (tables->opens, numbers, -1, numbers - 1) &&
         are_within (tables->lock_colour, numbers, -1, colours - 1) &&
         are_within (tables->complete, numbers, 0, capacity) &&
         (!tables->needs || (are_within (tables->needs, numbers, 0, capacity + 1) &&
                             are_within (tables->afresh, numbers, 0, capacity + 1) &&
                             are_within (tables->fills, colours * (capacity + 1), 0, BSPSAT_MOST_TUBES))) &&
         are_whole (tables);
}

int64_t bspsat_board_of_tables (const struct bspsat_tables *given, int64_t tubes, int64_t one_ball, int64_t whole_pours,
                                struct bspsat_board **made) {
  if (given->numbers < 1 || given->numbers > 1 << 24 || given->colours < 0 || given->colours > BSPSAT_MOST_COLOURS ||
      given->capacity < 1 || given->capacity > BSPSAT_MOST_CAPACITY || given->groups < 1 ||
      given->groups > 2 * BSPSAT_MOST_TUBES || tubes < 1 || tubes > BSPSAT_MOST_TUBES || !are_consistent (given, tubes))
    return BSPSAT_INVALID;
  struct bspsat_board *board = take_zeros (sizeof *board);
  if (!board)
    return BSPSAT_MEMORY;
  struct bspsat_tables *tables = &board->tables;
  const int64_t numbers = given->numbers, colours = given->colours;
  tables->numbers = numbers, tables->colours = colours;
  tables->capacity = given->capacity, tables->groups = given->groups;
  board->tubes = (int32_t) tubes;
  if (!take_tables (board, false, true, given->needs)) {
    bspsat_board_free (board);
    return BSPSAT_MEMORY;
  }
#define COPY(name, length) memcpy (tables->name, given->name, (size_t) (length) * sizeof *given->name)
  COPY (top, numbers), COPY (run, numbers), COPY (room, numbers), COPY (bottom, numbers), COPY (work, numbers);
  COPY (keep, numbers), COPY (kind, numbers), COPY (less, numbers), COPY (more, numbers), COPY (done, numbers);
  COPY (alone, numbers), COPY (founded, given->groups * colours * (given->capacity + 1));
  COPY (homes, colours), COPY (counts, colours), COPY (gives, numbers), COPY (takes, numbers);
  COPY (group, numbers), COPY (opens, numbers), COPY (lock_colour, numbers), COPY (lock_tubes, numbers);
  COPY (complete, numbers);
  if (given->needs)
    COPY (needs, numbers), COPY (afresh, numbers), COPY (fills, colours * (given->capacity + 1));
#undef COPY
  board->one_ball = one_ball, board->whole_pours = whole_pours;
  board->rank_keeps = board->ruled = true;
  for (int64_t number = 0; number < numbers; number++)
    board->locked |= tables->opens[number] >= 0;
  *made = board;
  return BSPSAT_FOUND;
}

const struct bspsat_tables *bspsat_board_tables (const struct bspsat_board *board) { return &board->tables; }
