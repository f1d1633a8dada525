/* States in words: every position comes back as it was packed, whatever the board's size; and states are told apart where
all have the same hash. */

#include "search/store.h"

#include "test.h"

/* Positions of a made-up board, the largest ones too. */
static void try_packing (void) {
  static const int32_t most[] = {1, 2, 17, 300, 5000, 600000};
  struct bspsat_board board = {.tubes = chance_in (1, MOST_TUBES)};
  board.tables.numbers = chance (2) ? most[chance (6)] : chance_in (1, 5000);
  struct packing packing = packing_of (&board);
  CHECK (packing.words <= MOST_WORDS);
  int32_t numbers[MOST_TUBES], again[MOST_TUBES];
  for (int32_t tube = 0; tube < board.tubes; tube++)
    numbers[tube] = chance (3) ? (int32_t) chance ((uint32_t) board.tables.numbers)
                               : (int32_t) board.tables.numbers - 1;
  sort (numbers, board.tubes);
  uint64_t *key = malloc (8 * (size_t) packing.words); // so that a word too far is noticed
  CHECK (key);
  pack (&packing, numbers, key);
  unpack (&packing, key, again);
  CHECK (!memcmp (numbers, again, sizeof *numbers * (size_t) board.tubes));
  free (key);
}

/* A search's states, in a table in which all begin at one place with one tag. */
static void try_one_hash (void) {
  static const uint8_t packed[] = {0, 4, 4, 6, 4, 4, 4, 4, 0, 0, 0, 1, 2, 3, 3, 2, 1, 0,
                                   1, 3, 2, 0, 2, 0, 3, 1};
  struct bspsat_board *board;
  int32_t numbers[6];
  CHECK (bspsat_board_new (packed, sizeof packed, 0, &board) == BSPSAT_FOUND);
  CHECK (bspsat_board_numbers (board, packed + 4, 6, numbers) == BSPSAT_FOUND);
  struct bspsat_search *search = bspsat_search_new (board, 1, 0, 0); // breadth first
  CHECK (search && bspsat_search_start (search, numbers) == BSPSAT_FOUND);
  while (search->states <= 100)
    CHECK (bspsat_search_run (search, BSPSAT_NO_LIMIT, 100, 1 << 24) == BSPSAT_PAUSED);
  memset (search->table, 0xff, 4 * (size_t) search->places);
  uint64_t key[MOST_WORDS];
  for (int round = 0; round < 2; round++)
    for (int32_t state = 0; state < search->states; state++) {
      memcpy (key, key_at (record_at (search, state)), 8 * (size_t) search->packing.words);
      uint32_t *slot = slot_of (search, key, 0, (uint32_t) search->places - 1);
      CHECK (*slot == (round ? (uint32_t) state : EMPTY));
      *slot = (uint32_t) state;
    }
  bspsat_search_free (search);
  bspsat_board_free (board);
}

int main (int argc, char **argv) {
  try_one_hash ();
  return try_cases (argc, argv, 100000, try_packing);
}
