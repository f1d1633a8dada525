/* The calls of search.h on one search: by rank, by depth or by rounds. */

#include "search/spaces.h"
#include "search/parallel.h"

#include "memory.h"

int64_t bspsat_search_run (struct bspsat_search *search, int64_t limit, int64_t budget, int64_t most_bytes) {
  if (!search->has_begun)
    return BSPSAT_INVALID;
  const int32_t within = (int32_t) (limit < 0 ? -1 : limit < BSPSAT_NO_LIMIT ? limit : BSPSAT_NO_LIMIT);
  budget = budget < 0 ? 0 : budget < MOST_STATES ? budget : MOST_STATES;
  search->found = NOTHING;
  if (search->facts.deepening)
    return search->is_over ? BSPSAT_MEMORY : go_by_depth (search, within, budget);
  if (search->parts)
    return go_by_rounds (search, within, budget, most_bytes);
  if (!limit_room (search, most_bytes))
    return BSPSAT_MEMORY;
  const enum bspsat_status status = go_by_rank (search, within, budget);
  search->facts.rank = search->bucket / TIES;
  search->facts.states = search->states;
  return status;
}

/*------------------------------------------------------------------------*/

struct bspsat_search *bspsat_search_new (const struct bspsat_board *board, int64_t cost_weight, int64_t bound_weight,
                                         int64_t pruned) {
  const bool is_weighted = cost_weight >= 0 && bound_weight >= 0 && cost_weight <= BSPSAT_MOST_WEIGHT &&
                           bound_weight <= BSPSAT_MOST_WEIGHT;
  struct bspsat_search *search = is_weighted ? take_zeros (sizeof *search) : 0;
  if (!search)
    return 0;
  search->cost_weight = (int32_t) cost_weight, search->bound_weight = (int32_t) bound_weight;
  search->pruned = pruned;
  if (fit_search (search, board))
    return search;
  bspsat_search_free (search);
  return 0;
}

void bspsat_search_free (struct bspsat_search *search) {
  if (!search)
    return;
  give_back_parts (search);
  give_back_states (search);
  give_back (search);
}

/* Whether these are the numbers of a board's tubes; in the space of homes, with as many balls of each colour as fill one. */
static bool are_numbers (const struct bspsat_search *search, const int32_t *numbers) {
  const struct bspsat_tables *tables = &search->tables;
  const bool by_homes = search->packing.by_homes;
  int32_t counts[MOST_COLOURS] = {0};
  for (int32_t tube = 0; tube < search->packing.tubes; tube++) {
    int32_t left = numbers[tube];
    if (left >= tables->numbers || left < (by_homes ? -tables->colours : 0))
      return false;
    if (left < 0)
      counts[-1 - left] += (int32_t) tables->capacity;
    for (; by_homes && left > 0; left = tables->less[left])
      counts[tables->top[left]] += tables->run[left];
  }
  for (int32_t colour = 0; by_homes && colour < tables->colours; colour++)
    if (counts[colour] != tables->capacity)
      return false;
  return true;
}

int64_t bspsat_search_start (struct bspsat_search *search, const int32_t *numbers) {
  if (!are_numbers (search, numbers))
    return BSPSAT_INVALID;
  search->has_begun = false;
  give_back_parts (search);
  if ((search->states || !search->is_clear) && !clear_states (search))
    return BSPSAT_MEMORY;
  copy (numbers, search->start, search->packing.tubes);
  search->has_begun = true;
  return BSPSAT_FOUND;
}

const struct bspsat_facts *bspsat_search_facts (const struct bspsat_search *search) { return &search->facts; }

int64_t bspsat_search_states (const struct bspsat_search *search, int64_t limit, int32_t *rows) {
  if (!search->has_begun || search->parts || search->packing.by_homes || search->notes)
    return BSPSAT_INVALID;
  const int32_t tubes = search->packing.tubes;
  int64_t listed = 0;
  for (int32_t state = 0; state < search->states; state++) {
    const struct record *record = record_at (search, state);
    if (record->cost + bound_at (record) > limit)
      continue;
    unpack (&search->packing, key_at (record), rows);
    rows[tubes] = record->cost;
    rows += tubes + 1;
    listed++;
  }
  return listed;
}
