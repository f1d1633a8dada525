/* The position graph, the list of boards and the case distinction against each other, and where memory is refused at each
place in turn. */

#include "test.h"

#include "memory.h"

/* Returns the positions of a walk over a small board; -1 where memory ran out. */
static int64_t walk_board (int64_t steps) {
  static const uint8_t packed[] = {0, 3, 5, 8, 3, 3, 3, 3, 3, 0, 0, 0, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1,
                                   2, 3, 4};
  struct bspsat_board *board;
  if (bspsat_board_new (packed, sizeof packed, 0, &board) == BSPSAT_MEMORY)
    return -1;
  int32_t numbers[8];
  CHECK (bspsat_board_numbers (board, packed + 4, 8, numbers) == BSPSAT_FOUND);
  for (int place = 1; place < 8; place++)
    for (int at = place; at > 0 && numbers[at - 1] < numbers[at]; at--) {
      int32_t kept = numbers[at];
      numbers[at] = numbers[at - 1];
      numbers[at - 1] = kept;
    }
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

/* Checks that as many boards of a class have no path through their tables as are listed as unsolvable. */
static bool try_class (int64_t colours, int64_t capacity, int64_t empty) {
  struct bspsat_classes *classes = bspsat_classes_new (colours, capacity, empty);
  struct bspsat_classes *other = bspsat_classes_new (colours, capacity, empty);
  bool has_all = classes && other;
  int64_t number, counted, status = BSPSAT_PAUSED, dead = 0, unsolvable = 0;
  const uint8_t *found;
  for (int64_t only = 0; has_all && only < 2; only++, status = BSPSAT_PAUSED) {
    bspsat_classes_begin (classes, 0, NULL, colours * capacity, only);
    while (status == BSPSAT_PAUSED) {
      status = bspsat_classes_go_on (classes, chance_in (1, 50), &found, &number, &counted);
      unsolvable += only * number;
      for (int64_t at = 0; !only && at < number; at++) {
        double paths;
        bspsat_classes_count_paths (other, found + at * colours * capacity);
        while (bspsat_classes_count_paths_on (other, 3, &paths) == BSPSAT_PAUSED)
          ;
        dead += paths <= 0;
      }
    }
  }
  CHECK (dead == unsolvable);
  bspsat_classes_free (classes);
  bspsat_classes_free (other);
  return has_all;
}

int main (int argc, char **argv) {
  long first, number = cases_asked (argc, argv, 30, &first);
  int64_t whole = walk_board (1000), granted = 1;
  CHECK (whole > 1024); // so that its arrays grow
  for (int64_t found = -1; found < 0; granted++) {
    memory_refused_after = granted;
    found = walk_board (7);
    CHECK (found < 0 || found == whole);
  }
  for (bool has_all = false; !has_all; granted++) {
    memory_refused_after = granted % 8 + 1;
    has_all = try_class (2, 2, 1);
  }
  memory_refused_after = 1;
  CHECK (!bspsat_cases_new (3, 3, 2, 1 << 12));
  memory_refused_after = -1;
  for (test_case = first; test_case < first + number; test_case++) {
    begin_case ((uint64_t) test_case);
    try_class (chance_in (1, 3), chance_in (1, 3), chance_in (0, 2));
  }
  return 0;
}
