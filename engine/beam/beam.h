/* Beam search: plans at once, which needn't be shortest ones. This is its part of the door.

It goes through a space of states step by step, and keeps only the best ones of each layer, so many as its **width**
says. Rounds begin at the start again, with other weights, then with a greater width. engine/README.md has what it
measures. It proves nothing: an exact search (`search/search.h`) gives the bounds. */

#ifndef BEAM_H
#define BEAM_H

#include "contents/board.h"

struct bspsat_beam;

/* What a beam has found so far. */
struct bspsat_beam_facts {
  int64_t expansions; // states whose next ones were looked at
  int64_t width;      // of the round in work
  int64_t cost;       // moves of the last plan found, at most: a step that several ways lead to may be read as a shorter one
};

/* Makes a beam for a board from a position, as for `bspsat_search_start`; NULL when memory is used up, or where a search
would be BSPSAT_INVALID. The board stays in use. */
DOOR struct bspsat_beam *bspsat_beam_new (const struct bspsat_board *, const int32_t *numbers);

enum { BSPSAT_MOST_CELLS = 512 };

/* Makes a beam for tiles: `cells`, [columns, rows], bottom first, 0 for no tile and else 1 + colour, up to 64. Returns NULL
when memory is used up, for more than BSPSAT_MOST_CELLS cells or 255 columns, and where a tile lies on none. */
DOOR struct bspsat_beam *bspsat_beam_of_tiles (const uint8_t *cells, int64_t columns, int64_t rows);

/* Frees a beam; NULL is nothing. */
DOOR void bspsat_beam_free (struct bspsat_beam *);

/* Goes on for about `budget` expansions, to plans of at most `limit` moves. `most_bytes`: that states may take.

Returns BSPSAT_FOUND for a plan, after which it goes on with a lower limit; BSPSAT_PAUSED; BSPSAT_EXHAUSTED when the width
has left nothing out, so that more of it is of no use; BSPSAT_MEMORY when there is no memory for a greater width: that is the
end. */
DOOR int64_t bspsat_beam_run (struct bspsat_beam *, int64_t limit, int64_t budget, int64_t most_bytes);

/* Returns its facts, which the next call changes. */
DOOR const struct bspsat_beam_facts *bspsat_beam_facts (const struct bspsat_beam *);

/* Writes the plan that the last `bspsat_beam_run` found, as `bspsat_search_plan` does; for tiles the column of each click,
twice. */
DOOR int64_t bspsat_beam_plan (struct bspsat_beam *, uint8_t *moves, int64_t room);

#endif
