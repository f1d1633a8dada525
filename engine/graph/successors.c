/* The different next positions of a position: every legal move, none left out as dominated.

A position is a state of the space of moves (docs/search.md): its tubes' contents as numbers, sorted from high to low,
so that the order of tubes makes no difference. Several moves may lead to one next position; how many is counted. A move
that changes nothing but the order of tubes leads to no different position and is left out. */

#include "graph/walk.h"

#include "memory.h"
#include "parts.h"
#include "search/spaces.h"

/* Lays the arrays out in a block, or in none; returns the bytes that they take. */
static int64_t lay_out (struct bspsat_graph *graph, char *block) {
  int64_t moves = (int64_t) graph->tubes * graph->tubes, used = 0;
  graph->search = part_of (block, &used, 1, sizeof *graph->search);
  graph->next_keys = part_of (block, &used, moves * graph->words, sizeof *graph->next_keys);
  graph->next_times = part_of (block, &used, moves, sizeof *graph->next_times);
  graph->next_numbers = part_of (block, &used, moves * graph->tubes, sizeof *graph->next_numbers);
  graph->choices = part_of (block, &used, moves, sizeof *graph->choices);
  return used;
}

struct bspsat_graph *bspsat_graph_new (const struct bspsat_board *board) {
  if (board->by_homes || board->ruled)
    return NULL;
  struct packing packing = packing_of (board);
  struct bspsat_graph size = {.tubes = packing.tubes, .words = packing.words};
  struct bspsat_graph *graph = take_zeros ((int64_t) sizeof size + lay_out (&size, NULL));
  if (!graph)
    return NULL;
  *graph = size;
  lay_out (graph, (char *) (graph + 1));
  graph->search->board = board;
  graph->search->tables = board->tables;
  graph->search->packing = packing;
  return graph;
}

void bspsat_graph_free (struct bspsat_graph *graph) {
  give_back (graph);
}

/* Notes the next position `key`, to which some moves lead, and returns how many different ones there are now. */
static int32_t note (struct bspsat_graph *graph, int32_t ways, int32_t found) {
  int32_t words = graph->words;
  if (is_same (graph->key, graph->here, words))
    return found;
  for (int32_t place = 0; place < found; place++)
    if (is_same (graph->key, graph->next_keys + place * words, words)) {
      graph->next_times[place] += ways;
      return found;
    }
  memcpy (graph->next_keys + found * words, graph->key, (size_t) words * sizeof *graph->key);
  graph->next_times[found] = ways;
  return found + 1;
}

/* Returns how many tubes from a place on hold the same. */
static int32_t alike_from (const struct bspsat_graph *graph, int32_t place) {
  int32_t end = place + 1;
  while (end < graph->tubes && graph->state[end] == graph->state[place])
    end++;
  return end - place;
}

/* Of tubes that hold the same, all moves from or to one of them lead to one next position. */
int32_t list_successors (struct bspsat_graph *graph, bool spare) {
  const struct bspsat_tables *tables = &graph->search->tables;
  const struct packing *packing = &graph->search->packing;
  const int32_t *numbers = graph->state;
  const bool one_ball = graph->search->board->one_ball;
  int32_t tubes = graph->tubes, found = 0;
  pack (packing, numbers, graph->here);
  for (int32_t source = 0, alike; source < tubes && numbers[source]; source += alike) {
    int32_t number = numbers[source];
    alike = alike_from (graph, source);
    if (spare && tables->alone[number])
      continue;
    for (int32_t target = 0, others; target < tubes; target += others) {
      int32_t other = numbers[target];
      others = alike_from (graph, target);
      int32_t ways = other == number ? alike * (alike - 1) : alike * others;
      bool fits = other == 0 || (tables->top[other] == tables->top[number] && tables->room[other] > 0);
      if (!ways || !fits)
        continue;
      copy (numbers, graph->child, tubes);
      pour (tables, one_ball, graph->child, source, other == number ? target + 1 : target);
      sort (graph->child, tubes);
      pack (packing, graph->child, graph->key);
      found = note (graph, ways, found);
    }
  }
  return found;
}

int64_t bspsat_graph_next (struct bspsat_graph *graph, const int32_t *position, const int32_t **next) {
  if (!is_position (graph, position))
    return BSPSAT_INVALID;
  copy (position, graph->state, graph->tubes);
  int32_t found = list_successors (graph, false);
  for (int32_t place = 0; place < found; place++)
    unpack (&graph->search->packing, graph->next_keys + place * graph->words,
            graph->next_numbers + place * graph->tubes);
  *next = graph->next_numbers;
  return found;
}
