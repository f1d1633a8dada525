/* The contents of a plain board's tubes, numbered, and looked up.

They are numbered in this order: the empty tube, 0; contents of one colour in tubes that were empty, the last colour
first and full tubes first; then those of the board's tubes, the last tube first: what a tube holds, that with more
balls on top, that with fewer down to one ball of the top run (but not where a step takes whole runs), and then what
lies beneath the run in the same way. What has a number keeps it. */

#include "contents/contents.h"
#include "memory.h"
#include "parts.h"

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

bool number_contents (struct bspsat_board *board, const uint8_t *loads, int64_t further) {
  const int32_t colours = (int32_t) board->tables.colours, capacity = (int32_t) board->tables.capacity;
  const int32_t tubes = board->tubes;
  const uint8_t *behind = after_tubes (loads, tubes), *end = after_tubes (behind, further);
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
