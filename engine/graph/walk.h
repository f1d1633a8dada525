/* A graph and a walk: what `successors.c`, `walks.c`, `plans.c` and `plays.c` share. */

#ifndef WALK_H
#define WALK_H

#include "graph/graph.h"
#include "search/store.h"

/* Room to work in, for the positions of one board. */
struct bspsat_graph {
  struct bspsat_search *search; // of which only the board and the room to work in are used
  int32_t tubes, words;         // of a position
  int32_t state[MOST_TUBES];    // the position in work
  int32_t child[MOST_TUBES];    // one after it
  uint64_t key[MOST_WORDS], here[MOST_WORDS]; // the same, packed
  uint64_t *next_keys;          // [tubes * tubes, words] different next positions
  int32_t *next_times;          // [tubes * tubes] legal moves that lead there
  int32_t *next_numbers;        // [tubes * tubes, tubes] the same positions, where they are asked for
  int32_t *choices;             // [tubes * tubes] moves that a player may make, as source * tubes + target
};

/* A block of memory, and its bytes. */
struct block { char *at; int64_t bytes; };

struct bspsat_walk {
  struct bspsat_graph *graph;
  int64_t limit, most;        // of moves; of positions
  bool spare;
  int64_t positions, edges;   // so far
  int64_t position;           // in work
  int64_t room, edge_room;    // of positions and edges
  int64_t places;             // of the table, a power of 2
  struct block of_positions, of_edges, of_answers;
  uint64_t *keys;             // [room, words]
  int32_t *depth, *goal, *successors, *first, *distance, *good; // see `bspsat_walked`
  int32_t *table;             // [places] positions by their hash, -1 where free
  int32_t *target, *times;    // [edge_room] and legal moves that lead there
  uint64_t *plans;
  double *before, *after;
  enum { WALKING, WALKED, MEASURED, COUNTED, TOO_MUCH } stage; // what was done, or begun, last
  int64_t length;             // of the plans that are counted
  bool changed;               // whether this round of a measurement has changed a distance
  bool forward;               // whether a count goes forward already
};

/* Writes the different next positions of `state`, and returns how many there are. */
int32_t list_successors (struct bspsat_graph *, bool spare);

/* Returns whether these are the numbers of a position. */
static inline bool is_position (const struct bspsat_graph *graph, const int32_t *numbers) {
  for (int32_t place = 0; place < graph->tubes; place++)
    if (numbers[place] < 0 || numbers[place] >= (place ? numbers[place - 1] + 1 : graph->search->tables.numbers))
      return false;
  return true;
}

/* Returns whether the goal accepts a position. */
static inline bool is_solved (const struct bspsat_graph *graph, const int32_t *numbers) {
  for (int32_t place = 0; place < graph->tubes; place++)
    if (!graph->search->tables.done[numbers[place]])
      return false;
  return true;
}

#endif
