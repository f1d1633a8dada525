/* From one state in the space of homes to the next, move by move: see plans.h.

A step decides on tubes with one colour, opens a home, or clears a tube; balls then go home as far as they can. What
leads to the state is found by trying: engine/homes.md has the steps. */

#include "search/plans.h"

static const int32_t MANY = 1 << 30; // moves: more than any plan has

/* Moves all balls home that can go there, and returns the place behind the moves. */

static int32_t go_home (struct plan *plan, int32_t *numbers, int32_t place) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t tubes = plan->tubes;
  const uint64_t homes = open_homes (numbers, tubes);
  for (int32_t source = 0; source < tubes; source++) {
    int32_t number = numbers[source];
    while (number > 0 && is_in (tables->top[number], homes)) {
      int32_t target = 0;
      while (numbers[target] != -1 - tables->top[number])
        target++;
      for (int32_t ball = 0; ball < tables->run[number]; ball++)
        write (plan, place++, source, target);
      number = tables->less[number];
    }
    numbers[source] = number;
  }
  return place;
}

/* How many tubes have a number. */

static int32_t count_of (const int32_t *numbers, int32_t length, int32_t number) {
  int32_t count = 0;
  for (int32_t tube = 0; tube < length; tube++)
    count += numbers[tube] == number;
  return count;
}

/* Whether a ball of a colour can be taken from some tube that isn't its home. */

static bool is_on_top (const struct plan *plan, int32_t colour) {
  for (int32_t tube = 0; tube < plan->tubes; tube++)
    if (plan->numbers[tube] > 0 && plan->tables->top[plan->numbers[tube]] == colour)
      return true;
  return false;
}

/* Whether the tube at `source` may have been cleared on the way to `state`, on which homes `opened` opened.

A clearing can open a home only in the tube itself, when its colour is all that is left in it. Where none opened no
other tube loses a ball. Then there are as many tubes as before of what was in this one only if another one, of the same
top colour, has come to hold the same. */

static bool may_be_cleared (const struct plan *plan, int32_t source, uint64_t opened) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t *state = plan->state;
  const int32_t *numbers = plan->numbers;
  const int32_t tubes = plan->tubes;
  const int32_t number = numbers[source];
  if (number <= 0)
    return false;
  if (opened)
    return is_in (tables->bottom[number], opened);
  if (count_of (state, tubes, number) < count_of (numbers, tubes, number))
    return true;
  for (int32_t tube = 0; tube < tubes; tube++)
    if (tube != source && numbers[tube] > 0 && tables->top[numbers[tube]] == tables->top[number])
      return true;
  return false;
}

/* Shares balls out to the places from `first` on, the last ones before others; returns those without a place. */

static int32_t fill_from_behind (struct plan *plan, int32_t first, int32_t places, int32_t balls) {
  for (int32_t place = places - 1; place >= first; place--) {
    const int32_t target = plan->numbers[plan->targets[place]];
    const int32_t amount = least (balls, plan->tables->room[target]);
    plan->amounts[place] = amount;
    balls -= amount;
  }
  return balls;
}

/* Shares the top run at `source` out to where it may go but home: the first way, see `share_otherwise`.

Writes places and numbers of balls into `plan`; returns the number of places, 0 where there is no room for all. */

static int32_t share_out (struct plan *plan, int32_t source, int32_t free) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t *numbers = plan->numbers;
  const int32_t tubes = plan->tubes;
  int32_t *targets = plan->targets;
  const int32_t number = numbers[source];
  int32_t places = 0;
  for (int32_t tube = 0; tube < tubes; tube++)
    if (tube != source && numbers[tube] > 0 && tables->top[numbers[tube]] == tables->top[number])
      targets[places++] = tube;
  if (free >= 0)
    targets[places++] = free;
  return fill_from_behind (plan, 0, places, tables->run[number]) ? 0 : places;
}

/* Shares the balls out in the next way, in lexicographic order of what places get; false after the last one. */

static bool share_otherwise (struct plan *plan, int32_t places) {
  int32_t *amounts = plan->amounts;
  int32_t behind = amounts[places - 1];
  for (int32_t place = places - 2; place >= 0; place--) {
    const int32_t target = plan->numbers[plan->targets[place]];
    if (behind && amounts[place] < plan->tables->room[target]) {
      amounts[place]++;
      fill_from_behind (plan, place + 1, places, behind - 1);
      return true;
    }
    behind += amounts[place];
  }
  return false;
}

/* Moves the top run at `source` as it was shared out, and returns the place behind the moves. */

static int32_t clear_tube (struct plan *plan, int32_t *numbers, int32_t source, int32_t places, int32_t place) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t colour = tables->top[numbers[source]];
  for (int32_t at = 0; at < places; at++) {
    const int32_t target = plan->targets[at], amount = plan->amounts[at];
    for (int32_t ball = 0; ball < amount; ball++)
      write (plan, place++, source, target);
    if (amount && numbers[target] == 0)
      numbers[target] = *founded (tables, colour, amount);
    else
      for (int32_t ball = 0; ball < amount; ball++)
        numbers[target] = tables->more[numbers[target]];
  }
  numbers[source] = tables->less[numbers[source]];
  return place;
}

/* Decides on the tubes with one colour in `plan->after` so that they come to `plan->state`.

Neither a decision nor a ball that goes home changes what another such tube holds, so that the state tells which of them
are temporaries by then. At most one of the others has become its colour's home. `plan->numbers` gets the tubes where
the moves end at `most` or sooner. Returns the least place behind the moves of a decision, MANY where none leads
there. */

static int32_t decide (struct plan *plan, uint64_t after, int32_t place, int32_t most) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t *state = plan->state;
  int32_t *child = plan->after, *kept = plan->decided;
  const int32_t tubes = plan->tubes;
  bool undecided = false;
  for (int32_t tube = 0; tube < tubes; tube++) {
    const int32_t number = child[tube];
    if (number <= 0 || tables->kind[number] != UNIFORM)
      continue;
    const int32_t temporary = *founded (tables, tables->top[number], tables->run[number]);
    if (count_of (state, tubes, temporary) > count_of (child, tubes, temporary))
      child[tube] = temporary;
    undecided |= child[tube] == number;
  }
  int32_t fewest = MANY;
  for (int32_t home = -1; home < (undecided ? tubes : 0); home++) {
    copy (child, kept, tubes);
    int32_t behind = place;
    if (home >= 0) {
      const int32_t number = child[home];
      if (number <= 0 || tables->kind[number] != UNIFORM || !is_in (tables->top[number], after))
        continue;
      kept[home] = -1 - tables->top[number];
      behind = go_home (plan, kept, behind);
    }
    if (behind < fewest && is_at (plan, kept, after)) {
      fewest = behind;
      if (behind <= most) {
        copy (kept, plan->numbers, tubes);
        break;
      }
    }
  }
  return fewest;
}

/* Tries all steps that may lead to `plan->state` up to one whose moves end at `most` or sooner, and makes it.

Arguments as for `step_by_homes`. Returns the place behind its moves. Where there is no such step, the least place that
is possible, MANY for none. */

static int32_t try_steps (struct plan *plan, uint64_t before, uint64_t after, int32_t place, int32_t most) {
  const struct bspsat_tables *tables = plan->tables;
  const int32_t *numbers = plan->numbers;
  int32_t *child = plan->after;
  const int32_t tubes = plan->tubes, colours = (int32_t) plan->tables->colours;
  const uint64_t opened = after & ~before;
  bool undecided = false;
  int32_t free = -1;
  for (int32_t tube = 0; tube < tubes; tube++) {
    const int32_t number = numbers[tube];
    if (number == 0 && free < 0)
      free = tube;
    undecided |= number > 0 && tables->kind[number] == UNIFORM;
  }
  int32_t fewest = MANY;
  // Step 0 decides on what is there; the next ones open the home of a colour each, those after clear a tube each.
  for (int32_t step = 0; step < 1 + colours + tubes; step++) {
    const bool decides = step == 0, opens = !decides && step <= colours;
    const int32_t source = step - 1 - colours;
    int32_t places = 0;
    if (undecided != decides)
      continue;
    if (opens && (free < 0 || !is_in (step - 1, opened) || !is_on_top (plan, step - 1)))
      continue;
    if (source >= 0) {
      if (!may_be_cleared (plan, source, opened))
        continue;
      places = share_out (plan, source, free);
      if (places == 0)
        continue;
    }
    do {
      copy (numbers, child, tubes);
      int32_t behind = place;
      if (opens) {
        child[free] = -step;
        behind = go_home (plan, child, behind);
      } else if (source >= 0) {
        behind = clear_tube (plan, child, source, places, behind);
        behind = go_home (plan, child, behind);
      }
      behind = decide (plan, after, behind, most);
      if (behind <= most)
        return behind;
      fewest = least (fewest, behind);
    } while (source >= 0 && share_otherwise (plan, places));
  }
  return fewest;
}

int32_t step_by_homes (struct plan *plan, uint64_t before, uint64_t after, int32_t place, int32_t most) {
  for (;;) {
    const int32_t fewest = try_steps (plan, before, after, place, most);
    if (fewest <= most)
      return fewest;
    if (fewest == MANY)
      return -1;
    most = fewest;
  }
}
