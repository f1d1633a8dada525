/* What the parts of this folder share: a board's rules, a position in work, and the search.

A position is packed as its balls, tube by tube from the bottom, each in as few bits as the colours need, with a bit 1 above
the top ball; at the end a bit for each locked tube. A move changes some neighbouring bits in two places. Tubes of a group
are interchangeable, so they stand in the order of their contents. Where balls leave at the bottom, a tube is upside down:
its first ball is the top one, at which the others arrive, and "bottom" is that end, where balls may stay. */

#ifndef SPACE_H
#define SPACE_H

#include "anywhere/anywhere.h"
#include "beam/layers.h"

enum {
  TUBES = BSPSAT_MOST_TUBES,
  COLOURS = BSPSAT_MOST_COLOURS,
  HEIGHT = BSPSAT_MOST_CAPACITY,
  GROUP = 10,         // most colours of a group that shares a bound
  FEW_TUBES = 12,     // up to here homes are chosen together
  PAIRS = 2000,       // most pairs of sets, of homes and colours, for that
  SETS = 300,         // most sets of homes
  NO_PLAN = UNREACHABLE,
  MOST_STEPS = 1 << 30, // of a call
};

/* What a bound rests on, see bounds.c and pair_bound.c. */
enum bound { BY_KEPT, BY_ARRIVALS, BY_OWN, BY_HOMES, BY_PAIR };

struct position {
  uint8_t load[TUBES], run[TUBES]; // balls, and those of the bottom run
  uint8_t balls[TUBES][HEIGHT];
  uint8_t locked[TUBES];
};

/* What one arc more or less does to the least weight of arcs, of the colours of a group, see bounds.c. */
struct near {
  int32_t least;
  uint16_t less[GROUP], same[GROUP], swap_less[GROUP][GROUP], swap_same[GROUP][GROUP];
};

struct group {
  int32_t first, colours; // of the board's
  int32_t value;          // its part of the bound
  struct near near;
  int16_t steps[GROUP][SETS][FEW_TUBES]; // by colour, set of homes before, and home: the least of all orders with that step
};

struct bspsat_anywhere {
  struct bspsat_search core;       // first: its store, and the work so far
  int32_t goal, colours, tubes;
  bool corks, plain, locks, pours, whole, drains;
  bool by_ball;                    // whether a move is one ball from the top
  struct bspsat_tube rules[TUBES];
  int32_t wanted[COLOURS], counts[COLOURS], most[COLOURS]; // full tubes; balls; tubes in the end, at most
  int32_t home[COLOURS];           // at BY_OWN
  uint64_t ends[TUBES];            // colours that a tube may end with
  int32_t before[TUBES];            // the tube of the same group before it, -1 for none
  enum bound bound;
  int32_t added;                   // to the last one of `bound_of`, as only goals have 0
  int32_t groups, group_of[COLOURS];
  struct group *group;
  int32_t sets, set[SETS];         // sets of homes, fewer than a group's colours
  int32_t tallest;
  struct position start, work;     // the latter as the state in work, then one after it
  struct position other;           // in work where plans are made
  struct tables *tables;           // for bounds.c
  struct bspsat_beam *beam;        // NULL for none
  int64_t beam_left;               // steps that it may still take

  int32_t bits, offset[TUBES + 1]; // of a ball; of each tube in a key
  int32_t start_bound;
  bool is_wrong;                   // whether a bound wasn't consistent
};

/*------------------------------------------------------------------------*/
/* Positions. */

static inline int32_t top_of (const struct position *position, int32_t tube) {
  return position->balls[tube][position->load[tube] - 1];
}

/* Takes the top ball off, and puts one on. */
static inline void lift (struct position *position, int32_t tube) {
  const uint8_t load = --position->load[tube];
  if (position->run[tube] > load)
    position->run[tube] = load;
}

static inline void drop (struct position *position, int32_t tube, int32_t ball) {
  const uint8_t load = position->load[tube]++;
  position->balls[tube][load] = (uint8_t) ball;
  if (position->run[tube] == load && position->balls[tube][0] == ball)
    position->run[tube]++;
}

static inline bool is_complete (const struct bspsat_anywhere *search, const struct position *position, int32_t tube) {
  const int32_t load = position->load[tube];
  if (!load || position->run[tube] < load)
    return false;
  return load == search->rules[tube].capacity ||
         (search->goal != BSPSAT_GOAL_FULL && search->goal != BSPSAT_GOAL_WANTED &&
          load == search->counts[position->balls[tube][0]]);
}

static inline bool is_open (const struct bspsat_anywhere *search, const struct position *position, int32_t tube) {
  return !position->locked[tube] && !(search->corks && is_complete (search, position, tube));
}

static inline bool may_give (const struct bspsat_anywhere *search, const struct position *position, int32_t tube) {
  return position->load[tube] && search->rules[tube].gives && is_open (search, position, tube);
}

static inline bool may_take (const struct bspsat_anywhere *search, const struct position *position, int32_t tube,
                             int32_t ball) {
  const struct bspsat_tube *rule = &search->rules[tube];
  const int32_t load = position->load[tube];
  return load < rule->capacity && is_in (ball, rule->takes) &&
         !(rule->matches && load && position->balls[tube][search->drains ? 0 : load - 1] != ball) && is_open (search, position, tube);
}

/* The balls that a move takes, 0 where it would have to leave some, and may not. */
int32_t amount_of (const struct bspsat_anywhere *, const struct position *, int32_t from, int32_t to);

/* Puts a ball on top. */
void put_ball (const struct bspsat_anywhere *, struct position *, int32_t tube, int32_t ball);

/* Plays a legal move, and opens the locks that are due. */
void play (const struct bspsat_anywhere *, struct position *, int32_t from, int32_t to);

bool is_solved (const struct bspsat_anywhere *, const struct position *);

/*------------------------------------------------------------------------*/
/* Bounds. */

/* Chooses the bound of a board; false when memory is used up. */
bool choose_bound (struct bspsat_anywhere *);

/* Returns the bound of a position, and makes the tables ready for those after it. */
int32_t bound_of (struct bspsat_anywhere *, const struct position *);

/* Returns the bound BY_PAIR of a position, see pair_bound.c. */
int32_t bound_of_pair (const struct bspsat_anywhere *, const struct position *);

/* Returns the bound after a move of the position in work, which has `bound`, the last one of `bound_of`. */
int32_t bound_after (struct bspsat_anywhere *, struct position *, int32_t bound, int32_t from, int32_t to);

/* The balls at the bottom of a tube that may stay there, of a colour. */
static inline int32_t kept_in (const struct bspsat_anywhere *search, const struct position *position, int32_t tube, int32_t colour) {
  const int32_t run = position->run[tube];
  if (!run || position->balls[tube][0] != colour)
    return 0;
  if (is_in (colour, search->ends[tube]) || search->goal == BSPSAT_GOAL_MONOCHROME)
    return run;
  if (search->goal == BSPSAT_GOAL_FULL)
    return run == search->rules[tube].capacity ? run : 0;
  if (search->goal == BSPSAT_GOAL_GATHERED)
    return run == search->counts[colour] ? run : 0;
  return search->rules[tube].own == colour ? run : 0;
}

/*------------------------------------------------------------------------*/
/* Keys. */

/* Writes the key of a position into `key`; `last`, a tube, becomes its place there. */
void write_key (const struct bspsat_anywhere *, const struct position *, uint64_t *key, int32_t *last);

void read_key (const struct bspsat_anywhere *, const key_word *key, struct position *);

/* Writes the plan to the goal that a search or a beam has found in its store, as `bspsat_anywhere_plan` does. */
int64_t write_plan (struct bspsat_anywhere *, const struct bspsat_search *, uint8_t *moves, int64_t room);

#endif
