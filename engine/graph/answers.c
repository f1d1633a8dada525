/* What is known of all positions of a walk: distances to a goal, and shortest plans. */

#include "graph/walk.h"

#include "memory.h"
#include "parts.h"

/* Lays the arrays of distances, or of a count, out in a block, or in none; returns the bytes that they take. */
static int64_t lay_answers (struct bspsat_walk *walk, char *block, bool counts) {
  int64_t positions = walk->positions, used = 0;
  if (!counts) {
    walk->distance = part_of (block, &used, positions, sizeof *walk->distance);
    return used;
  }
  walk->good = part_of (block, &used, positions, sizeof *walk->good);
  walk->plans = part_of (block, &used, positions * BSPSAT_LIMBS, sizeof *walk->plans);
  walk->before = part_of (block, &used, positions, sizeof *walk->before);
  walk->after = part_of (block, &used, positions, sizeof *walk->after);
  return used;
}

/* Takes memory for answers, all 0; returns whether it is there. */
static bool take_answers (struct bspsat_walk *walk, bool counts) {
  walk->of_answers.bytes = lay_answers (walk, NULL, counts);
  walk->of_answers.at = take_large (walk->of_answers.bytes);
  if (!walk->of_answers.at)
    return false;
  memset (walk->of_answers.at, 0, (size_t) walk->of_answers.bytes);
  lay_answers (walk, walk->of_answers.at, counts);
  walk->position = walk->positions;
  return true;
}

/*------------------------------------------------------------------------*/

/* Goes through the positions backwards once more, until nothing changes. Most moves lead to positions that were met later,
so few rounds are needed. */
int64_t bspsat_walk_measure (struct bspsat_walk *walk, int64_t steps) {
  if (walk->stage != MEASURED) {
    if (walk->stage != WALKED || walk->limit < BSPSAT_NO_LIMIT)
      return BSPSAT_INVALID;
    if (!take_answers (walk, false))
      return BSPSAT_MEMORY;
    walk->stage = MEASURED;
    for (int64_t position = 0; position < walk->positions; position++)
      walk->distance[position] = walk->goal[position] ? 0 : BSPSAT_UNREACHABLE;
    walk->changed = false;
  }
  int32_t *distance = walk->distance;
  while (true) {
    for (; walk->position > 0; walk->position--, steps--) {
      if (steps <= 0)
        return BSPSAT_PAUSED;
      int64_t position = walk->position - 1;
      int32_t best = distance[position];
      for (int32_t edge = walk->first[position]; edge < walk->first[position + 1]; edge++)
        best = least (best, distance[walk->target[edge]] + 1);
      if (best < distance[position]) {
        distance[position] = best;
        walk->changed = true;
      }
    }
    if (!walk->changed)
      return BSPSAT_EXHAUSTED;
    walk->changed = false;
    walk->position = walk->positions;
  }
}

/*------------------------------------------------------------------------*/

/* Adds an exact number to another one, some times; returns whether it has too many digits now. */
static bool add_exactly (uint64_t *number, const uint64_t *other, int32_t times) {
  for (; times > 0; times--) {
    uint64_t carry = 0;
    for (int limb = 0; limb < BSPSAT_LIMBS; limb++) {
      uint64_t partly = number[limb] + other[limb], whole = partly + carry;
      carry = (uint64_t) (partly < other[limb]) + (whole < partly);
      number[limb] = whole;
    }
    if (carry)
      return true;
  }
  return false;
}

/* Adds the plans of a position's next ones on shortest plans; returns whether they have become too many. */
static bool count_after (struct bspsat_walk *walk, int64_t position, int64_t length) {
  int32_t depth = walk->depth[position];
  bool ends = walk->goal[position] && depth == length;
  uint64_t *plans = walk->plans + position * BSPSAT_LIMBS;
  plans[0] = ends;
  walk->after[position] = ends;
  for (int32_t edge = walk->first[position]; edge < walk->first[position + 1]; edge++) {
    int64_t target = walk->target[edge];
    if (walk->depth[target] != depth + 1 || walk->after[target] <= 0)
      continue;
    walk->good[position]++;
    walk->after[position] += walk->times[edge] * walk->after[target];
    if (add_exactly (plans, walk->plans + target * BSPSAT_LIMBS, walk->times[edge]))
      return true;
  }
  return false;
}

/* Adds a position's beginnings of plans to those of its next ones. */
static void count_before (struct bspsat_walk *walk, int64_t position) {
  for (int32_t edge = walk->first[position]; edge < walk->first[position + 1]; edge++) {
    int64_t target = walk->target[edge];
    if (walk->depth[target] == walk->depth[position] + 1)
      walk->before[target] += walk->times[edge] * walk->before[position];
  }
}

/* Counts plans backwards, from the goals, then their beginnings forwards. */
int64_t bspsat_walk_count (struct bspsat_walk *walk, int64_t length, int64_t steps) {
  if (walk->stage == TOO_MUCH)
    return BSPSAT_FOUND;
  if (walk->stage != COUNTED) {
    if (walk->stage != WALKED)
      return BSPSAT_INVALID;
    if (!take_answers (walk, true))
      return BSPSAT_MEMORY;
    walk->stage = COUNTED, walk->length = length;
  }
  if (walk->length != length)
    return BSPSAT_INVALID;
  for (; !walk->forward && walk->position > 0; walk->position--, steps--) {
    if (steps <= 0)
      return BSPSAT_PAUSED;
    if (count_after (walk, walk->position - 1, length)) {
      walk->stage = TOO_MUCH;
      return BSPSAT_FOUND;
    }
  }
  if (!walk->forward) {
    walk->forward = true;
    walk->before[0] = 1;
  }
  for (; walk->position < walk->positions; walk->position++, steps--) {
    if (steps <= 0)
      return BSPSAT_PAUSED;
    count_before (walk, walk->position);
  }
  return BSPSAT_EXHAUSTED;
}
