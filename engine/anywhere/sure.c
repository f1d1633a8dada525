/* Plans at once where balls go anywhere: by exchanging balls through an empty tube.

A tube is emptied into the others. A ball with n balls on it is exchanged with the top ball of another tube in 2n + 3 moves:
it goes into the empty tube with those on it, the other one takes its place, it takes the other's, and the n go back. So the
tubes are filled as they should be, cell by cell; balls of the colour that ends in the empty tube wait on top of others. */

#include "anywhere/space.h"

#include <string.h>

struct making {
  struct bspsat_anywhere *search;
  struct position *position;
  uint8_t *moves;
  int64_t room, made;
};

static void make_move (struct making *making, int32_t from, int32_t to) {
  const int32_t ball = top_of (making->position, from);
  lift (making->position, from), drop (making->position, to, ball);
  if (making->made < making->room) {
    making->moves[2 * making->made] = (uint8_t) from;
    making->moves[2 * making->made + 1] = (uint8_t) to;
  }
  making->made++;
}

/* Exchanges the ball at a level of a tube with the top one of another. */
static void exchange (struct making *making, int32_t tube, int32_t level, int32_t other, int32_t empty) {
  const int32_t above = making->position->load[tube] - level - 1;
  for (int32_t ball = 0; ball <= above; ball++)
    make_move (making, tube, empty);
  make_move (making, other, tube);
  make_move (making, empty, other);
  for (int32_t ball = 0; ball < above; ball++)
    make_move (making, empty, tube);
}

/* Says what each tube should hold, and how many of its balls (as `run`) wait for the tube that is empty until the end. Returns
that tube, or -1 where it isn't known how. */
static int32_t say_what_is_wanted (const struct bspsat_anywhere *search, struct position *wanted) {
  for (int32_t tube = 0; tube < search->tubes; tube++)
    wanted->load[tube] = wanted->run[tube] = 0;
  for (int32_t colour = 0; colour < search->colours; colour++) {
    int32_t left = search->counts[colour];
    while (left) {
      // The tube that suits best: its own one, or one with most balls at the bottom; at first the smallest that holds all.
      int32_t best = -1, best_kept = -1;
      for (int32_t tube = 0; tube < search->tubes; tube++) {
        const int32_t capacity = search->rules[tube].capacity, kept = kept_in (search, &search->start, tube, colour);
        if (!wanted->load[tube] && is_in (colour, search->ends[tube]) && kept > best_kept &&
            (search->goal != BSPSAT_GOAL_FULL || capacity <= left))
          best = tube, best_kept = kept;
      }
      if (best < 0)
        return -1;
      const int32_t taken = least (left, search->rules[best].capacity);
      memset (wanted->balls[best], colour, (size_t) taken);
      wanted->load[best] = (uint8_t) taken;
      left -= taken;
    }
  }
  int32_t empty = 0;
  for (int32_t tube = 1; tube < search->tubes; tube++)
    if (wanted->load[tube] < wanted->load[empty] ||
        (wanted->load[tube] == wanted->load[empty] && search->rules[tube].capacity > search->rules[empty].capacity))
      empty = tube;
  int32_t waiting = wanted->load[empty];
  const uint8_t colour = wanted->balls[empty][0];
  wanted->load[empty] = 0;
  for (int32_t tube = 0; tube < search->tubes; tube++) {
    if (tube == empty)
      continue;
    for (; waiting && wanted->load[tube] < search->rules[tube].capacity; waiting--, wanted->run[tube]++)
      wanted->balls[tube][wanted->load[tube]++] = colour;
    if (wanted->load[tube] > search->rules[empty].capacity)
      return -1;
  }
  return waiting ? -1 : empty;
}

/* Moves balls until each tube holds as many as is wanted. */
static void make_loads (struct making *making, const struct position *wanted) {
  struct position *position = making->position;
  const int32_t tubes = making->search->tubes;
  for (int32_t from = 0, to = 0; from < tubes;) {
    if (position->load[from] <= wanted->load[from])
      from++;
    else {
      while (position->load[to] >= wanted->load[to])
        to++;
      make_move (making, from, to);
    }
  }
}

/* Finds a tube without `but` and `empty` whose top ball has the colour, or any for -1; the later ones first, so that those
which are done are taken last. */
static int32_t tube_with_top (const struct making *making, int32_t colour, int32_t but, int32_t empty, int32_t from) {
  for (int32_t tube = making->search->tubes - 1; tube >= from; tube--)
    if (tube != but && tube != empty && making->position->load[tube] &&
        (colour < 0 || top_of (making->position, tube) == colour))
      return tube;
  return -1;
}

/* Brings the ball that is wanted to a level of a tube, when all before it are right; false where it can't. */
static bool make_cell (struct making *making, int32_t tube, int32_t level, int32_t colour, int32_t empty) {
  struct position *position = making->position;
  for (int32_t at = level + 1; at < position->load[tube]; at++)
    if (position->balls[tube][at] == colour) {
      // In the tube itself: by another one's top, which gets its own ball back where that is done already.
      const int32_t other = tube_with_top (making, -1, tube, empty, 0);
      if (other < 0)
        return false;
      exchange (making, tube, at, other, empty);
      exchange (making, tube, level, other, empty);
      if (other < tube)
        exchange (making, tube, at, other, empty);
      return true;
    }
  int32_t source = tube_with_top (making, colour, tube, empty, tube);
  if (source < 0) {
    int32_t at = -1;
    for (source = making->search->tubes - 1; source > tube; source--) {
      if (source == empty)
        continue;
      for (at = position->load[source] - 1; at >= 0 && position->balls[source][at] != colour; at--)
        ;
      if (at >= 0)
        break;
    }
    if (source <= tube || level + 1 > position->load[tube])
      return false;
    exchange (making, source, at, tube, empty);
    if (position->load[tube] == level + 1)
      return true; // it was exchanged with the very ball
    return make_cell (making, tube, level, colour, empty);
  }
  exchange (making, tube, level, source, empty);
  return true;
}

int64_t bspsat_anywhere_sure (struct bspsat_anywhere *search, uint8_t *moves, int64_t room) {
  if (!search->by_ball || search->locks || search->corks || search->goal == BSPSAT_GOAL_WANTED || is_solved (search, &search->start))
    return 0;
  for (int32_t tube = 0; tube < search->tubes; tube++)
    if (!search->rules[tube].gives || search->rules[tube].matches || ~search->rules[tube].takes << (64 - most_of (1, search->colours)))
      return 0;
  struct position *wanted = &search->other, *position = &search->work;
  const int32_t empty = say_what_is_wanted (search, wanted);
  if (empty < 0)
    return 0;
  *position = search->start;
  struct making making = {search, position, moves, room, 0};
  make_loads (&making, wanted);
  for (int32_t tube = 0; tube < search->tubes; tube++)
    for (int32_t level = 0; level < wanted->load[tube]; level++) {
      const int32_t colour = wanted->balls[tube][level];
      if (position->balls[tube][level] == colour)
        continue;
      if (making.made > room || !make_cell (&making, tube, level, colour, empty))
        return 0;
    }
  for (int32_t tube = 0; tube < search->tubes; tube++)
    for (int32_t ball = 0; ball < wanted->run[tube]; ball++)
      make_move (&making, tube, empty);
  return making.made <= room && is_solved (search, position) ? making.made : 0;
}
