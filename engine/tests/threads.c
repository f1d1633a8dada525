/* Searches that are spread, with one thread and with several: all that they find is the same, plans too, also where memory
runs out in a round and where they then go depth first. `make test-threads` runs this under ThreadSanitizer. */

#include "game.h"

#include <pthread.h>

enum { MOST_PLAN = 1000, HELPERS = 2, EFFORT = 3000 };

struct helper { struct bspsat_search *search; int64_t calls; };

static void *help (void *given) {
  const struct helper *helper = given;
  bspsat_search_help (helper->search, helper->calls);
  return NULL;
}

/* A call of `bspsat_search_run`, with threads that come before it or later. */
static int64_t run_with (int helpers, struct helper *helper, int64_t limit, int64_t budget, int64_t most_bytes) {
  pthread_t threads[HELPERS];
  helper->calls++;
  for (int at = 0; at < helpers; at++)
    CHECK (pthread_create (&threads[at], NULL, help, helper) == 0);
  int64_t status = bspsat_search_run (helper->search, limit, budget, most_bytes);
  for (int at = 0; at < helpers; at++)
    CHECK (pthread_join (threads[at], NULL) == 0);
  return status;
}

struct found {
  struct bspsat_facts facts;
  int64_t length;
  uint8_t moves[2 * MOST_PLAN];
};

static void search_with (int helpers, const struct game *game, bool by_homes, int64_t most_bytes, struct found *found) {
  int32_t numbers[MOST_GAME_TUBES];
  struct bspsat_board *board = board_of (game, by_homes, numbers);
  struct helper helper = {bspsat_search_new (board, 1, 1, 1), 0};
  CHECK (helper.search && bspsat_search_start (helper.search, numbers) == BSPSAT_FOUND);
  const struct bspsat_facts *facts = bspsat_search_facts (helper.search);
  *found = (struct found) {.length = LOST};
  int64_t limit = BSPSAT_NO_LIMIT, status = bspsat_search_run (helper.search, limit, 5, most_bytes);
  if (status == BSPSAT_PAUSED)
    CHECK (bspsat_search_spread (helper.search) == BSPSAT_FOUND);
  while (status == BSPSAT_PAUSED && facts->expansions < EFFORT) {
    if (facts->deepening)
      status = bspsat_search_run (helper.search, limit, 100, most_bytes);
    else
      status = run_with (helpers, &helper, limit, 500, most_bytes);
    if (status == BSPSAT_MEMORY && !facts->deepening && bspsat_search_deepen (helper.search) == BSPSAT_FOUND)
      limit = facts->rank, status = BSPSAT_PAUSED;
    if (status == BSPSAT_EXHAUSTED && limit != BSPSAT_NO_LIMIT && facts->cut)
      bspsat_search_again (helper.search), limit++, status = BSPSAT_PAUSED;
  }
  CHECK (status > 0);
  found->facts = *facts;
  if (status == BSPSAT_FOUND) {
    found->length = bspsat_search_plan (helper.search, found->moves, MOST_PLAN);
    CHECK (found->length == facts->cost && found->length <= MOST_PLAN);
    check_solved_by (game, found->moves, found->length);
  }
  bspsat_search_free (helper.search);
  bspsat_board_free (board);
}

static void try_board (void) {
  struct game game;
  static struct found alone, together; // static: their gaps are 0, so that they can be compared as wholes
  deal (&game);
  const bool by_homes = has_homes (&game) && chance (2);
  int64_t most = chance (2) ? INT64_C (1) << 40 : chance_in (0, 1 << 18);
  search_with (0, &game, by_homes, most, &alone);
  search_with (HELPERS, &game, by_homes, most, &together);
  CHECK (!memcmp (&alone, &together, sizeof alone));
}

int main (int argc, char **argv) { return try_cases (argc, argv, 150, try_board); }
