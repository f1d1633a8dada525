/* Case distinctions of small classes, from beginnings of all kinds and in steps of any number: what they find depends neither
on the steps nor on how many positions are kept, and no more boards are lost than there are. `build/cases NUMBER FIRST`
runs that many beginnings from a first one on. */

#include "test.h"

enum { MOST = 4, EFFORT = 2000 };

static bool decide (struct bspsat_cases *cases, const struct bspsat_top *tops, struct bspsat_decided *decided) {
  bspsat_cases_begin (cases, tops, 1);
  int64_t status = BSPSAT_PAUSED, bytes, turns = 0;
  const uint8_t *proof;
  for (; status == BSPSAT_PAUSED && turns < EFFORT; turns++)
    status = bspsat_cases_go_on (cases, chance_in (1, 500), &proof, &bytes, decided);
  return status == BSPSAT_EXHAUSTED;
}

static void try_border (struct bspsat_cases *cases, int colours, int capacity) {
  int32_t exposed[MOST];
  struct bspsat_top tops[MOST];
  int tubes = chance_in (0, colours);
  for (int colour = 0; colour < colours; colour++)
    exposed[colour] = chance_in (0, capacity);
  for (int tube = 0; tube < tubes; tube++)
    tops[tube] = (struct bspsat_top) {chance_in (0, colours - 1), chance_in (1, capacity)};
  bspsat_cases_place (cases, exposed, tubes, tops);
  int64_t border = -1;
  while (bspsat_cases_border (cases, chance_in (1, 9), &border) == BSPSAT_PAUSED)
    continue;
  CHECK (-1 <= border && border < tubes);
}

static void try_class (void) {
  int colours = chance_in (2, MOST), capacity = chance_in (2, MOST), empty = chance_in (0, 2), seen = 0;
  struct bspsat_top tops[MOST];
  int used[MOST] = {0};
  for (int tube = 0; tube < colours; tube++) {
    int colour = chance_in (0, seen < colours ? seen : colours - 1);
    while (used[colour] == capacity)
      colour = (colour + 1) % (seen < colours ? seen + 1 : colours);
    tops[tube] = (struct bspsat_top) {colour, chance_in (1, capacity - used[colour])};
    used[colour] += tops[tube].balls;
    seen += colour == seen;
  }
  struct bspsat_decided few = {0}, many = {0};
  struct bspsat_cases *small = bspsat_cases_new (colours, capacity, empty, 8);
  struct bspsat_cases *large = bspsat_cases_new (colours, capacity, empty, 1 << 12);
  CHECK (small && large);
  if (decide (small, tops, &few) && decide (large, tops, &many)) {
    CHECK (few.boards == many.boards && few.unsolvable == many.unsolvable);
    CHECK (few.unsolvable <= few.boards && few.dead <= few.cases && (few.dead > 0) == (few.unsolvable > 0));
  }
  try_border (small, colours, capacity);
  bspsat_cases_free (small);
  bspsat_cases_free (large);
}

int main (int argc, char **argv) {
  long first, number = cases_asked (argc, argv, 2000, &first);
  for (test_case = first; test_case < first + number; test_case++) {
    begin_case ((uint64_t) test_case);
    try_class ();
  }
  return 0;
}
