/* Boards of all kinds, searched in all ways: both spaces, with and without prunings, in turns of any length, and depth first
where there is little memory. Plans are played, lengths agree with each other, and for small boards with a breadth-first
search (`game.h`). Between them come bytes that are no board. `build/boards NUMBER FIRST` runs that many cases from a
first one on. */

#include "game.h"

enum { MOST_PLAN = 1000, EFFORT = 600, UNKNOWN = -3 };

/* Searches a board, and returns the length of its plan, LOST, or UNKNOWN where it takes too long. */
static int length_by (struct bspsat_search *search, const struct game *game, int64_t most_bytes) {
  const struct bspsat_facts *facts = bspsat_search_facts (search);
  int64_t limit = BSPSAT_NO_LIMIT, bound = 0, status = BSPSAT_PAUSED;
  bool is_deep = false, is_spread = chance (50) == 0;
  while (facts->expansions < EFFORT) {
    if (is_spread && facts->expansions)
      is_spread = bspsat_search_spread (search) != BSPSAT_FOUND;
    status = bspsat_search_run (search, limit, chance_in (1, 40), most_bytes);
    CHECK (facts->rank >= bound || is_deep || status == BSPSAT_EXHAUSTED);
    if (!is_deep)
      bound = facts->rank;
    if (status == BSPSAT_MEMORY && !is_deep) {
      CHECK (bspsat_search_deepen (search) == BSPSAT_FOUND);
      limit = bound, is_deep = true;
    } else if (status == BSPSAT_EXHAUSTED && is_deep && facts->cut)
      bspsat_search_again (search), limit++, status = BSPSAT_PAUSED;
    else if (status != BSPSAT_PAUSED)
      break;
  }
  CHECK (status != BSPSAT_INVALID);
  if (status == BSPSAT_PAUSED || status == BSPSAT_MEMORY || (status == BSPSAT_EXHAUSTED && is_deep && facts->cut))
    return UNKNOWN;
  if (status == BSPSAT_EXHAUSTED)
    return LOST;
  CHECK (bound <= facts->cost);
  uint8_t moves[2 * MOST_PLAN];
  CHECK (facts->cost <= MOST_PLAN && bspsat_search_plan (search, moves, MOST_PLAN) == facts->cost);
  check_solved_by (game, moves, facts->cost);
  return (int) facts->cost;
}

static int length_of (const struct game *game, bool by_homes, bool is_pruned, int64_t most_bytes) {
  int32_t numbers[MOST_GAME_TUBES];
  struct bspsat_board *board = board_of (game, by_homes, numbers);
  struct bspsat_search *search = bspsat_search_new (board, 1, 1, is_pruned);
  CHECK (search && bspsat_search_start (search, numbers) == BSPSAT_FOUND);
  int length = length_by (search, game, most_bytes);
  bspsat_search_free (search);
  bspsat_board_free (board);
  return length;
}

static void agree (int *known, int length) {
  CHECK (length == UNKNOWN || *known == UNKNOWN || length == *known);
  if (*known == UNKNOWN)
    *known = length;
}

/* Lets a beam search a board, in turns of any length and in any memory: each plan is played, and shorter than the one
before. Returns the length of the last one, LOST for none. */
static int beamed_length (const struct game *game, bool by_homes, int64_t most_bytes) {
  uint8_t moves[2 * MOST_PLAN];
  int32_t numbers[MOST_GAME_TUBES];
  struct bspsat_board *board = board_of (game, by_homes, numbers);
  struct bspsat_beam *beam = bspsat_beam_new (board, numbers);
  CHECK (beam);
  const struct bspsat_beam_facts *facts = bspsat_beam_facts (beam);
  int64_t limit = BSPSAT_NO_LIMIT, status = BSPSAT_PAUSED;
  int length = LOST;
  while (facts->expansions < EFFORT && (status == BSPSAT_PAUSED || status == BSPSAT_FOUND)) {
    status = bspsat_beam_run (beam, limit, chance_in (1, 40), most_bytes);
    if (status != BSPSAT_FOUND)
      continue;
    length = (int) bspsat_beam_plan (beam, moves, MOST_PLAN);
    CHECK (length >= 0 && length <= facts->cost && facts->cost <= limit && length <= MOST_PLAN);
    limit = length - 1;
    check_solved_by (game, moves, length);
  }
  CHECK (status != BSPSAT_INVALID);
  bspsat_beam_free (beam);
  bspsat_board_free (board);
  return length;
}

/* Tiles: a beam clears every board, and its clicks do so by rules that are written here once more. */
static void try_tiles (void) {
  int columns = chance_in (1, 7), rows = chance_in (1, 7), colours = chance_in (1, 4), clicks = 0;
  uint8_t cells[49] = {0}, moves[2 * MOST_PLAN];
  for (int column = 0; column < columns; column++)
    for (int row = 0, load = chance_in (0, rows); row < load; row++)
      cells[column * rows + row] = (uint8_t) chance_in (1, colours);
  struct bspsat_beam *beam = bspsat_beam_of_tiles (cells, columns, rows);
  CHECK (beam);
  int64_t limit = BSPSAT_NO_LIMIT, status = BSPSAT_PAUSED;
  bool is_cleared = false;
  while (bspsat_beam_facts (beam)->expansions < EFFORT && (status == BSPSAT_PAUSED || status == BSPSAT_FOUND)) {
    status = bspsat_beam_run (beam, limit, chance_in (1, 40), INT64_C (1) << 30);
    if (status != BSPSAT_FOUND)
      continue;
    int64_t length = bspsat_beam_plan (beam, moves, MOST_PLAN);
    CHECK (length == bspsat_beam_facts (beam)->cost && length <= limit);
    limit = length - 1;
    uint8_t left[49];
    memcpy (left, cells, sizeof left);
    for (clicks = 0; clicks < length; clicks++) {
      bool gone[49] = {false}, grows = true;
      int first = moves[2 * clicks] * rows;
      CHECK (moves[2 * clicks] < columns && left[first]);
      for (gone[first] = true; grows;) {
        grows = false;
        for (int cell = 0; cell < columns * rows; cell++)
          if (!gone[cell] && left[cell] == left[first] &&
              ((cell >= rows && gone[cell - rows]) || (cell + rows < columns * rows && gone[cell + rows]) ||
               (cell % rows && gone[cell - 1]) || ((cell + 1) % rows && gone[cell + 1])))
            gone[cell] = grows = true;
      }
      for (int column = 0; column < columns; column++) {
        int to = column * rows;
        for (int cell = to; cell < (column + 1) * rows; cell++)
          if (left[cell] && !gone[cell])
            left[to++] = left[cell];
        while (to < (column + 1) * rows)
          left[to++] = 0;
      }
    }
    is_cleared = true;
    for (int cell = 0; cell < columns * rows; cell++)
      CHECK (!left[cell]);
  }
  CHECK (is_cleared);
  bspsat_beam_free (beam);
}

static void try_board (void) {
  struct game game;
  deal (&game);
  const bool by_homes = has_homes (&game);
  int length = UNKNOWN;
  int64_t most = chance (2) ? INT64_C (1) << 40 : chance_in (0, 1 << chance_in (0, 16)); // often for 16 states
  agree (&length, length_of (&game, by_homes, true, most));
  if (chance (8) == 0)
    agree (&length, length_of (&game, false, chance (2), INT64_C (1) << 40));
  if (chance (8) == 0) {
    int beamed = beamed_length (&game, by_homes && chance (2), most);
    CHECK (beamed == LOST || length == UNKNOWN || (length != LOST && beamed >= length));
  }
  if (test_case % 200 == 0) {
    int truth = distance_of (&game);
    agree (&length, truth == TOO_LARGE ? UNKNOWN : truth);
  }
}

/* A board with some of its bytes changed, or cut short: it is refused, or searched as what it says. */
static void try_bytes (void) {
  struct game game;
  uint8_t packed[MOST_PACKED];
  struct bspsat_board *board = NULL;
  deal (&game);
  int64_t bytes = pack (&game, chance (2), packed);
  for (int change = chance_in (0, 3); change--;)
    packed[chance ((uint32_t) bytes)] = (uint8_t) (chance (2) ? chance (8) : chance (256));
  if (chance (3) == 0)
    bytes = chance_in (0, (int) bytes);
  uint8_t *given = malloc ((size_t) bytes); // of its size, so that ASan sees its end
  if (bytes)
    memcpy (given, packed, (size_t) bytes);
  int64_t status = bspsat_board_new (given, bytes, 0, &board);
  CHECK (status == BSPSAT_FOUND || status == BSPSAT_INVALID);
  if (status == BSPSAT_FOUND) {
    int32_t numbers[256];
    CHECK (bspsat_board_numbers (board, given + 4, given[3], numbers) == BSPSAT_FOUND);
    struct bspsat_search *search = bspsat_search_new (board, 1, 1, 1);
    if (search && bspsat_search_start (search, numbers) == BSPSAT_FOUND)
      bspsat_search_run (search, BSPSAT_NO_LIMIT, 50, INT64_C (1) << 30);
    bspsat_search_free (search);
    bspsat_board_free (board);
  }
  free (given);
}

static void try_case (void) {
  if (test_case % 64 == 0)
    try_tiles ();
  else if (test_case % 4)
    try_board ();
  else
    try_bytes ();
}

int main (int argc, char **argv) { return try_cases (argc, argv, 880000, try_case); }
