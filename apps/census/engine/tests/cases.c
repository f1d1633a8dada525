/* Case distinctions of small classes, from beginnings of all kinds and in steps of any number: what they find depends neither
on the steps nor on how many positions are kept, and no more boards are lost than there are.
The program runs as many beginnings as its first argument says, from the one on that the second does. */

#include "../census.h"
#include "test.h"

enum { MOST = 4, EFFORT = 2000 };

static bool decide (struct bspsat_cases *cases, int64_t tubes, const struct bspsat_top *tops,
                    struct bspsat_decided *decided) {
  CHECK (bspsat_cases_begin (cases, tubes, tops, 1) == BSPSAT_FOUND);
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
  CHECK (bspsat_cases_place (cases, exposed, tubes, tops) == BSPSAT_FOUND);
  int64_t border = -1;
  while (bspsat_cases_border (cases, chance_in (1, 9), &border) == BSPSAT_PAUSED)
    continue;
  CHECK (-1 <= border && border < tubes);
}

/* What are no runs of a class is refused, and nothing is read or written beyond what there is. */
static void try_wrong (struct bspsat_cases *cases, int colours, int capacity, const struct bspsat_top *tops) {
  int32_t exposed[MOST] = {0};
  struct bspsat_top wrong[MOST];
  CHECK (bspsat_cases_begin (cases, 0, NULL, 1) == BSPSAT_INVALID);
  CHECK (bspsat_cases_begin (cases, colours - 1, tops, 1) == BSPSAT_INVALID);
  CHECK (bspsat_cases_place (cases, exposed, MOST + 1, tops) == BSPSAT_INVALID);
  const struct bspsat_top others[] = {{-1, 1}, {colours, 1}, {0, 0}, {0, capacity + 1}, {1, 1}};
  for (size_t other = 0; other < sizeof others / sizeof *others; other++) {
    memcpy (wrong, tops, sizeof wrong);
    wrong[0] = others[other];
    CHECK (bspsat_cases_begin (cases, colours, wrong, 1) == BSPSAT_INVALID);
  }
  for (int tube = 0; tube < colours; tube++)
    wrong[tube] = (struct bspsat_top) {0, capacity};
  CHECK (bspsat_cases_begin (cases, colours, wrong, 1) == BSPSAT_INVALID);
  exposed[colours - 1] = capacity + 1;
  CHECK (bspsat_cases_place (cases, exposed, 0, NULL) == BSPSAT_INVALID);
}

static void try_class (void) {
  int colours = chance_in (2, MOST), capacity = chance_in (2, MOST), empty = chance_in (0, 2), seen = 0;
  struct bspsat_top tops[MOST] = {0};
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
  if (decide (small, colours, tops, &few) && decide (large, colours, tops, &many)) {
    CHECK (few.boards == many.boards && few.unsolvable == many.unsolvable);
    CHECK (few.unsolvable <= few.boards && few.dead <= few.cases && (few.dead > 0) == (few.unsolvable > 0));
  }
  try_wrong (small, colours, capacity, tops);
  try_border (small, colours, capacity);
  bspsat_cases_free (small);
  bspsat_cases_free (large);
}

int main (int argc, char **argv) { return try_cases (argc, argv, 2000, try_class); }
