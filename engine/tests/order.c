/* Calls that once ended with their caller: each out of order, or with numbers that a product or a table has no room for. */

#include "test.h"

#include "memory.h"

/* Two colours in the space of moves; solved in some moves. */
static const uint8_t PACKED[] = {0, 2, 2, 3, 2, 2, 0, 0, 1, 1, 0};

static void try_searches (void) {
  struct bspsat_board *board;
  uint8_t moves[40];
  int32_t numbers[3], rows[400];
  CHECK (bspsat_board_new (PACKED, sizeof PACKED, 0, &board) == BSPSAT_FOUND);
  CHECK (bspsat_board_numbers (board, PACKED + 4, 3, numbers) == BSPSAT_FOUND);
  struct bspsat_search *search = bspsat_search_new (board, 1, 1, 1);
  CHECK (bspsat_search_run (search, BSPSAT_NO_LIMIT, 1, 1 << 20) == BSPSAT_INVALID); // before a start
  CHECK (bspsat_search_start (search, numbers) == BSPSAT_FOUND);
  CHECK (bspsat_search_run (search, BSPSAT_NO_LIMIT, 1, 1 << 20) == BSPSAT_PAUSED);
  CHECK (bspsat_search_plan (search, moves, 20) == BSPSAT_INVALID); // before a plan
  CHECK (bspsat_search_again (search) == BSPSAT_INVALID);           // not depth first
  CHECK (bspsat_search_deepen (search) == BSPSAT_FOUND && bspsat_search_deepen (search) == BSPSAT_INVALID);
  CHECK (bspsat_search_spread (search) == BSPSAT_INVALID && bspsat_search_help (search, 1) == BSPSAT_INVALID);
  CHECK (bspsat_search_run (search, 9, 1000, 1 << 20) == BSPSAT_FOUND && bspsat_search_plan (search, moves, 20) > 0);
  CHECK (bspsat_search_start (search, numbers) == BSPSAT_FOUND);
  CHECK (bspsat_search_plan (search, moves, 20) == BSPSAT_INVALID); // of what was before
  CHECK (bspsat_search_run (search, BSPSAT_NO_LIMIT, 1, 1 << 20) == BSPSAT_PAUSED);
  CHECK (bspsat_search_states (search, 9, rows) > 0 && bspsat_search_spread (search) == BSPSAT_FOUND);
  CHECK (bspsat_search_states (search, 9, rows) == BSPSAT_INVALID); // in its parts
  CHECK (bspsat_search_help (search, 2) == BSPSAT_INVALID);         // it would wait for two calls
  bspsat_search_free (search);
  struct bspsat_beam *beam = bspsat_beam_new (board, numbers);
  CHECK (bspsat_beam_plan (beam, moves, 20) == BSPSAT_INVALID);
  bspsat_beam_free (beam);
  bspsat_board_free (board);
}

static void try_loose_boards (void) {
  struct bspsat_tube rules[3];
  for (int tube = 0; tube < 3; tube++)
    rules[tube] = (struct bspsat_tube) {.takes = 3, .capacity = 2, .own = -1, .gives = 1, .lock_colour = -1};
  const uint8_t loads[] = {2, 2, 0}, balls[] = {0, 1, 1, 0};
  const struct bspsat_loose board = {.colours = 2, .tubes = 3, .homes = {1, 1}, .rules = rules, .loads = loads, .balls = balls};
  struct bspsat_anywhere *search;
  uint8_t moves[40];
  CHECK (bspsat_anywhere_new (&board, &search) == BSPSAT_FOUND);
  CHECK (bspsat_anywhere_plan (search, moves, 20) == BSPSAT_INVALID);
  CHECK (bspsat_anywhere_beam_run (search, 9) == BSPSAT_INVALID && bspsat_anywhere_beam_plan (search, moves, 20) == BSPSAT_INVALID);
  CHECK (bspsat_anywhere_beam (search, INT64_MAX, 20, 1000) == BSPSAT_FOUND);
  bspsat_anywhere_free (search);
  rules[1].lock_tubes = 1; // but not that of the others of its group
  CHECK (bspsat_anywhere_new (&board, &search) == BSPSAT_INVALID);
}

static void try_tables (void) {
  int32_t none[] = {-1, -1, -1}, zero[6] = {0};
  uint64_t takes[] = {1, 1, 1};
  struct bspsat_tables tables = {
      .numbers = 3, .colours = 1, .capacity = 1, .groups = 1, .top = none, .run = zero, .room = zero, .bottom = none,
      .work = zero, .keep = zero, .kind = zero, .less = zero, .more = zero, .done = zero, .alone = zero, .founded = zero,
      .homes = zero, .counts = zero, .gives = zero, .takes = takes, .group = zero, .opens = none, .lock_colour = none,
      .lock_tubes = zero, .complete = zero};
  struct bspsat_board *board;
  CHECK (bspsat_board_of_tables (&tables, 2, 1, 0, &board) == BSPSAT_FOUND);
  bspsat_board_free (board);
  int32_t one[] = {0, 1, 0};
  tables.complete = one; // without a top
  CHECK (bspsat_board_of_tables (&tables, 2, 1, 0, &board) == BSPSAT_INVALID);
  tables.complete = zero, tables.keep = tables.work = one; // without a bottom
  CHECK (bspsat_board_of_tables (&tables, 2, 1, 0, &board) == BSPSAT_INVALID);
}

static void try_sizes (void) {
  const int64_t sides = INT64_C (1) << 32; // whose product is 0
  CHECK (times (sides, sides) == TOO_MANY && times (-1, 2) == TOO_MANY && times (3, 5) == 15 && !take (TOO_MANY));
  static const uint8_t solved[] = {0, 1, 1, 1, 1, 0}; // a plan without moves is first
  struct bspsat_batch *batch = bspsat_batch_new ();
  const struct bspsat_answer *answers;
  const uint8_t *moves;
  int64_t answered;
  CHECK (bspsat_batch_begin (batch, solved, sizeof solved, 1, 1, 100, 1 << 20) == BSPSAT_FOUND);
  CHECK (bspsat_batch_go_on (batch, 100, &answers, &answered, &moves) == BSPSAT_EXHAUSTED);
  CHECK (answered == 1 && answers->status == BSPSAT_FOUND && answers->moves == 0);
  bspsat_batch_free (batch);
}

int main (void) {
  try_searches ();
  try_loose_boards ();
  try_tables ();
  try_sizes ();
  return 0;
}
