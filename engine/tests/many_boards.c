/* Batches of boards of all kinds, bytes that are no board among them, in turns of any length: each answer is that of a
search alone, and its plan solves the board. `build/many_boards NUMBER FIRST` runs that many batches from a first one on. */

#include "game.h"

enum { MOST_BOARDS = 12, MOST_EXPANSIONS = 300 };

struct asked {
  struct game game;
  uint8_t packed[MOST_PACKED];
  int64_t bytes;
  bool is_board;
};

static void ask (struct asked *asked) {
  deal (&asked->game);
  asked->bytes = pack (&asked->game, false, asked->packed);
  asked->is_board = chance (8) > 0;
  if (!asked->is_board)
    asked->packed[1] = 0; // balls a tube
}

/* The answer of a search alone. */
static struct bspsat_answer answer_alone (const struct asked *asked) {
  struct bspsat_board *board;
  if (bspsat_board_new (asked->packed, asked->bytes, 0, &board) != BSPSAT_FOUND)
    return (struct bspsat_answer) {.status = BSPSAT_INVALID};
  int32_t numbers[MOST_GAME_TUBES];
  CHECK (bspsat_board_numbers (board, asked->packed + 4, asked->game.tubes, numbers) == BSPSAT_FOUND);
  struct bspsat_search *search = bspsat_search_new (board, 1, 1, 1);
  CHECK (search && bspsat_search_start (search, numbers) == BSPSAT_FOUND);
  const struct bspsat_facts *facts = bspsat_search_facts (search);
  int64_t status = BSPSAT_PAUSED;
  while (status == BSPSAT_PAUSED && facts->expansions < MOST_EXPANSIONS)
    status = bspsat_search_run (search, BSPSAT_NO_LIMIT, MOST_EXPANSIONS - facts->expansions, INT64_C (1) << 40);
  struct bspsat_answer answer = {(int32_t) status, status == BSPSAT_FOUND ? (int32_t) facts->cost : 0,
                                 (int32_t) facts->expansions, 0};
  bspsat_search_free (search);
  bspsat_board_free (board);
  return answer;
}

static void compare (const struct asked *asked, const struct bspsat_answer *answer, const uint8_t *moves, int64_t begin) {
  struct bspsat_answer alone = answer_alone (asked);
  CHECK (answer->status == alone.status && answer->moves == alone.moves);
  CHECK (answer->expansions == alone.expansions || answer->status == BSPSAT_INVALID);
  CHECK ((answer->status == BSPSAT_INVALID) == !asked->is_board);
  CHECK (answer->end - begin == answer->moves);
  struct game game = asked->game;
  for (int64_t move = begin; move < answer->end; move++)
    CHECK (play (&game, moves[2 * move], moves[2 * move + 1]));
  CHECK (answer->status != BSPSAT_FOUND || is_solved (&game));
}

static struct bspsat_batch *batch;

static void try_batch (void) {
  static struct asked asked[MOST_BOARDS];
  int number = chance_in (0, MOST_BOARDS), answered = 0;
  int64_t bytes = 0, status = BSPSAT_PAUSED;
  for (int at = 0; at < number; at++) {
    ask (&asked[at]);
    bytes += asked[at].bytes;
  }
  uint8_t *boards = malloc ((size_t) bytes); // of their size, so that ASan sees the end
  for (int64_t at = 0, to = 0; at < number; to += asked[at++].bytes)
    memcpy (boards + to, asked[at].packed, (size_t) asked[at].bytes);
  bspsat_batch_begin (batch, boards, bytes, number, 1, MOST_EXPANSIONS, INT64_C (1) << 40);
  while (status == BSPSAT_PAUSED) {
    const struct bspsat_answer *answers;
    const uint8_t *moves;
    int64_t now, begin = 0;
    status = bspsat_batch_go_on (batch, chance_in (1, 200), &answers, &now, &moves);
    for (int64_t at = 0; at < now; begin = answers[at++].end)
      compare (&asked[answered++], &answers[at], moves, begin);
  }
  CHECK (status == BSPSAT_EXHAUSTED && answered == number);
  free (boards);
}

int main (int argc, char **argv) {
  batch = bspsat_batch_new ();
  const int ended = try_cases (argc, argv, 2000, try_batch);
  bspsat_batch_free (batch);
  return ended;
}
