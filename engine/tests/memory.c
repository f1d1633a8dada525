/* Memory runs out at every place in turn: each request is refused once, with all after it. What was asked for then ends in
an orderly way, what was found so far stays true, and nothing is lost (ASan looks for leaks at the end). */

#include "game.h"

#include "memory.h"

enum { MOST_PLAN = 1000 };

/* Searches a board, in little memory so that depth first is tried too. Returns false where memory ran out. */
static bool try_search (const struct game *game, bool by_homes, int distance, int64_t most_bytes) {
  uint8_t packed[MOST_PACKED], moves[2 * MOST_PLAN];
  int32_t numbers[MOST_GAME_TUBES];
  struct bspsat_board *board;
  int64_t status = bspsat_board_new (packed, pack (game, by_homes, packed), 0, &board);
  if (status == BSPSAT_MEMORY)
    return false;
  CHECK (status == BSPSAT_FOUND);
  struct bspsat_search *search = bspsat_search_new (board, 1, 1, 1);
  bool has_all = search != NULL;
  if (has_all) {
    CHECK (bspsat_board_numbers (board, packed + 4, game->tubes, numbers) == BSPSAT_FOUND);
    status = bspsat_search_start (search, numbers);
    const struct bspsat_facts *facts = bspsat_search_facts (search);
    int64_t limit = BSPSAT_NO_LIMIT;
    for (status = status == BSPSAT_FOUND ? BSPSAT_PAUSED : status; status == BSPSAT_PAUSED;) {
      status = bspsat_search_run (search, limit, 7, most_bytes);
      CHECK (distance == LOST || status == BSPSAT_FOUND || facts->rank <= distance);
      if (status == BSPSAT_MEMORY && !facts->deepening && bspsat_search_deepen (search) == BSPSAT_FOUND)
        limit = facts->rank, status = BSPSAT_PAUSED;
      if (status == BSPSAT_EXHAUSTED && limit != BSPSAT_NO_LIMIT && facts->cut)
        bspsat_search_again (search), limit++, status = BSPSAT_PAUSED;
    }
    CHECK (status == BSPSAT_MEMORY || status == (distance == LOST ? BSPSAT_EXHAUSTED : BSPSAT_FOUND));
    has_all = status != BSPSAT_MEMORY;
    if (status == BSPSAT_FOUND) {
      CHECK (facts->cost == distance);
      int64_t length = bspsat_search_plan (search, moves, MOST_PLAN);
      CHECK (length == distance || length == BSPSAT_MEMORY);
      has_all = length == distance;
    }
  }
  bspsat_search_free (search);
  struct bspsat_beam *beam = has_all ? bspsat_beam_new (board, numbers) : NULL;
  has_all = beam != NULL;
  for (status = has_all ? BSPSAT_PAUSED : BSPSAT_MEMORY; status == BSPSAT_PAUSED;)
    status = bspsat_beam_run (beam, BSPSAT_NO_LIMIT, 7, INT64_C (1) << 20);
  has_all &= status != BSPSAT_MEMORY;
  CHECK (status == BSPSAT_MEMORY || status == BSPSAT_EXHAUSTED || (status == BSPSAT_FOUND && distance != LOST));
  if (has_all && status == BSPSAT_FOUND) {
    int64_t length = bspsat_beam_plan (beam, moves, MOST_PLAN);
    CHECK (length >= distance || length == BSPSAT_MEMORY);
    has_all = length >= distance;
  }
  bspsat_beam_free (beam);
  bspsat_board_free (board);
  return has_all;
}

static void try_boards (void) {
  struct game game;
  int distance;
  do {
    deal (&game);
    distance = game.colours > 2 ? distance_of (&game) : TOO_LARGE;
  } while (distance == TOO_LARGE);
  const bool by_homes = has_homes (&game);
  int64_t most_bytes = chance (2) ? 0 : INT64_C (1) << 40;
  bool has_all;
  int64_t granted = 1;
  do {
    memory_refused_after = granted++;
    has_all = try_search (&game, by_homes, distance, most_bytes);
  } while (!has_all);
  memory_refused_after = -1;
  CHECK (granted > 3);
}

/* A board whose balls go anywhere: a beam, then a search. Returns false where memory ran out. */
static bool try_loose (int64_t *length) {
  static const uint8_t loads[] = {4, 4, 4, 0}, balls[] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
  uint8_t moves[2 * 100];
  struct bspsat_tube rules[4];
  struct bspsat_loose board = {.goal = BSPSAT_GOAL_GATHERED, .colours = 3, .tubes = 4, .homes = {1, 1, 1},
                               .rules = rules, .loads = loads, .balls = balls};
  for (int tube = 0; tube < 4; tube++)
    rules[tube] = (struct bspsat_tube) {.takes = 7, .capacity = 4, .own = -1, .gives = 1, .lock_colour = -1};
  struct bspsat_anywhere *search;
  int64_t status = bspsat_anywhere_new (&board, &search);
  if (status == BSPSAT_MEMORY)
    return false;
  CHECK (status == BSPSAT_FOUND && bspsat_anywhere_sure (search, moves, 100) > 0);
  int64_t found = bspsat_anywhere_beam (search, 3, 100, 1000000);
  while (found == BSPSAT_FOUND && (found = bspsat_anywhere_beam_run (search, 100)) == BSPSAT_PAUSED)
    found = BSPSAT_FOUND;
  CHECK (found == BSPSAT_FOUND || found == BSPSAT_MEMORY);
  if (found == BSPSAT_FOUND)
    found = bspsat_anywhere_beam_plan (search, moves, 100);
  CHECK (found == BSPSAT_MEMORY || found > 0);
  for (status = BSPSAT_PAUSED; status == BSPSAT_PAUSED;)
    status = bspsat_anywhere_run (search, BSPSAT_NO_LIMIT, 1000, INT64_C (1) << 40);
  CHECK (status == BSPSAT_FOUND || status == BSPSAT_MEMORY);
  *length = status == BSPSAT_FOUND ? bspsat_anywhere_plan (search, moves, 100) : BSPSAT_MEMORY;
  CHECK (*length == BSPSAT_MEMORY || *length == bspsat_anywhere_facts (search)->cost);
  bspsat_anywhere_free (search);
  return found > 0 && *length > 0;
}

static void try_loose_boards (void) {
  int64_t granted = 1, length;
  do
    memory_refused_after = granted++;
  while (!try_loose (&length));
  memory_refused_after = -1;
  CHECK (granted > 14 && length == 14);
}

static void try_case (void) { try_boards (), try_loose_boards (); }

int main (int argc, char **argv) { return try_cases (argc, argv, 100, try_case); }
