/* What the parts of the engine know of a board: its tables, and the runs that they were made from. */

#ifndef CONTENTS_H
#define CONTENTS_H

#include "contents/board.h"

#include <stdbool.h>

enum { MIXED = BSPSAT_MIXED, UNIFORM = BSPSAT_UNIFORM, TEMPORARY = BSPSAT_TEMPORARY };

/* What tubes can hold, as runs on top of each other: a node is a run with all that lies beneath it. A content is a node
and its number of balls. The first nodes are the runs that lie on nothing, by colour. */
struct trie {
  int32_t nodes;    // so far
  int32_t *colour;  // [nodes] of the run
  int32_t *beneath; // [nodes] the node beneath, -1 for none
  int32_t *height;  // [nodes] balls beneath
  int32_t *child;   // [nodes] a node right above, -1 for none
  int32_t *sibling; // [nodes] another one above the same node, -1 for none
  int32_t *bottom;  // [nodes] colour at the bottom
  int32_t *stays;   // [nodes] balls of the bottom run, 0 where it is this one
  int32_t *alike;   // [nodes] balls beneath that have the colour at the bottom
  int32_t *runs;    // [nodes] number of runs, with this one
  int32_t *number;  // [nodes, capacity + 1] of each content by its balls, -1 where there is none
};

struct bspsat_board {
  struct bspsat_tables tables;
  struct trie trie;   // of boards without rules for tubes
  int32_t tubes;
  bool by_homes;      // whether the space is that of homes
  bool one_ball;      // whether a move takes one ball (ball sort) or as many as fit
  bool rank_keeps;    // whether some colour doesn't keep exactly its best bottom run
  bool full;          // whether the goal is full tubes
  bool ruled;         // whether tubes have rules
  bool locked;        // whether some of them are locked
  bool whole_pours;   // whether partial pours are refused
  uint64_t *tally;    // [words, numbers] in the space of homes: balls of each colour, `tally_bits` for each
  int32_t tally_bits; // so many that a sum of tallies and `tally_start` has a colour's highest one set for all of its balls
  uint64_t tally_start;
  int32_t *numbers;   // [tubes] of the board itself, -1 - colour for homes; only without rules
  void *trie_block, *tables_block;
};

/* Numbers the contents of a board's tubes and of further ones, all well-formed, see `numbering.c`. */
bool number_contents (struct bspsat_board *, const uint8_t *loads, int64_t further);

/* Fills the tables of a board whose contents are numbered, see `tables.c`; false when memory is used up. */
bool make_tables (struct bspsat_board *, const uint8_t *loads);

/* Lays the tables out in one block; false when memory is used up. `ruled`: with those of tubes with rules. */
bool take_tables (struct bspsat_board *, bool counts_blocks, bool ruled, bool has_needs);

static inline int32_t *number_of (const struct trie *trie, int32_t capacity, int32_t node, int32_t load) {
  return &trie->number[node * (capacity + 1) + load];
}

static inline int32_t *founded (const struct bspsat_tables *tables, int32_t colour, int32_t load) {
  return &tables->founded[colour * ((int32_t) tables->capacity + 1) + load];
}

/* The number of balls of one colour in a tube that was empty. */
static inline int32_t first_number (int32_t colours, int32_t capacity, int32_t colour, int32_t load) {
  return 1 + (colours - 1 - colour) * capacity + capacity - load;
}

/* Colours of one word of a tally. */
static inline int32_t tallied (const struct bspsat_board *board) { return 64 / board->tally_bits; }

/* The first byte behind tubes whose numbers of balls begin at `loads`. */
static inline const uint8_t *after_tubes (const uint8_t *loads, int64_t tubes) {
  const uint8_t *behind = loads + tubes;
  for (int64_t tube = 0; tube < tubes; tube++)
    behind += loads[tube];
  return behind;
}

/*------------------------------------------------------------------------*/
/* Sets of colours. */

static inline bool is_in (int32_t colour, uint64_t colours) { return colours >> colour & 1; }

static inline uint64_t with (uint64_t colours, int32_t colour) { return colours | UINT64_C (1) << colour; }

static inline int32_t least (int32_t a, int32_t b) { return a < b ? a : b; }

static inline int32_t most_of (int32_t a, int32_t b) { return a > b ? a : b; }

#endif
