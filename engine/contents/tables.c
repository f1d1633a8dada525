/* The tables of a board's contents, once these have numbers. */

#include "contents/contents.h"
#include "memory.h"
#include "parts.h"

#include <string.h>

/* Lays the tables out, see `part_of`. */
static int64_t lay_tables (struct bspsat_board *board, char *block, bool counts_blocks, bool ruled, bool has_needs) {
  struct bspsat_tables *tables = &board->tables;
  const int64_t numbers = tables->numbers, colours = tables->colours;
  int64_t used = 0;
  int32_t **const lists[] = {&tables->top,   &tables->run,  &tables->room, &tables->bottom,
                             &tables->work,  &tables->keep, &tables->stays, &tables->kind,
                             &tables->less,  &tables->more, &tables->done, &tables->alone};
  for (unsigned list = 0; list < sizeof lists / sizeof *lists; list++)
    *lists[list] = part_of (block, &used, numbers, sizeof (int32_t));
  tables->colours_in = part_of (block, &used, numbers, sizeof (uint64_t));
  tables->blocks = counts_blocks ? part_of (block, &used, numbers * colours, sizeof (int32_t)) : 0;
  tables->founded = part_of (block, &used, tables->groups * colours * (tables->capacity + 1), sizeof (int32_t));
  tables->homes = part_of (block, &used, colours, sizeof (int32_t));
  tables->counts = part_of (block, &used, colours, sizeof (int32_t));
  if (board->by_homes) {
    board->tally_bits = 65 - __builtin_clzll ((uint64_t) (tables->capacity - 1) | 1);
    board->tally = part_of (block, &used, numbers * ((colours + tallied (board) - 1) / tallied (board)), sizeof (uint64_t));
  }
  board->numbers = part_of (block, &used, board->tubes, sizeof (int32_t));
  if (ruled) {
    int32_t **const of_rules[] = {&tables->gives,       &tables->group,      &tables->opens,
                                  &tables->lock_colour, &tables->lock_tubes, &tables->complete};
    for (unsigned list = 0; list < sizeof of_rules / sizeof *of_rules; list++)
      *of_rules[list] = part_of (block, &used, numbers, sizeof (int32_t));
    tables->takes = part_of (block, &used, numbers, sizeof (uint64_t));
  }
  tables->needs = has_needs ? part_of (block, &used, numbers, sizeof (int32_t)) : 0;
  tables->afresh = has_needs ? part_of (block, &used, numbers, sizeof (int32_t)) : 0;
  tables->fills = has_needs ? part_of (block, &used, colours * (tables->capacity + 1), sizeof (int32_t)) : 0;
  return used;
}

bool take_tables (struct bspsat_board *board, bool counts_blocks, bool ruled, bool has_needs) {
  board->tables_block = take_zeros (lay_tables (board, 0, counts_blocks, ruled, has_needs));
  if (board->tables_block)
    lay_tables (board, board->tables_block, counts_blocks, ruled, has_needs);
  return board->tables_block;
}

/* Makes the tally of a content from that of what lies beneath its top run. */
static void add_to_tally (const struct bspsat_board *board, int32_t number, int32_t beneath, int32_t colour, int32_t run) {
  const int64_t numbers = board->tables.numbers;
  const int32_t fields = tallied (board);
  for (int32_t word = 0; word * fields < board->tables.colours; word++)
    board->tally[word * numbers + number] = board->tally[word * numbers + beneath];
  board->tally[colour / fields * numbers + number] += (uint64_t) run << colour % fields * board->tally_bits;
}

/* Fills the tables of balls of one colour in tubes that were empty. */
static void fill_founded (const struct bspsat_board *board) {
  const struct bspsat_tables *tables = &board->tables;
  const int32_t capacity = (int32_t) tables->capacity, colours = (int32_t) tables->colours;
  for (int32_t colour = 0; colour < colours; colour++)
    for (int32_t load = 1; load <= capacity; load++) {
      const int32_t number = first_number (colours, capacity, colour, load);
      *founded (tables, colour, load) = number;
      if (!board->by_homes)
        continue; // they are those of nodes
      tables->top[number] = tables->bottom[number] = colour;
      tables->run[number] = tables->work[number] = tables->stays[number] = load;
      tables->room[number] = capacity - load;
      tables->kind[number] = TEMPORARY;
      tables->more[number] = load < capacity ? number - 1 : 0;
      tables->colours_in[number] = with (0, colour);
      tables->done[number] = load == capacity;
      add_to_tally (board, number, 0, colour, load);
    }
}

/* Fills the tables of one content: a node with `load` balls in all. */
static void fill_content (const struct bspsat_board *board, int32_t node, int32_t load, int32_t number) {
  const struct bspsat_tables *tables = &board->tables;
  const struct trie *trie = &board->trie;
  const int32_t capacity = (int32_t) tables->capacity, colours = (int32_t) tables->colours;
  const int32_t colour = trie->colour[node], beneath = trie->beneath[node], height = trie->height[node];
  const int32_t bottom = trie->bottom[node], run = load - height;
  const int32_t under = beneath >= 0 ? *number_of (trie, capacity, beneath, height) : 0;
  const bool uniform = beneath < 0, by_homes = board->by_homes;
  const int32_t stays = uniform ? load : trie->stays[node];
  tables->top[number] = colour, tables->bottom[number] = bottom;
  tables->run[number] = run, tables->room[number] = capacity - load;
  tables->work[number] = board->one_ball ? load : trie->runs[node];
  tables->stays[number] = stays;
  if (!board->one_ball)
    tables->keep[number] = 1;
  else if (by_homes)
    tables->keep[number] = 2 * stays - trie->alike[node] - (colour == bottom ? run : 0);
  else
    tables->keep[number] = stays;
  tables->kind[number] = uniform ? UNIFORM : MIXED;
  tables->less[number] = by_homes || run == 1 ? under : *number_of (trie, capacity, node, load - 1);
  const bool grows = load < capacity && !(by_homes && uniform);
  tables->more[number] = grows ? *number_of (trie, capacity, node, load + 1) : 0;
  tables->colours_in[number] = with (tables->colours_in[under], colour);
  if (by_homes)
    add_to_tally (board, number, under, colour, run);
  tables->done[number] = uniform && (!board->full || load == capacity);
  tables->alone[number] = uniform && load == capacity && tables->counts[bottom] == capacity;
  if (tables->blocks)
    for (int32_t other = 0; other < colours; other++)
      tables->blocks[number * colours + other] = tables->blocks[under * colours + other] + (other == colour);
}

bool make_tables (struct bspsat_board *board, const uint8_t *loads) {
  struct bspsat_tables *tables = &board->tables;
  const int32_t capacity = (int32_t) tables->capacity, colours = (int32_t) tables->colours;

  // How many balls of each colour there are decides on the other tables.
  int32_t counts[BSPSAT_MOST_COLOURS] = {0};
  const uint8_t *behind = after_tubes (loads, board->tubes);
  for (const uint8_t *ball = loads + board->tubes; ball < behind; ball++)
    counts[*ball]++;
  for (int32_t colour = 0; colour < colours; colour++)
    board->rank_keeps |= !board->full || counts[colour] / capacity != 1;
  const bool counts_blocks = !board->one_ball && board->rank_keeps;
  if ((counts_blocks && times (tables->numbers, colours) > INT32_MAX) || !take_tables (board, counts_blocks, false, false))
    return false;
  for (int32_t colour = 0; colour < colours; colour++) {
    tables->counts[colour] = counts[colour];
    tables->homes[colour] = board->full ? counts[colour] / capacity : 0;
  }
  tables->top[0] = tables->bottom[0] = -1;
  tables->room[0] = capacity, tables->done[0] = 1;
  for (int32_t field = 0; board->by_homes && field < tallied (board); field++)
    board->tally_start |= ((UINT64_C (1) << (board->tally_bits - 1)) - (uint64_t) capacity) << field * board->tally_bits;
  fill_founded (board);
  for (int32_t node = 0; node < board->trie.nodes; node++)
    for (int32_t load = board->trie.height[node] + 1; load <= capacity; load++) {
      const int32_t number = *number_of (&board->trie, capacity, node, load);
      if (number >= 0)
        fill_content (board, node, load, number);
    }
  return true;
}
