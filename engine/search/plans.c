/* The plan to the goal that a search has found; and steps in the space of moves: see plans.h. */

#include "search/plans.h"

#include "memory.h"
#include "search/moves.h"

/* Bits of a number; sums of them tell quickly that tubes aren't those of a state. */

static uint64_t mixed (int32_t number) {
  const uint64_t bits = (uint64_t) (number + 1) * UINT64_C (0x9E3779B97F4A7C15);
  return (bits ^ bits >> 29) * UINT64_C (0x9E3779B97F4A7C15);
}

static uint64_t mixed_sum (const int32_t *numbers, int32_t tubes) {
  uint64_t sum = 0;
  for (int32_t tube = 0; tube < tubes; tube++)
    sum += mixed (numbers[tube]);
  return sum;
}

/* Makes the first legal move that leads to the state, and returns the place behind it; -1 where there is none. */

static int32_t step_by_move (struct plan *plan, bool one_ball, int32_t place) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t tubes = plan->tubes;
  int32_t *numbers = plan->numbers;
  const uint64_t wanted = mixed_sum (plan->state, tubes) - mixed_sum (numbers, tubes);
  for (int32_t source = 0; source < tubes; source++) {
    const int32_t number = numbers[source];
    if (number == 0)
      continue;
    for (int32_t target = 0; target < tubes; target++) {
      const int32_t other = numbers[target];
      if (target == source || (other && (tables->top[other] != tables->top[number] || tables->room[other] == 0)))
        continue;
      pour (tables, one_ball, numbers, source, target);
      const uint64_t change = mixed (numbers[source]) + mixed (numbers[target]) - mixed (number) - mixed (other);
      if (change == wanted && is_at (plan, numbers, 0)) {
        write (plan, place, source, target);
        return place + 1;
      }
      numbers[source] = number, numbers[target] = other;
    }
  }
  return -1;
}

/* The same where tubes have rules; only locks change more than two tubes. */

static int32_t step_by_rules (struct plan *plan, const struct bspsat_board *board, int32_t place) {
  const int32_t tubes = plan->tubes;
  int32_t *numbers = plan->numbers, *after = plan->after;
  const uint64_t sum = mixed_sum (numbers, tubes), wanted = mixed_sum (plan->state, tubes);
  for (int32_t source = 0; source < tubes; source++)
    for (int32_t target = 0; target < tubes; target++)
      if (target != source && may_pour (board, numbers[source], numbers[target])) {
        copy (numbers, after, tubes);
        pour_ruled (board, after, source, target);
        const uint64_t before = mixed (numbers[source]) + mixed (numbers[target]);
        const uint64_t moved = sum - before + mixed (after[source]) + mixed (after[target]);
        if ((board->locked ? mixed_sum (after, tubes) : moved) == wanted && is_at (plan, after, 0)) {
          copy (after, numbers, tubes);
          write (plan, place, source, target);
          return place + 1;
        }
      }
  return -1;
}

int64_t bspsat_search_plan (struct bspsat_search *search, uint8_t *moves, int64_t room) {
  if (search->found == NOTHING)
    return BSPSAT_INVALID;
  const struct bspsat_board *board = search->board;
  int64_t length = 0, steps = 0;
  for (int32_t state = search->found; state >= 0; state = any_record_at (search, state)->parent)
    length++;
  int32_t *way = take (length * (int64_t) sizeof *way);
  if (!way)
    return BSPSAT_MEMORY;
  for (int32_t state = search->found; state >= 0; state = any_record_at (search, state)->parent)
    way[length - ++steps] = state;
  struct plan plan = {.tables = &search->tables, .tubes = search->packing.tubes, .moves = moves, .room = room};
  copy (search->start, plan.numbers, plan.tubes);
  int32_t place = 0, cost = 0;
  uint64_t homes = open_homes (plan.numbers, plan.tubes);
  for (int64_t step = 1; step < length && place >= 0; step++) {
    const struct record *record = any_record_at (search, way[step]);
    unpack (&search->packing, key_at (record), plan.state);
    const uint64_t opened = homes_of (search, plan.state);
    if (search->packing.by_homes)
      place = step_by_homes (&plan, homes, opened, place, place + record->cost - cost);
    else
      place = board->ruled ? step_by_rules (&plan, board, place) : step_by_move (&plan, board->one_ball, place);
    homes = opened, cost = record->cost;
  }
  give_back (way);
  return place < 0 ? BSPSAT_INVALID : place;
}
