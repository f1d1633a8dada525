/* Simulated players.

A move is pointless where one of the prunings of instances/README.md leaves it out, so that these are the moves of
`SortPuzzle.pruned_moves`. One player takes any of the rest with equal chance. The greedy one prefers one that completes a
tube, then one that puts balls on balls, takes its last move back only where there is nothing else, and takes any of the
best kind with equal chance. */

#include "graph/walk.h"

#include "search/spaces.h"

/* Returns a whole number from 0 to below `most`, by SplitMix64 (Steele, Lea and Flood 2014). */
static int64_t drawn (uint64_t *chance, int64_t most) {
  uint64_t mixed = *chance += UINT64_C (0x9E3779B97F4A7C15);
  mixed = (mixed ^ (mixed >> 30)) * UINT64_C (0xBF58476D1CE4E5B9);
  mixed = (mixed ^ (mixed >> 27)) * UINT64_C (0x94D049BB133111EB);
  mixed ^= mixed >> 31;
  return (int64_t) (mixed >> 11) % most;
}

/* Notes, for each colour, the fullest tube with nothing but it that has room, and the most room in one; returns how many
tubes there are, in `targets`, that have room; of empty ones only the first. */
static int32_t note_tubes (struct bspsat_search *search, const int32_t *numbers) {
  const struct bspsat_tables *tables = &search->tables;
  int32_t open_tubes = 0;
  bool empty = false;
  for (int64_t colour = 0; colour < tables->colours; colour++) {
    search->fullest[colour] = -1;
    search->most_room[colour] = 0;
  }
  for (int32_t place = 0; place < search->packing.tubes; place++) {
    int32_t number = numbers[place], room = tables->room[number];
    if (!room)
      continue;
    if (number && tables->kind[number] == UNIFORM) {
      int32_t *fullest = search->fullest + tables->top[number], *most = search->most_room + tables->top[number];
      if (*fullest < 0 || room < tables->room[*fullest])
        *fullest = number;
      *most = most_of (*most, room);
    }
    if (number || !empty)
      search->targets[open_tubes++] = place;
    empty |= number == 0;
  }
  return open_tubes;
}

/* Returns whether a move isn't pointless: from one tube's contents to another's, which has room and may be empty. */
static bool has_a_point (const struct bspsat_search *search, int32_t number, int32_t other) {
  const struct bspsat_tables *tables = &search->tables;
  bool one_ball = search->board->one_ball, uniform = tables->kind[number] == UNIFORM;
  int32_t colour = tables->top[number];
  if (other == 0)
    return !uniform && !(one_ball && search->fullest[colour] >= 0);
  return tables->top[other] == colour &&
         !(one_ball && tables->kind[other] == UNIFORM && other != search->fullest[colour]);
}

/* Returns what a move is worth to the greedy player, -1 to 2. `back`: whether it takes the last one back. */
static int worth_of (const struct bspsat_search *search, int32_t number, int32_t other, bool back) {
  const struct bspsat_tables *tables = &search->tables;
  if (back)
    return -1;
  int32_t amount = search->board->one_ball ? 1 : tables->run[number];
  if ((other == 0 || tables->kind[other] == UNIFORM) && amount >= tables->room[other])
    return 2;
  return other ? 1 : 0;
}

/* Returns a move of the player from `state`, as source * tubes + target; -1 where there is none. `last` is the last move,
turned round. */
static int32_t choose (struct bspsat_graph *graph, uint64_t *chance, bool greedy, int32_t last) {
  struct bspsat_search *search = graph->search;
  const struct bspsat_tables *tables = &search->tables;
  const int32_t *numbers = graph->state;
  int32_t tubes = graph->tubes, open_tubes = note_tubes (search, numbers), found = 0;
  int best = -1;
  for (int32_t source = 0; source < tubes; source++) {
    int32_t number = numbers[source];
    if (number == 0 || tables->alone[number])
      continue;
    if (search->board->one_ball && tables->kind[number] == UNIFORM &&
        tables->room[number] < search->most_room[tables->top[number]])
      continue;
    for (int32_t open = 0; open < open_tubes; open++) {
      int32_t target = search->targets[open], other = numbers[target], move = source * tubes + target;
      if (target == source || !has_a_point (search, number, other))
        continue;
      int worth = greedy ? worth_of (search, number, other, move == last) : 0;
      if (worth > best) {
        best = worth;
        found = 0;
      }
      if (worth == best)
        graph->choices[found++] = move;
    }
  }
  return found ? graph->choices[drawn (chance, found)] : -1;
}

/* Plays from a position in `state`; returns whether that solves the board. */
static bool play_once (struct bspsat_graph *graph, const int32_t *position, uint64_t *chance, int64_t most,
                       bool greedy) {
  const struct bspsat_search *search = graph->search;
  int32_t tubes = graph->tubes, last = -1;
  copy (position, graph->state, tubes);
  for (; most > 0; most--) {
    if (is_solved (graph, graph->state))
      return true;
    int32_t move = choose (graph, chance, greedy, last);
    if (move < 0)
      return false;
    last = move % tubes * tubes + move / tubes;
    pour (&search->tables, search->board->one_ball, graph->state, move / tubes, move % tubes);
  }
  return is_solved (graph, graph->state);
}

int64_t bspsat_graph_play (struct bspsat_graph *graph, const int32_t *position, uint64_t *chance, int64_t plays,
                           int64_t most, int64_t greedy) {
  if (!is_position (graph, position))
    return BSPSAT_INVALID;
  int64_t solved = 0;
  for (; plays > 0; plays--)
    solved += play_once (graph, position, chance, most, greedy);
  return solved;
}

int64_t bspsat_graph_wander (struct bspsat_graph *graph, const int32_t *position, uint64_t *chance, int64_t plays,
                             int64_t most, int32_t *positions) {
  if (most < 1 || !is_position (graph, position))
    return BSPSAT_INVALID;
  for (; plays > 0; plays--, positions += graph->tubes) {
    play_once (graph, position, chance, drawn (chance, most) + 1, false);
    sort (graph->state, graph->tubes);
    copy (graph->state, positions, graph->tubes);
  }
  return BSPSAT_FOUND;
}
