/* Walks through positions, breadth first. Their arrays grow as they go on. */

#include "graph/walk.h"

#include "memory.h"
#include "parts.h"
#include "search/spaces.h"

enum {
  FIRST_ROOM = 1 << 10, // positions
  EDGES_EACH = 12,      // that there is room for at first, for each position
  MOST_EDGES = EDGES_EACH << 20,
};

/* Lays the arrays of positions out in a block, or in none; returns the bytes that they take. */
static int64_t lay_positions (struct bspsat_walk *walk, char *block) {
  int64_t used = 0;
  walk->keys = part_of (block, &used, walk->room * walk->graph->words, sizeof *walk->keys);
  walk->depth = part_of (block, &used, walk->room, sizeof *walk->depth);
  walk->goal = part_of (block, &used, walk->room, sizeof *walk->goal);
  walk->successors = part_of (block, &used, walk->room, sizeof *walk->successors);
  walk->first = part_of (block, &used, walk->room + 1, sizeof *walk->first);
  walk->table = part_of (block, &used, walk->places, sizeof *walk->table);
  return used;
}

/* The same for those of edges. */
static int64_t lay_edges (struct bspsat_walk *walk, char *block) {
  int64_t used = 0;
  walk->target = part_of (block, &used, walk->edge_room, sizeof *walk->target);
  walk->times = part_of (block, &used, walk->edge_room, sizeof *walk->times);
  return used;
}

/* Returns the place of a packed position in the table, or the free one where it belongs. */
static int32_t *slot_for (const struct bspsat_walk *walk, const uint64_t *key) {
  int32_t words = walk->graph->words;
  uint64_t mask = (uint64_t) walk->places - 1, place = hash_of (key, words) & mask;
  while (walk->table[place] >= 0 &&
         memcmp (walk->keys + (int64_t) walk->table[place] * words, key, (size_t) words * sizeof *key))
    place = (place + 1) & mask;
  return walk->table + place;
}

/* Copies the first items of an array into a longer one. */
static void move_items (void *to, const void *from, int64_t items, size_t size) {
  memcpy (to, from, (size_t) items * size);
}

/* Takes a block, and lays arrays out in it; returns whether there is memory for that. */
static bool take_block (struct bspsat_walk *walk, struct block *block, int64_t (*lay) (struct bspsat_walk *, char *)) {
  block->bytes = lay (walk, NULL);
  block->at = take_large (block->bytes);
  if (block->at)
    lay (walk, block->at);
  return block->at;
}

/* Makes room for twice as many positions; returns whether there is memory for that. */
static bool grow_positions (struct bspsat_walk *walk) {
  struct bspsat_walk old = *walk;
  walk->room = old.room ? 2 * old.room : FIRST_ROOM;
  walk->places = 4 * walk->room;
  if (!take_block (walk, &walk->of_positions, lay_positions)) {
    *walk = old;
    return false;
  }
  if (old.room) {
    move_items (walk->keys, old.keys, walk->positions * walk->graph->words, sizeof *walk->keys);
    move_items (walk->depth, old.depth, walk->positions, sizeof *walk->depth);
    move_items (walk->goal, old.goal, walk->position + 1, sizeof *walk->goal);
    move_items (walk->successors, old.successors, walk->position + 1, sizeof *walk->successors);
    move_items (walk->first, old.first, walk->position + 1, sizeof *walk->first);
    give_back_large (old.of_positions.at, old.of_positions.bytes);
  }
  memset (walk->table, 0xff, (size_t) walk->places * sizeof *walk->table);
  for (int64_t place = 0; place < walk->positions; place++)
    *slot_for (walk, walk->keys + place * walk->graph->words) = (int32_t) place;
  return true;
}

/* Makes room for twice as many edges; returns whether there is memory for that. */
static bool grow_edges (struct bspsat_walk *walk) {
  struct bspsat_walk old = *walk;
  walk->edge_room = old.edge_room ? 2 * old.edge_room : EDGES_EACH * FIRST_ROOM;
  if (!take_block (walk, &walk->of_edges, lay_edges)) {
    *walk = old;
    return false;
  }
  if (old.edge_room) {
    move_items (walk->target, old.target, walk->edges, sizeof *walk->target);
    move_items (walk->times, old.times, walk->edges, sizeof *walk->times);
    give_back_large (old.of_edges.at, old.of_edges.bytes);
  }
  return true;
}

/* Adds a position. */
static void add_position (struct bspsat_walk *walk, const uint64_t *key, int32_t depth, int32_t *slot) {
  *slot = (int32_t) walk->positions++;
  move_items (walk->keys + *slot * (int64_t) walk->graph->words, key, walk->graph->words, sizeof *key);
  walk->depth[*slot] = depth;
}

struct bspsat_walk *bspsat_walk_new (struct bspsat_graph *graph, const int32_t *position, int64_t limit, int64_t most,
                                     int64_t spare) {
  struct bspsat_walk *walk = most > 0 && is_position (graph, position) ? take_zeros (sizeof *walk) : NULL;
  if (!walk)
    return NULL;
  *walk = (struct bspsat_walk) {.graph = graph, .limit = limit, .most = most, .spare = spare};
  if (!grow_positions (walk) || !grow_edges (walk)) {
    bspsat_walk_free (walk);
    return NULL;
  }
  pack (&graph->search->packing, position, graph->key);
  add_position (walk, graph->key, 0, slot_for (walk, graph->key));
  return walk;
}

void bspsat_walk_free (struct bspsat_walk *walk) {
  if (!walk)
    return;
  give_back_large (walk->of_positions.at, walk->of_positions.bytes);
  give_back_large (walk->of_edges.at, walk->of_edges.bytes);
  give_back_large (walk->of_answers.at, walk->of_answers.bytes);
  give_back (walk);
}

/* Returns whether a position isn't on any plan within the limit, where so many moves lead to it. */
static bool is_too_far (const struct bspsat_walk *walk, const uint64_t *key, int32_t depth) {
  struct bspsat_graph *graph = walk->graph;
  if (walk->limit >= BSPSAT_NO_LIMIT)
    return false;
  unpack (&graph->search->packing, key, graph->child);
  return depth + bound_in_moves (graph->search, graph->child) > walk->limit;
}

/* Adds the edges of the position in work, and the positions that they lead to. Returns BSPSAT_PAUSED if it may go on. */
static enum bspsat_status add_successors (struct bspsat_walk *walk, int32_t successors, int32_t depth) {
  const struct bspsat_graph *graph = walk->graph;
  for (int32_t number = 0; number < successors; number++) {
    const uint64_t *key = graph->next_keys + number * graph->words;
    int32_t *slot = slot_for (walk, key);
    if (*slot < 0) {
      if (is_too_far (walk, key, depth))
        continue;
      if (walk->positions == walk->most)
        return BSPSAT_FOUND;
      if (walk->positions == walk->room) {
        if (!grow_positions (walk))
          return BSPSAT_MEMORY;
        slot = slot_for (walk, key);
      }
      add_position (walk, key, depth, slot);
    }
    if (walk->edges == MOST_EDGES)
      return BSPSAT_FOUND;
    if (walk->edges == walk->edge_room && !grow_edges (walk))
      return BSPSAT_MEMORY;
    walk->target[walk->edges] = *slot;
    walk->times[walk->edges++] = graph->next_times[number];
  }
  return BSPSAT_PAUSED;
}

/* No game goes on from a goal. */
int64_t bspsat_walk_on (struct bspsat_walk *walk, int64_t steps) {
  struct bspsat_graph *graph = walk->graph;
  if (walk->stage != WALKING)
    return walk->stage == WALKED ? BSPSAT_EXHAUSTED : BSPSAT_INVALID;
  for (; walk->position < walk->positions; walk->position++, steps--) {
    if (steps <= 0)
      return BSPSAT_PAUSED;
    int64_t position = walk->position;
    unpack (&graph->search->packing, walk->keys + position * graph->words, graph->state);
    int32_t depth = walk->depth[position] + 1;
    bool goal = is_solved (graph, graph->state);
    walk->first[position] = (int32_t) walk->edges;
    walk->goal[position] = goal;
    walk->successors[position] = !goal && depth <= walk->limit ? list_successors (graph, walk->spare) : 0;
    enum bspsat_status status = add_successors (walk, walk->successors[position], depth);
    if (status != BSPSAT_PAUSED) {
      walk->edges = walk->first[position]; // if it goes on, this position comes again
      return status;
    }
  }
  walk->stage = WALKED;
  walk->first[walk->position] = (int32_t) walk->edges;
  return BSPSAT_EXHAUSTED;
}

void bspsat_walk_positions (const struct bspsat_walk *walk, struct bspsat_walked *walked) {
  *walked = (struct bspsat_walked) {
    .positions = walk->positions, .edges = walk->edges, .depth = walk->depth, .goal = walk->goal,
    .successors = walk->successors, .first = walk->first, .target = walk->target, .distance = walk->distance,
    .good = walk->good, .plans = walk->plans, .before = walk->before, .after = walk->after,
  };
}

int64_t bspsat_walk_position (const struct bspsat_walk *walk, int64_t place, int32_t *position) {
  if (place < 0 || place >= walk->positions)
    return BSPSAT_INVALID;
  unpack (&walk->graph->search->packing, walk->keys + place * walk->graph->words, position);
  return BSPSAT_FOUND;
}

int64_t bspsat_walk_place (const struct bspsat_walk *walk, const int32_t *position) {
  if (!is_position (walk->graph, position))
    return -1;
  pack (&walk->graph->search->packing, position, walk->graph->key);
  return *slot_for (walk, walk->graph->key);
}
