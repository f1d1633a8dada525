/* Lower bounds where a ball goes wherever there is room. None rises or falls by more than one in a move that can be undone
and keeps a board solvable; a test compares them with exact distances on whole classes.

BY_KEPT. A ball that never moves lies at the bottom of a tube that ends with its colour, and so in a bottom run. Of each
colour as many runs count as it has tubes in the end. Every other ball moves. Where a move takes a run, blocks (maximal
runs) count in the place of balls, and a bottom run as one: a move joins at most one block with another, or brings at most
one to an end where it stays. Where balls leave at the bottom, those that never move lie at the top, under no other colour.

BY_ARRIVALS, at the goal wanted. A tube that ends full of a colour gets every ball but the bottom run of that colour: by one
move at least, where a move takes a run.

BY_OWN. Each colour ends in one tube, its home, which is given. A ball that isn't kept moves twice unless its home was
cleared before its own tube was: `instances/sorting/detours.py` has the proof. So the bound counts 1 for each ball that
isn't kept, 1 more for each of those in its own home, and the least number of balls against an order of the homes: m[v][u]
balls lie in the home of v and want to go to the home of u, and they count where v comes before u. With f[S] for the best
order of the colours in S alone, as the first ones, and g[S] for the best order of the others after them, the least with
exactly S before b is best (S, b) = f[S] + (what b pays after S) + g[S + b]. A move of a ball of colour b changes two
numbers, m[s][b] and m[t][b], by -1 and +1. They count where s, or t, is in S. So the least afterwards is that of
best (S, b) - [s in S] + [t in S] over all S, which is known by where best (S, b) is the least, or one more. So one run
forward and one backward over the sets have the bounds of all positions after a move.

BY_HOMES. The same, where the homes aren't given: the least over homes and orders. best (A, t, b), where the homes A are
cleared before t, the home of b, is what changes. Of a move of a ball of b only the step of b depends.

With more than some colours (tubes) these two are sums over groups of colours, which are a bound as well: in the best order
of all, those of one group make no more moves twice if the others aren't counted.

BY_PAIR is in pair_bound.c. */

#include "anywhere/space.h"

#include "memory.h"

#include <string.h>

struct tables {
  uint64_t rest[1 << GROUP][2];     // by set: for each home the balls in it that want to go to others outside, a byte each
  uint16_t first[1 << GROUP], last[1 << GROUP];
  int32_t width;                    // colours of a full group
  int32_t pairs;                    // at BY_HOMES: pairs of a set of homes and one of colours, by size
  uint32_t pair[PAIRS];
  uint16_t slot[1 << (FEW_TUBES + 4)]; // where they are in the list
  int16_t costs_first[PAIRS], costs_last[PAIRS];
  uint16_t set_at[1 << FEW_TUBES];  // number of a set of homes
};

enum { NONE = 1 << 12 };

static bool may_be_home (const struct bspsat_anywhere *search, const struct position *position, int32_t tube,
                         int32_t colour) {
  return is_in (colour, search->ends[tube]) || kept_in (search, position, tube, colour);
}

/*------------------------------------------------------------------------*/
/* BY_KEPT and BY_ARRIVALS: what a colour counts. */

/* Adds up the `number` greatest of some numbers of at most HEIGHT. */
static int32_t greatest (const int32_t *times, int32_t number) {
  int32_t sum = 0;
  for (int32_t value = HEIGHT; value > 0 && number > 0; value--) {
    const int32_t taken = least (times[value], number);
    sum += taken * value, number -= taken;
  }
  return sum;
}

static int32_t of_colour (const struct bspsat_anywhere *search, const struct position *position, int32_t colour) {
  int32_t times[HEIGHT + 1] = {0};
  const int32_t most_of_run = search->pours ? 1 : HEIGHT; // moves that a run takes
  if (search->bound == BY_KEPT) {
    int32_t work = search->pours ? 0 : search->counts[colour];
    for (int32_t tube = 0; tube < search->tubes; tube++) {
      const uint8_t *balls = position->balls[tube];
      times[least (most_of_run, kept_in (search, position, tube, colour))]++;
      for (int32_t ball = 0; search->pours && ball < position->load[tube]; ball++)
        work += balls[ball] == colour && !(ball && balls[ball - 1] == colour);
    }
    return work - greatest (times, search->most[colour]);
  }
  int32_t missing = search->wanted[colour], sum = 0;
  for (int32_t tube = 0; tube < search->tubes; tube++) {
    const bool is_bottom = position->run[tube] && position->balls[tube][0] == colour;
    const int32_t need = search->rules[tube].capacity - (is_bottom ? position->run[tube] : 0);
    if (!need || is_in (colour, search->rules[tube].takes))
      times[least (most_of_run, need)]++;
  }
  for (int32_t need = 0; need <= HEIGHT && missing > 0; need++) {
    const int32_t taken = least (times[need], missing);
    sum += taken * need, missing -= taken;
  }
  return missing ? NO_PLAN : sum;
}

/*------------------------------------------------------------------------*/
/* BY_OWN: the tables of a group. */

static inline int32_t paid (const struct tables *tables, int32_t set, int32_t vertex) {
  return (int32_t) (tables->rest[set][vertex >> 3] >> 8 * (vertex & 7) & 255);
}

static void make_near (struct bspsat_anywhere *search, const struct position *position, struct group *group) {
  struct tables *tables = search->tables;
  struct near *near = &group->near;
  const int32_t colours = group->colours, full = (1 << colours) - 1, first = group->first;
  uint64_t wanting[GROUP][2] = {{0}}, all[2] = {0};
  for (int32_t vertex = 0; vertex < colours; vertex++) {
    const int32_t tube = search->home[first + vertex];
    if (tube < 0)
      continue; // there are no such balls
    const int32_t shift = 8 * (vertex & 7), word = vertex >> 3;
    const uint8_t *balls = position->balls[tube];
    for (int32_t ball = kept_in (search, position, tube, first + vertex); ball < position->load[tube]; ball++) {
      const int32_t other = balls[ball] - first;
      if (other < 0 || other >= colours || other == vertex)
        continue;
      wanting[other][word] += UINT64_C (1) << shift;
      all[word] += UINT64_C (1) << shift;
    }
  }
  tables->rest[0][0] = all[0], tables->rest[0][1] = all[1];
  tables->first[0] = tables->last[full] = 0;
  for (int32_t set = 1; set <= full; set++) {
    const int32_t one = __builtin_ctz ((unsigned) set), others = set & (set - 1);
    tables->rest[set][0] = tables->rest[others][0] - wanting[one][0];
    tables->rest[set][1] = tables->rest[others][1] - wanting[one][1];
    int32_t best = NONE;
    for (int32_t left = set; left; left &= left - 1) {
      const int32_t vertex = __builtin_ctz ((unsigned) left), so_far = set ^ 1 << vertex;
      best = least (best, tables->first[so_far] + paid (tables, so_far, vertex));
    }
    tables->first[set] = (uint16_t) best;
  }
  const int32_t found = tables->first[full];
  memset (near, 0, sizeof *near);
  near->least = found;
  for (int32_t set = full - 1; set >= 0; set--) {
    const int32_t out = full & ~set;
    int32_t best = NONE;
    for (int32_t left = out; left; left &= left - 1) {
      const int32_t vertex = __builtin_ctz ((unsigned) left);
      best = least (best, paid (tables, set, vertex) + tables->last[set | 1 << vertex]);
    }
    tables->last[set] = (uint16_t) best;
    if (tables->first[set] + best > found + 1)
      continue;
    for (int32_t left = out; left; left &= left - 1) {
      const int32_t vertex = __builtin_ctz ((unsigned) left);
      const int32_t value = tables->first[set] + paid (tables, set, vertex) + tables->last[set | 1 << vertex];
      if (value == found) {
        near->less[vertex] |= (uint16_t) set, near->same[vertex] |= (uint16_t) out;
        for (int32_t other = 0; other < colours; other++)
          if (set >> other & 1) {
            near->swap_less[vertex][other] |= (uint16_t) out;
            near->swap_same[vertex][other] |= (uint16_t) set;
          } else
            near->swap_same[vertex][other] |= (uint16_t) out;
      } else if (value == found + 1)
        for (int32_t inside = set; inside; inside &= inside - 1)
          near->swap_same[vertex][__builtin_ctz ((unsigned) inside)] |= (uint16_t) out;
    }
  }
  search->core.work += full * colours * 2;
}

/* The number of a tube in a group as a home, -1 where it is none. */
static int32_t vertex_of (const struct bspsat_anywhere *search, const struct group *group, int32_t tube) {
  const int32_t own = search->rules[tube].own, vertex = own - group->first;
  return own >= 0 && vertex >= 0 && vertex < group->colours && search->home[own] == tube ? vertex : -1;
}

/* How much the bound rises when a ball goes from one tube to another. */
static int32_t rise_of_own (const struct bspsat_anywhere *search, const struct position *position, int32_t from,
                            int32_t to) {
  const int32_t ball = top_of (position, from), home = search->home[ball];
  const struct group *group = &search->group[search->group_of[ball]];
  const struct near *near = &group->near;
  const int32_t vertex = ball - group->first;
  int32_t source = -1, target = -1, rise;
  const bool is_clean = kept_in (search, position, home, ball) == position->load[home];
  if (from == home) {
    if (is_clean && !is_in (ball, search->ends[home]) && position->run[home] == 1)
      return NO_PLAN;
    rise = is_clean ? 0 : -2;
  } else
    rise = -1, source = vertex_of (search, group, from);
  if (to == home)
    rise += is_clean ? 0 : 2;
  else
    rise += 1, target = vertex_of (search, group, to);
  if (source >= 0 && target >= 0) {
    if (!(near->swap_less[vertex][source] >> target & 1))
      return rise + !(near->swap_same[vertex][source] >> target & 1);
    return rise - 1;
  }
  if (source >= 0)
    return rise - (near->less[vertex] >> source & 1);
  return target < 0 ? rise : rise + !(near->same[vertex] >> target & 1);
}

/* Balls that aren't kept, and once more those in their home; NO_PLAN where a colour has no home any more. */
static int32_t moves_of_own (const struct bspsat_anywhere *search, const struct position *position) {
  int32_t moves = 0;
  for (int32_t tube = 0; tube < search->tubes; tube++)
    moves += position->load[tube];
  for (int32_t colour = 0; colour < search->colours; colour++) {
    if (!search->counts[colour])
      continue;
    const int32_t home = search->home[colour];
    if (home < 0 || !may_be_home (search, position, home, colour))
      return NO_PLAN;
    const int32_t kept = kept_in (search, position, home, colour);
    moves -= kept;
    for (int32_t ball = kept; ball < position->load[home]; ball++)
      moves += position->balls[home][ball] == colour;
  }
  return moves;
}

/*------------------------------------------------------------------------*/
/* BY_HOMES: the tables of a group. */

/* What the home of a colour saves; NONE where it may not be that. */
static int32_t saved (const struct bspsat_anywhere *search, const struct position *position, int32_t tube,
                      int32_t colour) {
  return may_be_home (search, position, tube, colour) ? -2 * kept_in (search, position, tube, colour) : NONE;
}

/* The sum of `balls` over a set of tubes. */
static int32_t balls_in (const int16_t *balls, int32_t set) {
  int32_t sum = 0;
  for (; set; set &= set - 1)
    sum += balls[__builtin_ctz ((unsigned) set)];
  return sum;
}

static int32_t make_steps (struct bspsat_anywhere *search, const struct position *position, struct group *group) {
  struct tables *tables = search->tables;
  const int32_t tubes = search->tubes, colours = group->colours, all = (1 << colours) - 1, width = tables->width;
  int16_t balls[GROUP][FEW_TUBES] = {{0}}, costs[GROUP][FEW_TUBES];
  for (int32_t tube = 0; tube < tubes; tube++)
    for (int32_t ball = 0; ball < position->load[tube]; ball++) {
      const int32_t colour = position->balls[tube][ball] - group->first;
      if (colour >= 0 && colour < colours)
        balls[colour][tube]++;
    }
  for (int32_t colour = 0; colour < colours; colour++)
    for (int32_t tube = 0; tube < tubes; tube++)
      costs[colour][tube] = (int16_t) (balls[colour][tube] + saved (search, position, tube, group->first + colour));
  static const int16_t unknown = NONE;
  for (int32_t slot = 0; slot < tables->pairs; slot++)
    tables->costs_first[slot] = tables->costs_last[slot] = unknown;
  tables->costs_first[0] = 0;
  int32_t value = NONE;
  for (int32_t slot = 0; slot < tables->pairs; slot++) {
    const int32_t homes = (int32_t) (tables->pair[slot] >> width);
    const int32_t done = (int32_t) (tables->pair[slot] & ((1u << width) - 1));
    const int32_t so_far = tables->costs_first[slot];
    if (so_far >= NONE)
      continue;
    if (done == all)
      value = least (value, so_far);
    for (int32_t colour = 0; colour < colours; colour++) {
      if (done >> colour & 1)
        continue;
      const int32_t wait = so_far + balls_in (balls[colour], homes);
      for (int32_t tube = 0; tube < tubes; tube++) {
        if (homes >> tube & 1)
          continue;
        int16_t *cost = &tables->costs_first[tables->slot[(homes | 1 << tube) << width | done | 1 << colour]];
        *cost = (int16_t) least (*cost, wait + costs[colour][tube]);
      }
    }
  }
  for (int32_t colour = 0; colour < colours; colour++)
    for (int32_t set = 0; set < search->sets; set++)
      for (int32_t tube = 0; tube < tubes; tube++)
        group->steps[colour][set][tube] = NONE;
  for (int32_t slot = tables->pairs - 1; slot >= 0; slot--) {
    const int32_t homes = (int32_t) (tables->pair[slot] >> width);
    const int32_t done = (int32_t) (tables->pair[slot] & ((1u << width) - 1));
    int32_t best = done == all ? 0 : NONE;
    for (int32_t colour = 0; colour < colours; colour++) {
      if (done >> colour & 1)
        continue;
      const int32_t wait = balls_in (balls[colour], homes);
      int16_t *steps = group->steps[colour][tables->set_at[homes]];
      for (int32_t tube = 0; tube < tubes; tube++) {
        if (homes >> tube & 1)
          continue;
        const int32_t after = tables->costs_last[tables->slot[(homes | 1 << tube) << width | done | 1 << colour]];
        // What the home itself saves is added later, as a move may change it.
        const int32_t without = wait + balls[colour][tube] + after;
        const int32_t whole = wait + costs[colour][tube] + after;
        best = least (best, whole);
        steps[tube] = (int16_t) least (steps[tube], without + tables->costs_first[slot]);
      }
    }
    tables->costs_last[slot] = (int16_t) least (best, NONE);
  }
  search->core.work += 2 * tables->pairs * colours * tubes;
  return value >= NONE / 2 ? NO_PLAN : value;
}

/* The group's value after a ball of `ball` went from one tube to another: `position` is the one after that. */
static int32_t value_of_homes (struct bspsat_anywhere *search, const struct position *position, int32_t ball,
                               int32_t from, int32_t to) {
  const struct group *group = &search->group[search->group_of[ball]];
  const int32_t tubes = search->tubes, both = 1 << from | 1 << to;
  int32_t best = NONE, saves[FEW_TUBES];
  for (int32_t tube = 0; tube < tubes; tube++)
    saves[tube] = saved (search, position, tube, ball);
  for (int32_t number = 0; number < search->sets; number++) {
    const int16_t *steps = group->steps[ball - group->first][number];
    for (int32_t tube = 0; tube < tubes; tube++) {
      const int32_t homes = (search->set[number] | 1 << tube) & both;
      const int32_t change = homes == 1 << to ? 1 : homes == 1 << from ? -1 : 0;
      best = least (best, steps[tube] + saves[tube] + change);
    }
  }
  search->core.work += search->sets * tubes;
  return best >= NONE / 2 ? NO_PLAN : best;
}

/*------------------------------------------------------------------------*/

/* A bound of 0 is for goals alone: returns 1 where another position has it, else 0. */
static int32_t added (const struct bspsat_anywhere *search, const struct position *position, int32_t bound) {
  return bound <= 0 && !is_solved (search, position);
}

int32_t bound_of (struct bspsat_anywhere *search, const struct position *position) {
  int32_t bound = 0;
  if (search->bound == BY_PAIR)
    bound = bound_of_pair (search, position);
  else if (search->bound == BY_OWN || search->bound == BY_HOMES) {
    if (search->bound == BY_OWN)
      bound = moves_of_own (search, position);
    else
      for (int32_t colour = 0; colour < search->colours; colour++)
        bound += search->counts[colour];
    for (int32_t number = 0; number < search->groups && bound < NO_PLAN; number++) {
      struct group *group = &search->group[number];
      if (search->bound == BY_OWN)
        make_near (search, position, group), group->value = group->near.least;
      else
        group->value = make_steps (search, position, group);
      bound += group->value;
    }
  } else
    for (int32_t colour = 0; colour < search->colours && bound < NO_PLAN; colour++)
      bound += of_colour (search, position, colour);
  search->added = added (search, position, bound);
  return bound >= NO_PLAN ? NO_PLAN : bound + search->added;
}

int32_t bound_after (struct bspsat_anywhere *search, struct position *position, int32_t bound, int32_t from,
                     int32_t to) {
  const int32_t ball = top_of (position, from);
  search->core.work += search->tubes;
  if (search->bound == BY_OWN) {
    const int32_t rise = rise_of_own (search, position, from, to);
    return rise >= NO_PLAN ? NO_PLAN : bound + rise;
  }
  const uint8_t run_from = position->run[from], run_to = position->run[to];
  const bool by_colour = search->bound == BY_KEPT || search->bound == BY_ARRIVALS;
  bound -= search->added;
  int32_t after = by_colour ? bound - of_colour (search, position, ball) : 0;
  lift (position, from), drop (position, to, ball);
  if (search->bound == BY_PAIR)
    after = bound_of_pair (search, position);
  else if (by_colour)
    after += of_colour (search, position, ball);
  else
    after = bound - search->group[search->group_of[ball]].value + value_of_homes (search, position, ball, from, to);
  if (after < NO_PLAN / 2)
    after += added (search, position, after);
  position->load[to]--, position->load[from]++;
  position->run[from] = run_from, position->run[to] = run_to;
  return after >= NO_PLAN / 2 ? NO_PLAN : after;
}

/*------------------------------------------------------------------------*/

/* Lists the pairs of sets of homes and of colours of the same size, by size. */
static void list_pairs (struct bspsat_anywhere *search, int32_t colours) {
  struct tables *tables = search->tables;
  tables->width = colours;
  for (int32_t size = 0; size <= colours; size++)
    for (int32_t homes = 0; homes < 1 << search->tubes; homes++) {
      if (__builtin_popcount ((unsigned) homes) != size)
        continue;
      if (size < colours) {
        tables->set_at[homes] = (uint16_t) search->sets;
        search->set[search->sets++] = homes;
      }
      for (int32_t done = 0; done < 1 << colours; done++)
        if (__builtin_popcount ((unsigned) done) == size) {
          tables->slot[homes << colours | done] = (uint16_t) tables->pairs;
          tables->pair[tables->pairs++] = (uint32_t) (homes << colours | done);
        }
    }
}

/* The number of ways to choose some of several, or more than PAIRS. */
static int32_t choices (int32_t of, int32_t some) {
  int64_t number = 1;
  for (int32_t each = 1; each <= some && number <= PAIRS; each++)
    number = number * (of - some + each) / each;
  return number > PAIRS ? PAIRS + 1 : (int32_t) number;
}

bool choose_bound (struct bspsat_anywhere *search) {
  const int32_t tubes = search->tubes;
  int32_t most = 0, each = GROUP;
  for (int32_t colour = 0; colour < search->colours; colour++)
    most = most_of (most, search->most[colour]);
  search->bound = search->goal == BSPSAT_GOAL_WANTED ? BY_ARRIVALS : BY_KEPT;
  if (!search->by_ball)
    return true;
  if (most == 1 && search->goal == BSPSAT_GOAL_COLOURED) {
    bool is_pair = search->colours == 2 && tubes == 3 && !search->plain;
    search->bound = BY_OWN;
    for (int32_t colour = 0; colour < search->colours; colour++)
      search->home[colour] = -1;
    for (int32_t tube = 0; tube < tubes; tube++) {
      const struct bspsat_tube *rule = &search->rules[tube];
      if (rule->own >= 0)
        search->home[rule->own] = tube;
      is_pair = is_pair && rule->capacity == search->tallest && rule->takes == 3 && rule->gives;
    }
    for (int32_t colour = 0; colour < search->colours; colour++)
      is_pair = is_pair && search->counts[colour] && search->home[colour] >= 0;
    if (is_pair)
      search->bound = BY_PAIR;
  } else if (most == 1 && (search->goal == BSPSAT_GOAL_FULL || search->goal == BSPSAT_GOAL_GATHERED) &&
             tubes <= FEW_TUBES) {
    search->bound = BY_HOMES;
    for (each = 1; each < tubes && choices (each + 1 + tubes, each + 1) <= PAIRS; each++)
      ;
    each = least (each, search->colours);
  }
  if (search->bound != BY_OWN && search->bound != BY_HOMES)
    return true;
  for (int32_t colour = 0; colour < search->colours; colour++)
    if (!search->counts[colour] && search->bound == BY_HOMES)
      return search->bound = BY_KEPT, true;
  search->groups = (search->colours + each - 1) / most_of (1, each);
  search->group = take_zeros (search->groups * (int64_t) sizeof *search->group);
  search->tables = take_zeros (sizeof *search->tables);
  if (!search->group || !search->tables)
    return false;
  for (int32_t colour = 0; colour < search->colours; colour++) {
    struct group *group = &search->group[search->group_of[colour] = colour / each];
    group->first = colour / each * each;
    group->colours++;
  }
  if (search->bound == BY_HOMES)
    list_pairs (search, each);
  return true;
}
