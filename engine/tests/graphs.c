/* Graphs of the positions of small boards, walked in turns of any length: distances and counts agree with each other, with
the next positions asked for one by one, and with a breadth-first search by other rules (`game.h`); players stay within
the graph; and memory is refused at each place in turn. `build/graphs NUMBER FIRST` runs that many boards from a first one on. */

#include "game.h"

#include "memory.h"

enum { MOST_POSITIONS = 600, PLAYS = 3 };

static int64_t until_done (struct bspsat_walk *walk, int64_t which, int64_t length) {
  int64_t status = BSPSAT_PAUSED;
  while (status == BSPSAT_PAUSED) {
    int64_t steps = chance_in (1, 60);
    status = which == 0   ? bspsat_walk_on (walk, steps)
             : which == 1 ? bspsat_walk_measure (walk, steps)
                          : bspsat_walk_count (walk, length, steps);
  }
  return status;
}

static void try_walk (struct bspsat_graph *graph, const struct game *game, const int32_t *start) {
  struct bspsat_walk *walk = bspsat_walk_new (graph, start, BSPSAT_NO_LIMIT, MOST_POSITIONS, 0);
  CHECK (walk);
  if (until_done (walk, 0, 0) == BSPSAT_EXHAUSTED) {
    CHECK (until_done (walk, 1, 0) == BSPSAT_EXHAUSTED);
    struct bspsat_walked all;
    bspsat_walk_positions (walk, &all);
    int truth = distance_of (game);
    CHECK (truth == TOO_LARGE || all.distance[0] == (truth == LOST ? BSPSAT_UNREACHABLE : truth));
    for (int64_t at = 0; at < all.positions; at++) {
      int32_t position[MOST_GAME_TUBES];
      bspsat_walk_position (walk, at, position);
      CHECK (bspsat_walk_place (walk, position) == at);
      const int32_t *next;
      int64_t number = bspsat_graph_next (graph, position, &next), kept = all.first[at + 1] - all.first[at];
      CHECK (all.goal[at] ? kept == 0 : number == kept && kept == all.successors[at]);
      int32_t least = BSPSAT_UNREACHABLE - 1;
      for (int64_t edge = all.first[at]; edge < all.first[at + 1]; edge++)
        if (all.distance[all.target[edge]] < least)
          least = all.distance[all.target[edge]];
      CHECK (all.distance[at] == (all.goal[at] ? 0 : least + 1));
    }
    int32_t length = all.distance[0];
    if (length < BSPSAT_UNREACHABLE) {
      struct bspsat_walk *shortest = bspsat_walk_new (graph, start, length, MOST_POSITIONS, chance (2));
      CHECK (shortest && until_done (shortest, 0, 0) == BSPSAT_EXHAUSTED);
      CHECK (until_done (shortest, 2, length) == BSPSAT_EXHAUSTED);
      bspsat_walk_positions (shortest, &all);
      CHECK (all.after[0] >= 1 && all.plans[0] >= 1 && (length == 0 || all.good[0] >= 1));
      bspsat_walk_free (shortest);
    }
  }
  bspsat_walk_free (walk);
}

static void try_board (void) {
  struct game game;
  deal (&game);
  int32_t start[MOST_GAME_TUBES], reached[PLAYS * MOST_GAME_TUBES];
  struct bspsat_board *board = board_of (&game, false, start);
  sort_numbers (start, game.tubes);
  struct bspsat_graph *graph = bspsat_graph_new (board);
  CHECK (graph);
  try_walk (graph, &game, start);
  uint64_t random = (uint64_t) test_case;
  int64_t solved = bspsat_graph_play (graph, start, &random, PLAYS, chance_in (1, 30), chance (2));
  CHECK (0 <= solved && solved <= PLAYS);
  bspsat_graph_wander (graph, start, &random, PLAYS, chance_in (1, 30), reached);
  for (int at = 0; at < PLAYS * game.tubes; at++)
    CHECK (0 <= reached[at] && reached[at] < bspsat_board_tables (board)->numbers);
  bspsat_graph_free (graph);
  bspsat_board_free (board);
}

/* Returns the positions of a walk over one board; -1 where memory ran out. */
static int64_t walk_board (int64_t steps) {
  static const uint8_t packed[] = {0, 3, 5, 8, 3, 3, 3, 3, 3, 0, 0, 0, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1,
                                   2, 3, 4};
  struct bspsat_board *board;
  if (bspsat_board_new (packed, sizeof packed, 0, &board) == BSPSAT_MEMORY)
    return -1;
  int32_t numbers[8];
  CHECK (bspsat_board_numbers (board, packed + 4, 8, numbers) == BSPSAT_FOUND);
  sort_numbers (numbers, 8);
  struct bspsat_graph *graph = bspsat_graph_new (board);
  struct bspsat_walk *walk = graph ? bspsat_walk_new (graph, numbers, BSPSAT_NO_LIMIT, 1 << 20, 0) : NULL;
  int64_t status = walk ? BSPSAT_PAUSED : BSPSAT_MEMORY, found = -1;
  while (status == BSPSAT_PAUSED)
    status = bspsat_walk_on (walk, steps);
  if (status == BSPSAT_EXHAUSTED)
    do
      status = bspsat_walk_measure (walk, steps);
    while (status == BSPSAT_PAUSED);
  CHECK (status == BSPSAT_EXHAUSTED || status == BSPSAT_MEMORY);
  if (status == BSPSAT_EXHAUSTED) {
    struct bspsat_walked walked;
    bspsat_walk_positions (walk, &walked);
    for (int64_t position = 0; position < walked.positions; position++)
      CHECK ((walked.distance[position] == 0) == walked.goal[position]);
    found = walked.positions;
  }
  bspsat_walk_free (walk);
  bspsat_graph_free (graph);
  bspsat_board_free (board);
  return found;
}

/* Memory is refused at each place in turn. */
static void try_memory (void) {
  int64_t whole = walk_board (1000), granted = 1;
  CHECK (whole > 1024); // so that its arrays grow
  for (int64_t found = -1; found < 0; granted++) {
    memory_refused_after = granted;
    found = walk_board (7);
    CHECK (found < 0 || found == whole);
  }
  memory_refused_after = -1;
}

int main (int argc, char **argv) {
  try_memory ();
  return try_cases (argc, argv, 3000, try_board);
}
