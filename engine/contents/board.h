/* A board's tubes as numbers: the part of the door that all searches begin with.

What a tube may hold is a short list: the lower part of what it held at first, with balls of the colour on top of that,
or balls of one colour. Each entry, a content, gets a number, 0 is the empty tube, and tables say what a step makes of
it. A position is the numbers of its tubes. */

#ifndef BOARD_H
#define BOARD_H

#include "common.h"

enum { BSPSAT_MOST_COLOURS = 64, BSPSAT_MOST_CAPACITY = 64, BSPSAT_MOST_TUBES = 128 };

/* A packed board: its first byte is a sum of these, then come balls a tube, colours and tubes, a byte each; then one byte
a tube, the number of its balls; then all balls, tube by tube, bottom first. In the space of homes a step takes a whole
top run, and each colour fills one tube: docs/search.md. */
enum { BSPSAT_WATER = 1, BSPSAT_MONOCHROME = 2, BSPSAT_BY_HOMES = 4 };

/* Kinds of contents: several colours; one; one, in a tube that isn't that colour's home. */
enum { BSPSAT_MIXED = 1, BSPSAT_UNIFORM, BSPSAT_TEMPORARY };

/* The contents; arrays are indexed by number where nothing else is said. */
struct bspsat_tables {
  int64_t numbers;   // of contents
  int64_t colours;
  int64_t capacity;  // of the tallest tube
  int64_t groups;    // of tubes with the same rule
  int32_t *top;      // colour on top, -1 for an empty tube
  int32_t *run;      // balls in the top run
  int32_t *room;     // balls that still fit
  int32_t *bottom;   // colour at the bottom, -1 for an empty tube
  int32_t *work;     // moves that the contents cost if nothing stays: balls (ball sort) or blocks (water sort)
  int32_t *keep;     // moves saved where the bottom run stays
  int32_t *stays;    // balls of the bottom run
  int32_t *kind;     // 0, BSPSAT_MIXED, BSPSAT_UNIFORM or BSPSAT_TEMPORARY
  int32_t *less;     // what is left when one ball, or in the space of homes the top run, is gone
  int32_t *more;     // with one more ball of the top colour; 0 where that can't happen
  int32_t *done;     // 1 where the goal accepts it
  int32_t *alone;    // 1 for a full tube with every ball of its colour
  uint64_t *colours_in; // set of the colours in it
  int32_t *blocks;   // [numbers, colours] blocks of each colour; NULL where the bound doesn't need them
  int32_t *founded;  // [groups * colours, capacity + 1] the contents of one colour in a tube that was empty
  int32_t *homes;    // [colours] tubes that the colour fills in the end; 0 for all that it's at the bottom of, or, where
                     // there are `needs`, for none
  int32_t *counts;   // [colours] balls of each
  int32_t *gives;    // 1 where the tube may be a source; this and what follows is NULL where tubes have no rules
  uint64_t *takes;   // set of the colours that may be put in
  int32_t *group;    // number of the tube's rule
  int32_t *opens;    // the same contents when the lock has opened, -1 where there is none
  int32_t *lock_colour; // colour that opens the lock when it is complete, or whose tubes count; -1 for none
  int32_t *lock_tubes;  // number of complete tubes that opens it, 0 for none
  int32_t *complete; // balls of a complete tube, 0 for others
  int32_t *needs;    // where some full tubes are wanted, else NULL: moves that fill it with its bottom colour, at least;
                     // capacity + 1 for never, or where it's empty. The goal is that the moves for all homes are none
  int32_t *afresh;   // the same as if it were empty
  int32_t *fills;    // [colours, capacity + 1] how many tubes, if all were empty, so many moves would fill with the colour
};

struct bspsat_board;

/* Numbers what the tubes of a packed board can come to hold, and what `further` tubes can that follow it in the same way
(numbers of balls, then balls). Sets `made`, which `bspsat_board_free` frees. Returns BSPSAT_FOUND, BSPSAT_INVALID or
BSPSAT_MEMORY. */
DOOR int64_t bspsat_board_new (const uint8_t *packed, int64_t bytes, int64_t further, struct bspsat_board **made);

/* Makes a board of tables, which it copies: of `tubes` tubes that have rules. `whole_pours`: a move takes the whole run or
isn't allowed. Returns as above. */
DOOR int64_t bspsat_board_of_tables (const struct bspsat_tables *, int64_t tubes, int64_t one_ball, int64_t whole_pours,
                                     struct bspsat_board **made);

/* Frees a board, when all that was made of it is freed; NULL is nothing. */
DOOR void bspsat_board_free (struct bspsat_board *);

/* Returns the tables, which stay as long as the board. */
DOOR const struct bspsat_tables *bspsat_board_tables (const struct bspsat_board *);

/* Writes the numbers of tubes (numbers of balls, then balls) into `numbers`; -1 - colour for a full tube of one colour in
the space of homes: its home. Returns BSPSAT_FOUND; BSPSAT_INVALID where a tube can't come up on the board. */
DOOR int64_t bspsat_board_numbers (const struct bspsat_board *, const uint8_t *tubes, int64_t number,
                                   int32_t *numbers);

#endif
