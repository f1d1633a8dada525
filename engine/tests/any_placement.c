/* Boards on which balls go anywhere, whole classes of them: every position that can come up, with its distance from the goal
by breadth-first search under rules that are written here once more. No bound is too high or falls by more than one in a
move, the bound after a move is that of the position then, and searches find shortest plans. An unsound pruning once passed
508 random boards, and only a class showed it. `build/any_placement 1` does larger classes. */

#include "anywhere/space.h"

#include "test.h"

enum { MOST_BALLS = 64, FEW = 5, LOW = 9 };

/* `each` ball of a colour; the last tube's capacity, 0 where it is that of the others; the set of colours the first one doesn't
take. */
struct class { int32_t goal, colours, capacity, reserves, each, last, shut; };

static struct small { uint8_t load[FEW], balls[FEW][LOW]; } *positions;
static uint8_t *distances;
static int64_t known, table_size, *table;
static struct bspsat_tube rules[TUBES];
static struct bspsat_loose board;

static void measure (struct position *position, int tube) {
  int run = 0;
  while (run < position->load[tube] && position->balls[tube][run] == position->balls[tube][0])
    run++;
  position->run[tube] = (uint8_t) run;
}

static struct position position_at (int64_t number) {
  struct position position = {0};
  for (int32_t tube = 0; tube < board.tubes; tube++) {
    position.load[tube] = positions[number].load[tube];
    memcpy (position.balls[tube], positions[number].balls[tube], LOW);
    measure (&position, tube);
  }
  return position;
}

static uint64_t hash_position (const struct position *position) {
  uint64_t hash = 7;
  for (int32_t tube = 0; tube < board.tubes; tube++) {
    hash = (hash ^ position->load[tube]) * 1099511628211u;
    for (int32_t ball = 0; ball < position->load[tube]; ball++)
      hash = (hash ^ position->balls[tube][ball]) * 1099511628211u;
  }
  return hash ^ hash >> 31;
}

static bool are_equal (const struct small *one, const struct position *other) {
  for (int32_t tube = 0; tube < board.tubes; tube++)
    if (one->load[tube] != other->load[tube] ||
        memcmp (one->balls[tube], other->balls[tube], one->load[tube]))
      return false;
  return true;
}

/* The number of a position; a new one is entered where a distance is given. */
static int64_t number_of_position (const struct position *position, int distance) {
  int64_t slot = (int64_t) (hash_position (position) % (uint64_t) table_size);
  for (; table[slot] >= 0; slot = slot + 1 < table_size ? slot + 1 : 0)
    if (are_equal (&positions[table[slot]], position))
      return table[slot];
  if (distance < 0)
    return -1;
  CHECK (known < table_size / 2);
  for (int32_t tube = 0; tube < board.tubes; tube++) {
    positions[known].load[tube] = position->load[tube];
    memcpy (positions[known].balls[tube], position->balls[tube], LOW);
  }
  distances[known] = (uint8_t) distance;
  return table[slot] = known++;
}

/* Whether a tube takes the ball on top of another one. */
static bool is_taken (const struct position *position, int from, int to) {
  return position->load[from] && is_in (position->balls[from][position->load[from] - 1], rules[to].takes);
}

/* Moves a ball, into whatever tube has room: the move, or one that takes it back. */
static bool move_ball (struct position *position, int from, int to) {
  if (from == to || !position->load[from] || position->load[to] == rules[to].capacity)
    return false;
  int ball = position->balls[from][--position->load[from]];
  position->balls[to][position->load[to]++] = (uint8_t) ball;
  measure (position, from), measure (position, to);
  return true;
}

static bool is_at_goal_of (const struct class *class, const struct position *position) {
  int32_t full[FEW] = {0};
  for (int32_t tube = 0; tube < board.tubes; tube++) {
    const int32_t load = position->load[tube], bottom = position->balls[tube][0];
    bool is_uniform = load > 0;
    for (int32_t ball = 1; ball < load; ball++)
      is_uniform &= position->balls[tube][ball] == bottom;
    if (is_uniform && load == rules[tube].capacity)
      full[bottom]++;
    if (class->goal == BSPSAT_GOAL_WANTED || !load)
      continue;
    if (!is_uniform || (class->goal == BSPSAT_GOAL_FULL && load < rules[tube].capacity) ||
        (class->goal == BSPSAT_GOAL_GATHERED && load < class->each) || (class->goal == BSPSAT_GOAL_COLOURED && bottom != tube))
      return false;
  }
  for (int32_t colour = 0; colour < class->colours; colour++)
    if (class->goal == BSPSAT_GOAL_WANTED && full[colour] < board.wanted[colour])
      return false;
  return true;
}

/* All goals of a class, tube by tube. */
static void enter_goals (const struct class *class, struct position *position, int32_t tube, int32_t *left) {
  if (tube == board.tubes) {
    for (int32_t colour = 0; colour < class->colours; colour++)
      if (left[colour])
        return;
    if (is_at_goal_of (class, position))
      number_of_position (position, 0);
    return;
  }
  enter_goals (class, position, tube + 1, left);
  for (int32_t colour = 0; colour < class->colours && position->load[tube] < rules[tube].capacity; colour++) {
    if (!left[colour])
      continue;
    left[colour]--;
    position->balls[tube][position->load[tube]++] = (uint8_t) colour;
    measure (position, tube);
    enter_goals (class, position, tube, left);
    position->load[tube]--;
    measure (position, tube);
    left[colour]++;
  }
}

/* How many tubes may end with a colour: as many as its balls can fill, the smallest first. */
static int32_t homes_of_class (const struct class *class) {
  if (class->goal == BSPSAT_GOAL_MONOCHROME)
    return board.tubes;
  if (class->goal == BSPSAT_GOAL_GATHERED || class->goal == BSPSAT_GOAL_COLOURED)
    return 1;
  const bool is_less = class->last && class->last < class->capacity && class->last <= class->each;
  return is_less + (class->each - is_less * class->last) / class->capacity;
}

static struct bspsat_anywhere *search_from (const struct position *position, bool plain) {
  uint8_t loads[TUBES], balls[MOST_BALLS], *ball = balls;
  struct bspsat_anywhere *search;
  for (int32_t tube = 0; tube < board.tubes; tube++) {
    loads[tube] = position->load[tube];
    memcpy (ball, position->balls[tube], loads[tube]);
    ball += loads[tube];
  }
  board.loads = loads, board.balls = balls, board.plain = plain;
  CHECK (bspsat_anywhere_new (&board, &search) == BSPSAT_FOUND);
  return search;
}

static void check_plan (const struct position *start, const uint8_t *moves, int64_t length) {
  struct position position = *start;
  for (int64_t move = 0; move < length; move++)
    CHECK (is_taken (&position, moves[2 * move], moves[2 * move + 1]) &&
           move_ball (&position, moves[2 * move], moves[2 * move + 1]));
  int64_t number = number_of_position (&position, -1);
  CHECK (number >= 0 && !distances[number]);
}

static void try_searches (const struct position *position, int distance) {
  uint8_t moves[2 * 1000];
  for (int plain = 0; plain < 2; plain++) {
    struct bspsat_anywhere *search = search_from (position, plain);
    int64_t status = BSPSAT_PAUSED;
    const struct bspsat_facts *facts = bspsat_anywhere_facts (search);
    while (status == BSPSAT_PAUSED) {
      status = bspsat_anywhere_run (search, BSPSAT_NO_LIMIT, 1 + chance (5000), INT64_C (1) << 40);
      CHECK (facts->rank <= distance);
    }
    CHECK (status == BSPSAT_FOUND && facts->cost == distance);
    CHECK (bspsat_anywhere_plan (search, moves, 1000) == distance);
    check_plan (position, moves, distance);
    bspsat_anywhere_free (search);
    search = search_from (position, plain);
    for (status = BSPSAT_PAUSED; status == BSPSAT_PAUSED;)
      status = bspsat_anywhere_run (search, distance - 1, 1000, INT64_C (1) << 40);
    CHECK (status == BSPSAT_EXHAUSTED && (!distance || bspsat_anywhere_facts (search)->cut));
    bspsat_anywhere_free (search);
  }
}

/* Moves of whole runs, and from the bottom: their distances are tested from Python, here is what sanitizers see. */
static void try_other_moves (const struct position *position) {
  uint8_t moves[2 * 1000];
  for (int kind = 1; kind < 6; kind++) {
    board.pours = kind > 1, board.whole = kind > 3, board.drains = kind % 2;
    struct bspsat_anywhere *search = search_from (position, false);
    int64_t status = BSPSAT_PAUSED;
    while (status == BSPSAT_PAUSED)
      status = bspsat_anywhere_run (search, BSPSAT_NO_LIMIT, 1 + chance (5000), INT64_C (1) << 40);
    CHECK (status == BSPSAT_FOUND || status == BSPSAT_EXHAUSTED);
    CHECK (status != BSPSAT_FOUND || bspsat_anywhere_plan (search, moves, 1000) == bspsat_anywhere_facts (search)->cost);
    CHECK (bspsat_anywhere_sure (search, moves, 1000) == 0 && bspsat_anywhere_beam (search, 1, 9, 9) == BSPSAT_INVALID);
    bspsat_anywhere_free (search);
  }
  board.pours = board.whole = board.drains = 0;
}

static void try_class (const struct class *class, int64_t most, long searched) {
  table_size = 2 * most + 1;
  positions = malloc (sizeof *positions * (size_t) most);
  distances = malloc ((size_t) most);
  table = malloc (8 * (size_t) table_size);
  CHECK (positions && distances && table);
  memset (table, 255, 8 * (size_t) table_size);
  known = 0;
  memset (&board, 0, sizeof board);
  board.goal = class->goal, board.colours = class->colours, board.tubes = class->colours + class->reserves;
  board.rules = rules;
  for (int32_t tube = 0; tube < board.tubes; tube++) {
    const bool is_own = class->goal == BSPSAT_GOAL_COLOURED && tube < class->colours;
    rules[tube] = (struct bspsat_tube) {.takes = (1u << class->colours) - 1, .capacity = class->capacity, .gives = 1,
                                        .own = is_own ? tube : -1, .group = is_own ? tube : 100, .lock_colour = -1};
  }
  if (class->last)
    rules[board.tubes - 1].capacity = class->last, rules[board.tubes - 1].group = 101;
  if (class->shut)
    rules[0].takes &= ~(uint64_t) class->shut, rules[0].group = 102;
  int32_t left[FEW];
  for (int32_t colour = 0; colour < class->colours; colour++) {
    board.homes[colour] = homes_of_class (class), left[colour] = class->each;
    board.wanted[colour] = class->goal == BSPSAT_GOAL_WANTED;
  }
  struct position empty = {0};
  enter_goals (class, &empty, 0, left);
  CHECK (known);
  for (int64_t at = 0; at < known; at++) {
    const struct position position = position_at (at);
    for (int move = 0; move < board.tubes * board.tubes; move++) {
      struct position next = position; // a move from there leads here
      if (is_taken (&position, move / board.tubes, move / board.tubes) &&
          move_ball (&next, move / board.tubes, move % board.tubes))
        number_of_position (&next, distances[at] + 1);
    }
  }
  const struct position last = position_at (known - 1);
  for (int plain = 0; plain < 2; plain++) {
    struct bspsat_anywhere *search = search_from (&last, plain);
    struct bspsat_anywhere *other = search_from (&last, plain);
    for (int64_t at = 0; at < known; at++) {
      struct position position = position_at (at);
      const int32_t bound = bound_of (search, &position);
      CHECK (bound <= distances[at] && !bound == !distances[at]);
      for (int move = 0; move < board.tubes * board.tubes; move++) {
        struct position next = position;
        const int from = move / board.tubes, to = move % board.tubes;
        if (!is_taken (&position, from, to) || !move_ball (&next, from, to))
          continue;
        const int32_t after = bound_after (search, &position, bound, from, to);
        CHECK (after >= bound - 1 && (after <= bound + 1 || !is_taken (&position, from, from)));
        CHECK (bound_of (other, &next) == after);
      }
    }
    bspsat_anywhere_free (other);
    bspsat_anywhere_free (search);
  }
  for (long number = 0; number < searched; number++) {
    const int64_t at = chance (2) ? known - 1 - chance ((uint32_t) least (1000, (int32_t) known))
                                  : (int64_t) chance ((uint32_t) known);
    const struct position position = position_at (at);
    try_searches (&position, distances[at]);
    if (number % 4 == 0)
      try_other_moves (&position);
  }
  printf ("goal %d, %d colours, capacity %d, last %d, shut %d: %ld positions, up to %d moves\n", class->goal, class->colours,
          class->capacity, class->last, class->shut, (long) known, distances[known - 1]);
  free (positions), free (distances), free (table);
}

int main (int argc, char **argv) {
  static const struct class small[] = {
    {BSPSAT_GOAL_COLOURED, 2, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_COLOURED, 2, 3, 1, 3, 0, 0}, {BSPSAT_GOAL_COLOURED, 2, 4, 1, 4, 0, 0},
    {BSPSAT_GOAL_COLOURED, 2, 4, 1, 3, 0, 0}, {BSPSAT_GOAL_COLOURED, 3, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_COLOURED, 3, 2, 2, 2, 0, 0},
    {BSPSAT_GOAL_FULL, 2, 3, 1, 3, 0, 0}, {BSPSAT_GOAL_FULL, 3, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_GATHERED, 2, 3, 1, 2, 0, 0},
    {BSPSAT_GOAL_GATHERED, 3, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_GATHERED, 3, 3, 1, 2, 0, 0},
    {BSPSAT_GOAL_FULL, 2, 2, 3, 4, 0, 0}, {BSPSAT_GOAL_FULL, 2, 3, 1, 3, 2, 0}, {BSPSAT_GOAL_FULL, 2, 3, 2, 3, 5, 0},
    {BSPSAT_GOAL_COLOURED, 2, 3, 1, 3, 2, 0}, {BSPSAT_GOAL_COLOURED, 3, 2, 1, 2, 3, 0}, {BSPSAT_GOAL_GATHERED, 2, 3, 2, 3, 1, 0},
    {BSPSAT_GOAL_MONOCHROME, 2, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_MONOCHROME, 2, 3, 1, 3, 0, 0},
    {BSPSAT_GOAL_MONOCHROME, 2, 3, 2, 4, 2, 0},
    {BSPSAT_GOAL_MONOCHROME, 3, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_WANTED, 2, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_WANTED, 2, 3, 1, 3, 0, 0},
    {BSPSAT_GOAL_WANTED, 2, 3, 2, 4, 2, 0}, {BSPSAT_GOAL_WANTED, 3, 2, 1, 2, 0, 0},
    {BSPSAT_GOAL_FULL, 2, 2, 3, 4, 3, 0}, {BSPSAT_GOAL_FULL, 2, 2, 2, 4, 4, 1}, {BSPSAT_GOAL_FULL, 2, 3, 1, 3, 0, 1},
    {BSPSAT_GOAL_MONOCHROME, 2, 3, 1, 3, 0, 1}, {BSPSAT_GOAL_GATHERED, 2, 3, 1, 2, 0, 3}, {BSPSAT_GOAL_WANTED, 2, 3, 1, 3, 0, 1},
  };
  static const struct class large[] = {
    {BSPSAT_GOAL_MONOCHROME, 3, 3, 1, 3, 2, 0}, {BSPSAT_GOAL_WANTED, 3, 3, 1, 3, 2, 0},
    {BSPSAT_GOAL_COLOURED, 3, 3, 1, 3, 0, 0}, {BSPSAT_GOAL_COLOURED, 2, 7, 1, 7, 0, 0}, {BSPSAT_GOAL_COLOURED, 2, 9, 1, 9, 0, 0},
    {BSPSAT_GOAL_COLOURED, 3, 4, 1, 4, 0, 0}, {BSPSAT_GOAL_COLOURED, 4, 2, 1, 2, 0, 0}, {BSPSAT_GOAL_FULL, 3, 3, 1, 3, 0, 0},
  };
  const bool is_large = argc > 1 && atol (argv[1]) == 1;
  const int64_t classes = is_large ? (int64_t) (sizeof large / sizeof *large) : (int64_t) (sizeof small / sizeof *small);
  for (test_case = 0; test_case < classes; test_case++) {
    begin_case ((uint64_t) test_case);
    try_class (is_large ? &large[test_case] : &small[test_case], is_large ? 6000000 : 200000, is_large ? 200 : 40);
  }
  return 0;
}
