/* Memory of a case distinction, and the search for the border after which a position is won. */

#include "cases.h"
#include "memory.h"
#include "parts.h"

#include <string.h>

enum { FEWEST_PLACES = 1 << 10, MOST_COLOURS = 11, MOST_CAPACITY = 31, MOST_TABLES = 1 << 22, MOST_EMPTY = 1 << 20 };

/* Lays the arrays out in a block, or in none; returns the bytes that they take. */
static int64_t lay_out (struct bspsat_cases *cases, char *block) {
  int64_t colours = cases->colours, balls = colours * cases->capacity, levels = balls + 1, used = 0;
  cases->rest = part_of (block, &used, colours, sizeof *cases->rest);
  cases->levels = part_of (block, &used, levels, sizeof *cases->levels);
  cases->binomials = part_of (block, &used, levels * levels, sizeof *cases->binomials);
  cases->taken = part_of (block, &used, colours, sizeof *cases->taken);
  cases->example = part_of (block, &used, balls, sizeof *cases->example);
  cases->proof = part_of (block, &used, PROOF_BYTES, sizeof *cases->proof);
  lay_border_tables (&cases->tables, block, &used);
  cases->gone = part_of (block, &used, tables_of (colours, cases->capacity), sizeof *cases->gone);
  cases->positions = part_of (block, &used, levels, sizeof *cases->positions);
  cases->known = part_of (block, &used, cases->places * colours, sizeof *cases->known);
  cases->values = part_of (block, &used, cases->places, sizeof *cases->values);
  for (int64_t number = 0; number < levels; number++) {
    struct level_of_positions none, *level = block ? cases->positions + number : &none;
    level->sizes = part_of (block, &used, colours, sizeof *level->sizes);
    level->colours = part_of (block, &used, colours, sizeof *level->colours);
    level->exposed = part_of (block, &used, colours, sizeof *level->exposed);
    level->left = part_of (block, &used, colours, sizeof *level->left);
    level->key = part_of (block, &used, colours, sizeof *level->key);
  }
  return used;
}

/* Writes Pascal's triangle, modulo 2^64. */
static void write_binomials (struct bspsat_cases *cases) {
  int64_t places = cases->colours * cases->capacity + 1;
  for (int64_t total = 0; total < places; total++) {
    uint64_t *row = cases->binomials + total * places;
    row[0] = 1;
    for (int64_t chosen = 1; chosen <= total; chosen++)
      row[chosen] = row[chosen - places - 1] + (chosen < total ? row[chosen - places] : 0);
  }
}

struct bspsat_cases *bspsat_cases_new (int64_t colours, int64_t capacity, int64_t empty, int64_t places) {
  if (colours < 1 || colours > MOST_COLOURS || capacity < 1 || capacity > MOST_CAPACITY || empty < 0 ||
      empty > MOST_EMPTY || tables_of (colours, capacity) > MOST_TABLES || places < 8 || places & (places - 1))
    return NULL;
  struct bspsat_cases size = {.colours = colours, .capacity = capacity, .places = places, .level = -1,
                              .tables = {colours, capacity, empty}};
  struct bspsat_cases *cases = NULL;
  while (!cases) {
    cases = take_zeros ((int64_t) sizeof size + lay_out (&size, NULL));
    if (!cases && size.places <= FEWEST_PLACES)
      return NULL;
    if (!cases)
      size.places /= 2;
  }
  *cases = size;
  lay_out (cases, (char *) (cases + 1));
  write_binomials (cases);
  return cases;
}

void bspsat_cases_free (struct bspsat_cases *cases) {
  give_back (cases);
}

bool are_tops (const struct bspsat_cases *cases, int64_t tubes, const struct bspsat_top *tops) {
  bool within = tubes >= 0 && tubes <= cases->colours;
  for (int64_t tube = 0; within && tube < tubes; tube++)
    within = tops[tube].colour >= 0 && tops[tube].colour < cases->colours && tops[tube].balls >= 1 &&
             tops[tube].balls <= cases->capacity;
  return within;
}

int64_t bspsat_cases_place (struct bspsat_cases *cases, const int32_t *exposed, int64_t tubes,
                            const struct bspsat_top *tops) {
  struct level_of_positions *level = cases->positions;
  if (!are_tops (cases, tubes, tops))
    return BSPSAT_INVALID;
  for (int64_t colour = 0; colour < cases->colours; colour++)
    if (exposed[colour] < 0 || exposed[colour] > cases->capacity)
      return BSPSAT_INVALID;
  memcpy (level->exposed, exposed, (size_t) cases->colours * sizeof *exposed);
  for (int64_t tube = 0; tube < tubes; tube++) {
    level->colours[tube] = tops[tube].colour;
    level->sizes[tube] = tops[tube].balls;
  }
  level->tubes = (int32_t) tubes;
  level->tube = -1;
  cases->level = -1;
  cases->searching = false;
  cases->task = POSITION;
  return BSPSAT_FOUND;
}

/* Level 0 is the position; level 1 has in turn what may be found below its border in work. */
int64_t bspsat_cases_border (struct bspsat_cases *cases, int64_t steps, int64_t *border) {
  struct level_of_positions *level = cases->positions;
  if (cases->task != POSITION)
    return BSPSAT_INVALID;
  cases->steps = steps < 0 ? 0 : steps;
  *border = -1;
  if (!cases->searching) {
    if (settle_position (cases, 0) == LOST || level->tubes <= cases->tables.empty || !take_border (cases, 0))
      return BSPSAT_EXHAUSTED;
    cases->searching = true;
    cases->value = WON; // of no run so far
    cases->first = 1;
    cases->depth = 0;
  }
  while (true) {
    enum verdict verdict = decide_position (cases);
    if (verdict == UNDECIDED)
      return BSPSAT_PAUSED;
    if (verdict == LOST) {
      if (!take_border (cases, 0))
        return BSPSAT_EXHAUSTED;
    }
    if (!take_run (cases, 0)) {
      *border = level->tube;
      return BSPSAT_EXHAUSTED;
    }
    uncover_run (cases, 0);
    begin_position (cases, 1);
  }
}
