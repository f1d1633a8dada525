/* Many boards: one exact search after the other, see batches.h. Each takes the expansions that it takes alone: what a
search does never depends on the memory that it has. */

#include "batches/batches.h"

#include "memory.h"
#include "search/spaces.h"

enum { ANSWERS = 256, FIRST_MOVES = 1 << 13, LOADS = 4 };

struct bspsat_batch {
  struct bspsat_search *search; // NULL before the first board
  struct bspsat_board *board;   // in work, NULL for none
  const uint8_t *boards, *end;  // those that are left
  int64_t number;               // of them
  bool plans;
  int64_t most_expansions, most_bytes;
  uint8_t *moves;
  int64_t room, written;        // moves
  int64_t answered;
  struct bspsat_answer answers[ANSWERS];
};

struct bspsat_batch *bspsat_batch_new (void) { return take_zeros (sizeof (struct bspsat_batch)); }

void bspsat_batch_free (struct bspsat_batch *batch) {
  if (!batch)
    return;
  bspsat_search_free (batch->search);
  bspsat_board_free (batch->board);
  give_back_large (batch->moves, 2 * batch->room);
  give_back (batch);
}

int64_t bspsat_batch_begin (struct bspsat_batch *batch, const uint8_t *boards, int64_t bytes, int64_t number, int64_t plans,
                            int64_t most_expansions, int64_t most_bytes) {
  if (bytes < 0 || number < 0 || (number && !bytes))
    return BSPSAT_INVALID;
  bspsat_board_free (batch->board);
  batch->board = 0;
  batch->boards = boards, batch->end = number ? boards + bytes : boards, batch->number = number;
  batch->plans = plans;
  batch->most_expansions = most_expansions < 0 ? 0 : most_expansions, batch->most_bytes = most_bytes;
  return BSPSAT_FOUND;
}

/* The byte behind the next board; the end where it isn't well-formed. */
static const uint8_t *after_board (const struct bspsat_batch *batch) {
  const uint8_t *at = batch->boards;
  if (batch->end - at < LOADS || batch->end - at < LOADS + at[3])
    return batch->end;
  const uint8_t *behind = after_tubes (at + LOADS, at[3]);
  return behind <= batch->end ? behind : batch->end;
}

/* Makes the next board's search ready, and says how that ended. */
static int64_t begin (struct bspsat_batch *batch) {
  const int64_t made = bspsat_board_new (batch->boards, after_board (batch) - batch->boards, 0, &batch->board);
  if (made != BSPSAT_FOUND)
    return made;
  if (!batch->search)
    batch->search = bspsat_search_new (batch->board, 1, 1, 1);
  else if (!fit_search (batch->search, batch->board))
    return BSPSAT_MEMORY;
  if (!batch->search || !limit_room (batch->search, batch->most_bytes))
    return BSPSAT_MEMORY;
  return bspsat_search_start (batch->search, batch->board->numbers);
}

/* Writes the plan of the goal that was found; returns whether there was memory for it. */
static bool write_plan (struct bspsat_batch *batch) {
  const int64_t behind = batch->written + batch->search->facts.cost;
  if (behind >= batch->room) { // so there is an address for a plan without moves too
    int64_t room = batch->room ? batch->room : FIRST_MOVES;
    while (room <= behind)
      room *= 2;
    uint8_t *moves = resize_large (batch->moves, 2 * batch->room, 2 * room);
    if (!moves)
      return false;
    batch->moves = moves, batch->room = room;
  }
  if (bspsat_search_plan (batch->search, batch->moves + 2 * batch->written, batch->room - batch->written) < 0)
    return false;
  batch->written = behind;
  return true;
}

int64_t bspsat_batch_go_on (struct bspsat_batch *batch, int64_t budget, const struct bspsat_answer **answers,
                            int64_t *answered, const uint8_t **moves) {
  batch->answered = batch->written = 0;
  while (batch->number && batch->answered < ANSWERS && budget > 0) {
    int64_t status = batch->board ? BSPSAT_PAUSED : begin (batch);
    if (status == BSPSAT_FOUND || status == BSPSAT_PAUSED) {
      const int64_t spent = batch->search->facts.expansions, left = batch->most_expansions - spent;
      status = go_by_rank (batch->search, BSPSAT_NO_LIMIT, left < budget ? left : budget);
      budget -= batch->search->facts.expansions - spent;
      if (status == BSPSAT_PAUSED && batch->search->facts.expansions < batch->most_expansions)
        break;
    }
    budget--;
    if (status == BSPSAT_FOUND && batch->plans && !write_plan (batch))
      status = BSPSAT_MEMORY;
    const bool searched = batch->board && batch->search;
    batch->answers[batch->answered++] = (struct bspsat_answer){
        .status = (int32_t) status,
        .moves = status == BSPSAT_FOUND ? (int32_t) batch->search->facts.cost : 0,
        .expansions = searched ? (int32_t) batch->search->facts.expansions : 0,
        .end = (int32_t) batch->written,
    };
    batch->boards = after_board (batch);
    batch->number--;
    bspsat_board_free (batch->board);
    batch->board = 0;
  }
  *answers = batch->answers, *answered = batch->answered, *moves = batch->moves;
  return batch->number ? BSPSAT_PAUSED : BSPSAT_EXHAUSTED;
}
