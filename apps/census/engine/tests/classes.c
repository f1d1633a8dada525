/* The list of boards and the border tables against each other, and where memory is refused at each place in turn. */

#include "../census.h"
#include "memory.h"
#include "test.h"

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

static void try_some_class (void) { try_class (chance_in (1, 3), chance_in (1, 3), chance_in (0, 2)); }

int main (int argc, char **argv) {
  for (int64_t granted = 1, has_all = 0; !has_all; granted++) {
    memory_refused_after = granted;
    has_all = try_class (2, 2, 1);
  }
  memory_refused_after = 1;
  CHECK (!bspsat_cases_new (3, 3, 2, 1 << 12));
  memory_refused_after = -1;
  return try_cases (argc, argv, 30, try_some_class);
}
