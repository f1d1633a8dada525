/* Steps in the space of moves, without and with rules for tubes: instances/README.md has the arguments for what is left out. */

#include "search/spaces.h"

void pour (const struct bspsat_tables *tables, bool one_ball, int32_t *numbers, int32_t source, int32_t target) {
  int32_t from = numbers[source], to = numbers[target];
  const int32_t colour = tables->top[from];
  const int32_t amount = one_ball ? 1 : least (tables->run[from], tables->room[to]);
  for (int32_t ball = 0; ball < amount; ball++)
    from = tables->less[from];
  if (tables->bottom[to] < 0)
    to = *founded (tables, tables->group ? tables->group[to] * (int32_t) tables->colours + colour : colour, amount);
  else
    for (int32_t ball = 0; ball < amount; ball++)
      to = tables->more[to];
  numbers[source] = from;
  numbers[target] = to;
}

bool expand_moves (struct bspsat_search *search, uint64_t homes) {
  const struct bspsat_tables *tables = &search->tables;
  const int32_t *numbers = search->state;
  const int32_t cost = search->now_cost + 1, tubes = search->packing.tubes, colours = (int32_t) tables->colours;
  const bool pruned = search->pruned, one_ball = search->board->one_ball, one_by_one = pruned && one_ball;

  // Of the tubes with nothing but one colour, balls leave the one with the least and go to the one with most.
  int32_t *fullest = search->fullest, *most_room = search->most_room;
  for (int32_t colour = 0; colour < colours; colour++)
    fullest[colour] = -1, most_room[colour] = 0;
  for (int32_t place = 0; place < tubes; place++) {
    const int32_t number = numbers[place], room = tables->room[number];
    if (tables->kind[number] != UNIFORM || room == 0)
      continue;
    const int32_t colour = tables->top[number];
    if (fullest[colour] < 0 || room < tables->room[fullest[colour]])
      fullest[colour] = number;
    if (room > most_room[colour])
      most_room[colour] = room;
  }

  int32_t last = -1;
  search->left = 1, search->shared = 0;
  for (int32_t source = 0; source < tubes && numbers[source]; source++) {
    const int32_t number = numbers[source];
    if (number == last || (pruned && tables->alone[number]))
      continue;
    last = number;
    const int32_t colour = tables->top[number];
    const bool uniform = pruned && tables->kind[number] == UNIFORM;
    if (one_by_one && uniform && tables->room[number] < most_room[colour])
      continue;
    const int32_t sink = fullest[colour];
    int32_t before = -1;
    for (int32_t target = 0; target < tubes; target++) {
      const int32_t other = numbers[target];
      if (target == source || other == before)
        continue;
      before = other;
      if (other == 0) {
        if (uniform || (one_by_one && sink >= 0))
          continue;
      } else if (tables->top[other] != colour || tables->room[other] == 0 ||
                 (one_by_one && tables->kind[other] == UNIFORM && other != sink))
        continue;
      copy (numbers, search->child, tubes);
      pour (tables, one_ball, search->child, source, target);
      search->source = source, search->sink = target;
      if (!emit (search, homes, cost))
        return false;
    }
  }
  return true;
}

/*------------------------------------------------------------------------*/
/* Where tubes have rules, see `bsp_sat.backends.kernel.contents.ruled`. */

/* Opens the locks whose conditions the tubes meet. */
static void open_locks (const struct bspsat_tables *tables, int32_t *numbers, int32_t tubes) {
  int32_t in_place[MOST_COLOURS] = {0}, of_colour[MOST_COLOURS] = {0}, complete = 0;
  for (int32_t place = 0; place < tubes; place++) {
    const int32_t number = numbers[place];
    if (tables->complete[number]) {
      complete++, of_colour[tables->top[number]]++;
      in_place[tables->top[number]] += tables->complete[number];
    }
  }
  for (int32_t place = 0; place < tubes; place++) {
    const int32_t number = numbers[place];
    if (tables->opens[number] < 0)
      continue;
    const int32_t colour = tables->lock_colour[number], needed = tables->lock_tubes[number];
    if (needed ? (colour < 0 ? complete : of_colour[colour]) >= needed : in_place[colour] == tables->counts[colour])
      numbers[place] = tables->opens[number];
  }
}

/* Whether the rules allow a move. */
static bool may_pour (const struct bspsat_board *board, int32_t number, int32_t other) {
  const struct bspsat_tables *tables = &board->tables;
  return tables->gives[number] && is_in (tables->top[number], tables->takes[other]) &&
         (!board->whole_pours || board->one_ball || tables->run[number] <= tables->room[other]);
}

bool expand_ruled (struct bspsat_search *search, uint64_t homes) {
  const struct bspsat_tables *tables = &search->tables;
  const struct bspsat_board *board = search->board;
  const int32_t *numbers = search->state;
  const int32_t cost = search->now_cost + 1, tubes = search->packing.tubes;
  int32_t last = -1;
  search->left = 1, search->shared = 0;
  for (int32_t source = 0; source < tubes; source++) {
    const int32_t number = numbers[source];
    if (number == last || !tables->gives[number] || (search->pruned && tables->alone[number]))
      continue;
    last = number;
    int32_t before = -1;
    for (int32_t target = 0; target < tubes; target++) {
      const int32_t other = numbers[target];
      if (target == source || other == before)
        continue;
      before = other;
      const bool empty = tables->bottom[other] < 0, same_rule = tables->group[number] == tables->group[other];
      if (!may_pour (board, number, other) ||
          (search->pruned && empty && same_rule && tables->kind[number] == UNIFORM))
        continue;
      copy (numbers, search->child, tubes);
      pour (tables, board->one_ball, search->child, source, target);
      if (board->locked)
        open_locks (tables, search->child, tubes);
      search->source = source, search->sink = target;
      if (!emit (search, homes, cost))
        return false;
    }
  }
  return true;
}
