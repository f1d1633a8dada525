/* The contents of a plain board's tubes, numbered, and looked up.

They are numbered in this order: the empty tube, 0; contents of one colour in tubes that were empty, the last colour
first and full tubes first; then those of the board's tubes, the last tube first: what a tube holds, that with more
balls on top, that with fewer down to one ball of the top run (but not where a step takes whole runs), and then what
lies beneath the run in the same way. What has a number keeps it. */

#include "contents/contents.h"
#include "memory.h"
#include "parts.h"

enum { FLAGS, CAPACITY, COLOURS, TUBES, LOADS }; // places in a packed board

/* Adds a run of a colour above another one, with `height` balls beneath it. */

static void add_node (const struct trie *trie, int32_t capacity, int32_t node, int32_t colour, int32_t beneath,
                      int32_t height) {
  trie->colour[node] = colour;
  trie->beneath[node] = beneath;
  trie->height[node] = height;
  trie->child[node] = trie->sibling[node] = -1;
  for (int32_t load = 0; load <= capacity; load++)
    *number_of (trie, capacity, node, load) = -1;
  if (beneath < 0) {
    trie->bottom[node] = colour;
    trie->stays[node] = trie->alike[node] = 0;
    trie->runs[node] = 1;
    return;
  }
  trie->sibling[node] = trie->child[beneath];
  trie->child[beneath] = node;
  trie->bottom[node] = trie->bottom[beneath];
  trie->stays[node] = trie->stays[beneath] ? trie->stays[beneath] : height;
  trie->alike[node] = trie->alike[beneath];
  if (trie->colour[beneath] == trie->bottom[beneath])
    trie->alike[node] += height - trie->height[beneath];
  trie->runs[node] = trie->runs[beneath] + 1;
}

/* The node of a tube with `load` balls; -1 where there is none. `made` is where it may be made, NULL where not. */

static int32_t node_of (const struct trie *trie, int32_t capacity, const uint8_t *balls, int32_t load,
                        struct trie *made) {
  int32_t node = balls[0], height = 1;
  for (;;) {
    while (height < load && balls[height] == trie->colour[node])
      height++;
    if (height == load)
      return node;
    const int32_t colour = balls[height];
    int32_t above = trie->child[node];
    while (above >= 0 && (trie->height[above] != height || trie->colour[above] != colour))
      above = trie->sibling[above];
    if (above < 0) {
      if (!made)
        return -1;
      above = made->nodes++;
      add_node (trie, capacity, above, colour, node, height);
    }
    node = above;
  }
}

/* Numbers the contents of tubes, the last one first; `behind` is the place behind their balls. */

static void number_tubes (struct bspsat_board *board, const uint8_t *loads, int64_t tubes, const uint8_t *behind) {
  struct trie *trie = &board->trie;
  const int32_t capacity = (int32_t) board->tables.capacity;
  int32_t numbers = (int32_t) board->tables.numbers;
  const uint8_t *balls = behind;
  for (int64_t tube = tubes - 1; tube >= 0; tube--) {
    int32_t load = loads[tube];
    balls -= load;
    int32_t node = load ? node_of (trie, capacity, balls, load, trie) : -1;
    while (node >= 0 && *number_of (trie, capacity, node, load) < 0) {
      const int32_t beneath = trie->beneath[node], height = trie->height[node];
      const int32_t most = board->by_homes && beneath < 0 ? load : capacity;
      for (int32_t more = load; more <= most && *number_of (trie, capacity, node, more) < 0; more++)
        *number_of (trie, capacity, node, more) = numbers++;
      if (!board->by_homes)
        for (int32_t fewer = load - 1; fewer > height; fewer--)
          *number_of (trie, capacity, node, fewer) = numbers++;
      node = beneath, load = height;
    }
  }
  board->tables.numbers = numbers;
}

/* Lays the trie out, see `part_of`. */

static int64_t lay_trie (struct trie *trie, char *block, int64_t nodes, int64_t capacity) {
  int64_t used = 0;
  int32_t **const lists[] = {&trie->colour, &trie->beneath, &trie->height, &trie->child, &trie->sibling,
                             &trie->bottom, &trie->stays,   &trie->alike,  &trie->runs};
  for (unsigned list = 0; list < sizeof lists / sizeof *lists; list++)
    *lists[list] = part_of (block, &used, nodes, sizeof (int32_t));
  trie->number = part_of (block, &used, nodes * (capacity + 1), sizeof (int32_t));
  return used;
}

bool number_contents (struct bspsat_board *board, const uint8_t *packed, int64_t further) {
  const int32_t colours = packed[COLOURS], capacity = packed[CAPACITY], tubes = packed[TUBES];
  const uint8_t *loads = packed + LOADS, *behind = after_tubes (loads, tubes), *end = after_tubes (behind, further);
  struct trie *trie = &board->trie;
  int64_t nodes = colours + tubes + further + 1; // at most
  for (const uint8_t *ball = loads; ball < end - 1; ball++)
    nodes += ball[0] != ball[1];
  board->trie_block = nodes * (capacity + 1) > INT32_MAX ? 0 : take (lay_trie (trie, 0, nodes, capacity));
  if (!board->trie_block)
    return false;
  lay_trie (trie, board->trie_block, nodes, capacity);
  trie->nodes = colours;
  board->tables.numbers = 1 + colours * capacity;
  for (int32_t colour = 0; colour < colours; colour++) {
    add_node (trie, capacity, colour, colour, -1, 0);
    if (!board->by_homes)
      for (int32_t load = 1; load <= capacity; load++)
        *number_of (trie, capacity, colour, load) = first_number (colours, capacity, colour, load);
  }
  number_tubes (board, behind, further, end);
  number_tubes (board, loads, tubes, behind);
  return true;
}

/*------------------------------------------------------------------------*/

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
  if (number_contents (board, packed, further) && make_tables (board, packed + LOADS)) {
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

int64_t bspsat_board_numbers (const struct bspsat_board *board, const uint8_t *tubes, int64_t number,
                              int32_t *numbers) {
  const struct trie *trie = &board->trie;
  const int32_t capacity = (int32_t) board->tables.capacity, colours = (int32_t) board->tables.colours;
  if (board->ruled || number < 0)
    return BSPSAT_INVALID;
  const uint8_t *balls = tubes + number;
  for (int64_t tube = 0; tube < number; tube++) {
    const int32_t load = tubes[tube];
    if (load > capacity)
      return BSPSAT_INVALID;
    for (int32_t ball = 0; ball < load; ball++)
      if (balls[ball] >= colours)
        return BSPSAT_INVALID;
    numbers[tube] = 0;
    if (load) {
      const int32_t node = node_of (trie, capacity, balls, load, 0);
      if (node >= 0 && board->by_homes && load == capacity && trie->beneath[node] < 0)
        numbers[tube] = -1 - node;
      else if (node < 0 || (numbers[tube] = *number_of (trie, capacity, node, load)) < 0)
        return BSPSAT_INVALID;
    }
    balls += load;
  }
  return BSPSAT_FOUND;
}
