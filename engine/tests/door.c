/* The door of the engine in the wrong order, see door.h; threads help too, and a plan is there after BSPSAT_FOUND and never
else. */

#include "door.h"
#include "game.h"

#include <pthread.h>

enum { MOST_PLAN = 30, HELPERS = 2 };

static int64_t draw_bytes (void) { return draw (2) ? INT64_C (1) << 24 : draw_number (1 << 16); }

/*------------------------------------------------------------------------*/
/* What is open. */

static struct { struct bspsat_board *made; int64_t tubes; uint8_t *packed; } boards[EACH];
static struct { struct bspsat_search *made; int board; bool has_plan; int64_t calls; } searches[EACH];
static struct { struct bspsat_beam *made; int board; bool has_plan; } beams[EACH];
static struct { struct bspsat_graph *made; int board; } graphs[EACH];
static struct { struct bspsat_walk *made; int graph; } walks[EACH];
static struct { struct bspsat_anywhere *made; int64_t tubes, tallest; bool has_plan, has_beam_plan; } loose[EACH];
static struct { struct bspsat_batch *made; uint8_t *bytes; } batches[EACH];

static void free_walk (int at) {
  bspsat_walk_free (walks[at].made);
  walks[at].made = NULL;
}

static void free_graph (int at) {
  for (int walk = 0; walk < EACH; walk++)
    if (walks[walk].graph == at)
      free_walk (walk);
  bspsat_graph_free (graphs[at].made);
  graphs[at].made = NULL;
}

static void free_search (int at) {
  bspsat_search_free (searches[at].made);
  searches[at].made = NULL;
}

static void free_beam (int at) {
  bspsat_beam_free (beams[at].made);
  beams[at].made = NULL;
}

static void free_board (int at) {
  for (int other = 0; other < EACH; other++) {
    if (searches[other].board == at)
      free_search (other);
    if (beams[other].board == at)
      free_beam (other);
    if (graphs[other].board == at)
      free_graph (other);
  }
  bspsat_board_free (boards[at].made);
  free (boards[at].packed);
  boards[at].made = NULL, boards[at].packed = NULL;
}

static void free_others (int at) {
  bspsat_anywhere_free (loose[at].made), loose[at].made = NULL;
  bspsat_batch_free (batches[at].made), free (batches[at].bytes), batches[at].made = NULL, batches[at].bytes = NULL;
}

static void free_all (int at) { free_board (at), free_beam (at), free_others (at); }

/*------------------------------------------------------------------------*/
/* Boards. */

static int64_t draw_packed (uint8_t *packed) {
  struct game game;
  begin_case (draw (1 << 16));
  do
    deal (&game);
  while (game.tubes > 9);
  int64_t bytes = pack (&game, draw (2), packed);
  if (draw (6) == 0)
    packed[draw (2) ? draw (4) : draw ((uint32_t) bytes)] = (uint8_t) draw (256);
  return draw (8) ? bytes : draw ((uint32_t) bytes);
}

static void call_board_new (void) {
  uint8_t packed[MOST_PACKED];
  free_board (handle);
  const int64_t bytes = draw_packed (packed);
  boards[handle].packed = room_for (bytes, 1);
  memcpy (boards[handle].packed, packed, (size_t) bytes);
  boards[handle].tubes = packed[3];
  const int64_t further = draw (8) ? 0 : draw_odd ();
  if (bspsat_board_new (boards[handle].packed, bytes, further, &boards[handle].made) != BSPSAT_FOUND)
    boards[handle].made = NULL;
}

/* Numbers of a table: mostly in their range. */
static int32_t *draw_table (int64_t length, int32_t from, int64_t to) {
  int32_t *table = room_for (length, sizeof *table);
  for (int64_t at = 0; at < length; at++)
    table[at] = draw (4000) ? from + (int32_t) draw ((uint32_t) (to - from + 1)) : (int32_t) draw_odd ();
  return table;
}

static void call_board_of_tables (void) {
  free_board (handle);
  const int64_t numbers = 1 + draw (8), colours = draw (4), capacity = 1 + draw (4), groups = 1 + draw (2), tubes = 1 + draw (5);
  const int64_t all[] = {groups * colours * (capacity + 1), colours * (capacity + 1)};
  const bool has_needs = draw (3) == 0;
  struct bspsat_tables tables = {
      .numbers = numbers, .colours = colours, .capacity = capacity, .groups = groups,
      .top = draw_table (numbers, -1, colours - 1), .run = draw_table (numbers, 0, capacity),
      .room = draw_table (numbers, 0, capacity), .bottom = draw_table (numbers, -1, colours - 1),
      .work = draw_table (numbers, 0, capacity), .keep = draw_table (numbers, 0, capacity),
      .kind = draw_table (numbers, 0, 3), .less = draw_table (numbers, 0, numbers - 1),
      .more = draw_table (numbers, 0, numbers - 1), .done = draw_table (numbers, 0, 1),
      .alone = draw_table (numbers, 0, 1), .founded = draw_table (all[0], 0, numbers - 1),
      .homes = draw_table (colours, 0, tubes), .counts = draw_table (colours, 0, 9), .gives = draw_table (numbers, 0, 1),
      .takes = room_for (numbers, sizeof *tables.takes), .group = draw_table (numbers, 0, groups - 1),
      .opens = draw_table (numbers, -1, numbers - 1), .lock_colour = draw_table (numbers, -1, colours - 1),
      .lock_tubes = draw_table (numbers, 0, 2), .complete = draw_table (numbers, 0, capacity),
      .needs = has_needs ? draw_table (numbers, 0, capacity + 1) : NULL,
      .afresh = has_needs ? draw_table (numbers, 0, capacity + 1) : NULL,
      .fills = has_needs ? draw_table (all[1], 0, tubes) : NULL};
  const bool is_mended = draw (4);
  for (int64_t number = 0; number < numbers; number++) {
    tables.takes[number] = draw (16);
    if (!is_mended)
      continue;
    if (tables.top[number] < 0)
      tables.gives[number] = tables.complete[number] = 0;
    if (tables.bottom[number] < 0 || tables.keep[number] > tables.work[number])
      tables.keep[number] = 0;
    if (tables.lock_colour[number] < 0)
      tables.lock_tubes[number] = 1;
  }
  boards[handle].tubes = tubes;
  if (bspsat_board_of_tables (&tables, draw (16) ? tubes : draw_odd (), draw (2), draw (2), &boards[handle].made) != BSPSAT_FOUND)
    boards[handle].made = NULL;
  int32_t *const made[] = {tables.top, tables.run, tables.room, tables.bottom, tables.work, tables.keep, tables.kind,
                           tables.less, tables.more, tables.done, tables.alone, tables.founded, tables.homes, tables.counts,
                           tables.gives, tables.group, tables.opens, tables.lock_colour, tables.lock_tubes, tables.complete,
                           tables.needs, tables.afresh, tables.fills};
  for (size_t at = 0; at < sizeof made / sizeof *made; at++)
    free (made[at]);
  free (tables.takes);
}

/* Numbers of a board's tubes: those that it has, or any. */
static int32_t *draw_position (int board, bool is_sorted) {
  const int64_t tubes = boards[board].tubes, most = bspsat_board_tables (boards[board].made)->numbers;
  int32_t *numbers = room_for (tubes, sizeof *numbers);
  const bool any = !boards[board].packed || draw (4) == 0;
  if (any || bspsat_board_numbers (boards[board].made, boards[board].packed + 4, tubes, numbers) != BSPSAT_FOUND)
    for (int64_t tube = 0; tube < tubes; tube++)
      numbers[tube] = draw (40) ? (int32_t) draw ((uint32_t) most) : (int32_t) draw_odd ();
  if (is_sorted)
    sort_numbers (numbers, tubes);
  return numbers;
}

/*------------------------------------------------------------------------*/
/* Searches and beams of a board. */

/* Of tables without sense a plan may be none. */
static void check_plan (int64_t length, bool has_plan, bool has_sense) {
  if (has_sense || !has_plan)
    CHECK (has_plan ? length >= 0 || length == BSPSAT_MEMORY : length == BSPSAT_INVALID);
}

static bool has_sense (int board) { return board < 0 || boards[board].packed; }

static void call_search_new (void) {
  const int board = (int) draw (EACH);
  if (!boards[board].made)
    return;
  free_search (handle);
  const int64_t weight = draw (4) ? 1 : draw_number (20);
  searches[handle].made = bspsat_search_new (boards[board].made, weight, draw (4) ? 1 : draw_number (20), draw (2));
  searches[handle].board = board, searches[handle].has_plan = false;
}

static void call_search_start (void) {
  if (!searches[handle].made)
    return;
  int32_t *numbers = draw_position (searches[handle].board, false);
  if (bspsat_search_start (searches[handle].made, numbers) != BSPSAT_INVALID)
    searches[handle].has_plan = false;
  free (numbers);
}

static void *help (void *search) {
  bspsat_search_help (search, searches[handle].calls + 1);
  return NULL;
}

static void call_search_run (void) {
  struct bspsat_search *search = searches[handle].made;
  if (!search)
    return;
  pthread_t threads[HELPERS];
  const int helpers = draw (4) ? 0 : HELPERS;
  const int64_t limit = draw (2) ? BSPSAT_NO_LIMIT : draw_number (30), steps = draw_steps (), bytes = draw_bytes ();
  if (helpers && memory_refused_after > 0) // which threads would count down at once
    memory_refused_after = 0;
  for (int at = 0; at < helpers; at++)
    CHECK (pthread_create (&threads[at], NULL, help, search) == 0);
  const int64_t status = bspsat_search_run (search, limit, steps, bytes);
  for (int at = 0; at < helpers; at++)
    CHECK (pthread_join (threads[at], NULL) == 0);
  searches[handle].calls++;
  CHECK (status == BSPSAT_INVALID || status == BSPSAT_MEMORY || status >= BSPSAT_FOUND);
  if (status != BSPSAT_INVALID)
    searches[handle].has_plan = status == BSPSAT_FOUND;
}

static void call_search_plan (void) {
  uint8_t moves[2 * MOST_PLAN];
  if (searches[handle].made)
    check_plan (bspsat_search_plan (searches[handle].made, moves, draw (MOST_PLAN + 1)), searches[handle].has_plan, has_sense (searches[handle].board));
}

static void call_search_deepen (void) {
  if (searches[handle].made)
    bspsat_search_deepen (searches[handle].made);
}

static void call_search_again (void) {
  if (searches[handle].made && bspsat_search_again (searches[handle].made) == BSPSAT_FOUND)
    searches[handle].has_plan = false;
}

static void call_search_spread (void) {
  if (searches[handle].made && bspsat_search_spread (searches[handle].made) == BSPSAT_FOUND)
    searches[handle].calls = 0;
}

static void call_search_help (void) {
  if (searches[handle].made)
    bspsat_search_help (searches[handle].made, draw (2) ? 0 : searches[handle].calls + 2 + draw (9));
}

static void call_search_states (void) {
  if (!searches[handle].made)
    return;
  const int64_t states = bspsat_search_facts (searches[handle].made)->states;
  int32_t *rows = room_for (states * (boards[searches[handle].board].tubes + 1), sizeof *rows);
  CHECK (bspsat_search_states (searches[handle].made, draw_number (30), rows) <= states);
  free (rows);
}

static void call_beam_new (void) {
  const int board = (int) draw (EACH);
  free_beam (handle);
  beams[handle].board = -1, beams[handle].has_plan = false;
  if (draw (3) && boards[board].made) {
    int32_t *numbers = draw_position (board, false);
    beams[handle].made = bspsat_beam_new (boards[board].made, numbers);
    beams[handle].board = board;
    free (numbers);
    return;
  }
  const int64_t columns = 1 + draw (4), rows = 1 + draw (4);
  uint8_t *cells = room_for (columns * rows, 1);
  for (int64_t cell = 0; cell < columns * rows; cell++)
    cells[cell] = (uint8_t) (draw (16) ? 1 + draw (3) : draw (256));
  beams[handle].made = bspsat_beam_of_tiles (cells, draw (8) ? columns : -1, draw (8) ? rows : draw_odd () | INT64_MIN);
  free (cells);
}

static void call_beam_run (void) {
  if (!beams[handle].made)
    return;
  const int64_t limit = draw (2) ? BSPSAT_NO_LIMIT : draw_number (30), steps = draw_steps ();
  beams[handle].has_plan = bspsat_beam_run (beams[handle].made, limit, steps, draw_bytes ()) == BSPSAT_FOUND;
}

static void call_beam_plan (void) {
  uint8_t moves[2 * MOST_PLAN];
  if (beams[handle].made)
    check_plan (bspsat_beam_plan (beams[handle].made, moves, draw (MOST_PLAN + 1)), beams[handle].has_plan, has_sense (beams[handle].board));
}

/*------------------------------------------------------------------------*/
/* Balls that go anywhere. */

static void call_anywhere_new (void) {
  struct bspsat_tube rules[6];
  uint8_t loads[6], balls[6 * 4];
  bspsat_anywhere_free (loose[handle].made);
  loose[handle].made = NULL, loose[handle].has_plan = loose[handle].has_beam_plan = false;
  const int32_t tubes = 1 + (int32_t) draw (6), colours = (int32_t) draw (4), number = 1 + (int32_t) draw (3);
  const bool has_rules = draw (2);
  const uint64_t all = draw (8) ? (UINT64_C (1) << colours) - 1 : draw (16);
  struct bspsat_loose board = {.goal = (int32_t) draw (5), .colours = colours, .tubes = tubes, .corks = draw (4) == 0,
                               .pours = draw (3) == 0, .whole = (int32_t) draw (2), .drains = draw (4) == 0,
                               .plain = (int32_t) draw (2), .rules = rules, .loads = loads, .balls = balls};
  int32_t behind = 0;
  loose[handle].tubes = tubes, loose[handle].tallest = 1;
  for (int32_t tube = 0; tube < tubes; tube++) {
    rules[tube] = (struct bspsat_tube) {.takes = all, .capacity = number + 1, .own = -1, .gives = 1, .lock_colour = -1};
    if (has_rules)
      rules[tube] = (struct bspsat_tube) {
          .takes = draw (3) ? all : draw (16), .capacity = 1 + (int32_t) draw (4), .group = (int32_t) draw (30),
          .own = (int32_t) draw ((uint32_t) colours + 1) - 1, .gives = draw (5) > 0, .matches = draw (5) == 0,
          .lock_colour = draw (6) ? -1 : (int32_t) draw ((uint32_t) colours + 1) - 1, .lock_tubes = draw (6) == 0};
    else if (board.goal == BSPSAT_GOAL_COLOURED)
      rules[tube].own = tube < colours ? tube : -1, rules[tube].group = tube;
    loads[tube] = colours ? (uint8_t) draw ((uint32_t) rules[tube].capacity + (draw (60) == 0) + 1) : 0;
    for (int32_t ball = 0; ball < loads[tube] && behind < 24; ball++)
      balls[behind++] = (uint8_t) draw ((uint32_t) colours + (draw (60) == 0));
    if (rules[tube].capacity > loose[handle].tallest)
      loose[handle].tallest = rules[tube].capacity;
  }
  for (int32_t colour = 0; colour < BSPSAT_MOST_COLOURS; colour++) {
    board.wanted[colour] = draw (9) ? colour < colours : (int32_t) draw_odd ();
    board.homes[colour] = draw (9) ? 1 : (int32_t) draw_odd ();
    if (colour >= colours)
      colour = BSPSAT_MOST_COLOURS;
  }
  if (behind == 24 || bspsat_anywhere_new (&board, &loose[handle].made) != BSPSAT_FOUND)
    loose[handle].made = NULL;
}

static void call_anywhere_run (void) {
  if (!loose[handle].made)
    return;
  const int64_t limit = draw (2) ? BSPSAT_NO_LIMIT : draw_number (30), steps = draw_steps ();
  loose[handle].has_plan |= bspsat_anywhere_run (loose[handle].made, limit, steps, draw_bytes ()) == BSPSAT_FOUND;
}

static void call_anywhere_plan (void) {
  uint8_t moves[2 * MOST_PLAN];
  if (!loose[handle].made)
    return;
  const int64_t length = bspsat_anywhere_plan (loose[handle].made, moves, draw (MOST_PLAN + 1));
  CHECK (length >= (loose[handle].has_plan ? BSPSAT_MEMORY : BSPSAT_INVALID)); // a goal may be stored before it is known for one
}

static void call_anywhere_states (void) {
  if (!loose[handle].made)
    return;
  const int64_t limit = draw_number (30), number = bspsat_anywhere_states (loose[handle].made, limit, NULL, NULL);
  uint8_t *rows = room_for (number * (4 + loose[handle].tubes * (1 + loose[handle].tallest)), 1);
  uint8_t *locked = room_for (number * loose[handle].tubes, 1);
  CHECK (bspsat_anywhere_states (loose[handle].made, limit, rows, locked) == number);
  free (rows), free (locked);
}

static void call_anywhere_sure (void) {
  uint8_t moves[2 * MOST_PLAN];
  if (loose[handle].made)
    CHECK (bspsat_anywhere_sure (loose[handle].made, moves, draw (MOST_PLAN + 1)) >= 0);
}

static void call_anywhere_beam (void) {
  if (!loose[handle].made)
    return;
  const int64_t limit = draw_number (40), steps = draw (4) ? 1 + draw (1 << 15) : draw_odd () | INT64_MIN;
  bspsat_anywhere_beam (loose[handle].made, draw_number (9), limit, steps);
  loose[handle].has_beam_plan = false;
}

static void call_anywhere_beam_run (void) {
  if (!loose[handle].made)
    return;
  const int64_t status = bspsat_anywhere_beam_run (loose[handle].made, draw_steps ());
  CHECK (!loose[handle].has_beam_plan || status == BSPSAT_INVALID);
  loose[handle].has_beam_plan |= status == BSPSAT_FOUND;
}

static void call_anywhere_beam_plan (void) {
  uint8_t moves[2 * MOST_PLAN];
  if (loose[handle].made)
    check_plan (bspsat_anywhere_beam_plan (loose[handle].made, moves, draw (MOST_PLAN + 1)), loose[handle].has_beam_plan, true);
}

/*------------------------------------------------------------------------*/
/* Many boards. */

static void call_batch_begin (void) {
  uint8_t packed[MOST_PACKED];
  if (!batches[handle].made)
    batches[handle].made = bspsat_batch_new ();
  if (!batches[handle].made)
    return;
  int64_t bytes = 0;
  uint8_t *all = room_for (4 * (int64_t) sizeof packed, 1);
  for (uint32_t left = draw (4); left; left--) {
    const int64_t more = draw_packed (packed);
    memcpy (all + bytes, packed, (size_t) more);
    bytes += more;
  }
  uint8_t *kept = bytes ? room_for (bytes, 1) : NULL;
  if (bytes)
    memcpy (kept, all, (size_t) bytes);
  free (all);
  const int64_t number = draw_number (5), given_bytes = draw (8) ? bytes : -1;
  if (bspsat_batch_begin (batches[handle].made, kept, given_bytes, number < 9 ? number : 9, draw (2), draw_number (500), draw_bytes ()) ==
      BSPSAT_FOUND) {
    free (batches[handle].bytes);
    batches[handle].bytes = kept;
  } else
    free (kept);
}

static void call_batch_go_on (void) {
  const struct bspsat_answer *answers;
  const uint8_t *moves;
  int64_t answered;
  if (!batches[handle].made)
    return;
  bspsat_batch_go_on (batches[handle].made, draw_steps (), &answers, &answered, &moves);
  int64_t sum = 0;
  for (int32_t move = 0; answered && move < 2 * answers[answered - 1].end; move++)
    sum += moves[move];
  CHECK (sum >= 0);
}

/*------------------------------------------------------------------------*/
/* Graphs. */

static void call_graph_new (void) {
  const int board = (int) draw (EACH);
  if (!boards[board].made)
    return;
  free_graph (handle);
  graphs[handle].made = bspsat_graph_new (boards[board].made);
  graphs[handle].board = board;
}

static void call_graph (void) {
  struct bspsat_graph *graph = graphs[handle].made;
  if (!graph)
    return;
  const int64_t tubes = boards[graphs[handle].board].tubes;
  int32_t *numbers = draw_position (graphs[handle].board, draw (8));
  uint64_t chance_of_players = draw (1 << 16);
  const int32_t *next;
  int64_t sum = 0;
  const int64_t listed = bspsat_graph_next (graph, numbers, &next);
  for (int64_t at = 0; at < listed * tubes; at++)
    sum += next[at];
  CHECK (sum >= 0);
  bspsat_graph_play (graph, numbers, &chance_of_players, (int64_t) draw (4) - 1, (int64_t) draw (20) - 1, draw (2));
  int32_t *positions = room_for (3 * tubes, sizeof *positions);
  bspsat_graph_wander (graph, numbers, &chance_of_players, (int64_t) draw (5) - 1, (int64_t) draw (20) - 1, positions);
  free (positions);
  free (numbers);
}

static void call_walk_new (void) {
  const int graph = (int) draw (EACH);
  if (!graphs[graph].made)
    return;
  free_walk (handle);
  int32_t *numbers = draw_position (graphs[graph].board, draw (8));
  const int64_t limit = draw (2) ? BSPSAT_NO_LIMIT : draw_number (12);
  walks[handle].made = bspsat_walk_new (graphs[graph].made, numbers, limit, draw_number (5000), draw (2));
  walks[handle].graph = graph;
  free (numbers);
}

static void call_walk_on (void) {
  if (walks[handle].made)
    bspsat_walk_on (walks[handle].made, draw_steps ());
}

static void call_walk_measure (void) {
  if (walks[handle].made)
    bspsat_walk_measure (walks[handle].made, draw_steps ());
}

static void call_walk_count (void) {
  if (walks[handle].made)
    bspsat_walk_count (walks[handle].made, draw_number (9), draw_steps ());
}

static void call_walk_positions (void) {
  struct bspsat_walked walked;
  if (!walks[handle].made)
    return;
  bspsat_walk_positions (walks[handle].made, &walked);
  const int64_t tubes = boards[graphs[walks[handle].graph].board].tubes, place = draw_number (100);
  int32_t *numbers = room_for (tubes, sizeof *numbers);
  if (bspsat_walk_position (walks[handle].made, place, numbers) == BSPSAT_FOUND)
    CHECK (place >= 0 && place < walked.positions && bspsat_walk_place (walks[handle].made, numbers) == place);
  else
    CHECK (place < 0 || place >= walked.positions);
  free (numbers);
  numbers = draw_position (graphs[walks[handle].graph].board, draw (2));
  CHECK (bspsat_walk_place (walks[handle].made, numbers) < walked.positions);
  free (numbers);
}

/*------------------------------------------------------------------------*/

static void call_free (void) {
  if (draw (4) == 0)
    free_board (handle);
  else if (draw (4) == 0)
    free_others (handle);
  else if (draw (2))
    free_search (handle);
  else
    free_graph (handle);
}

static void (*const CALLS_OF_DOOR[]) (void) = {
    call_board_new, call_board_of_tables, call_search_new, call_search_start, call_search_run, call_search_run,
    call_search_plan, call_search_deepen, call_search_again, call_search_spread, call_search_help, call_search_states,
    call_beam_new, call_beam_run, call_beam_plan, call_anywhere_new, call_anywhere_run, call_anywhere_plan,
    call_anywhere_states, call_anywhere_sure, call_anywhere_beam, call_anywhere_beam_run, call_anywhere_beam_plan,
    call_batch_begin, call_batch_go_on, call_graph_new, call_graph, call_walk_new, call_walk_on, call_walk_measure,
    call_walk_count, call_walk_positions, call_free};

static const struct part PART = {CALLS_OF_DOOR, NUMBER_OF (CALLS_OF_DOOR), free_all};
