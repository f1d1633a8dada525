/* The rules of ball sort and water sort a second time, as plainly as they can be written: boards are dealt, moves played,
and shortest plans of small boards found by breadth-first search. */

#ifndef GAME_H
#define GAME_H

#include "test.h"

enum { MOST_GAME_TUBES = 14, MOST_GAME_CAPACITY = 5, MOST_STATES = 4096, LOST = -1, TOO_LARGE = -2 };
enum { MOST_PACKED = 4 + MOST_GAME_TUBES * (1 + MOST_GAME_CAPACITY) };

struct game {
  int tubes, capacity, colours;
  bool is_water, is_monochrome;
  uint8_t loads[MOST_GAME_TUBES];
  uint8_t balls[MOST_GAME_TUBES][MOST_GAME_CAPACITY]; // from the bottom
};

static inline void deal (struct game *game) {
  *game = (struct game) {.colours = chance_in (1, 5), .capacity = chance_in (1, MOST_GAME_CAPACITY)};
  game->is_water = chance (2);
  game->is_monochrome = chance (4) == 0;
  int homes = chance (4) ? 1 : 2;
  int each = game->is_monochrome ? chance_in (1, homes * game->capacity) : homes * game->capacity;
  game->tubes = game->colours * homes + chance_in (0, 3);
  int left = game->colours * each;
  uint8_t dealt[10 * MOST_GAME_CAPACITY];
  for (int ball = 0; ball < left; ball++)
    dealt[ball] = (uint8_t) (ball / each);
  while (left) {
    int ball = chance_in (0, left - 1), tube = chance_in (0, game->tubes - 1);
    if (game->loads[tube] == game->capacity)
      continue;
    game->balls[tube][game->loads[tube]++] = dealt[ball];
    dealt[ball] = dealt[--left];
  }
}

static inline bool is_solved (const struct game *game) {
  for (int tube = 0; tube < game->tubes; tube++) {
    int load = game->loads[tube];
    if (load && load < game->capacity && !game->is_monochrome)
      return false;
    for (int ball = 1; ball < load; ball++)
      if (game->balls[tube][ball] != game->balls[tube][0])
        return false;
  }
  return true;
}

/* Plays a move; false where it isn't allowed. */
static inline bool play (struct game *game, int from, int to) {
  if (from < 0 || to < 0 || from >= game->tubes || to >= game->tubes || from == to)
    return false;
  uint8_t *source = game->balls[from], *target = game->balls[to];
  uint8_t *left = &game->loads[from], *load = &game->loads[to];
  if (!*left || *load == game->capacity || (*load && target[*load - 1] != source[*left - 1]))
    return false;
  do
    target[(*load)++] = source[--*left];
  while (game->is_water && *left && *load < game->capacity && source[*left - 1] == target[*load - 1]);
  return true;
}

/* Plays all of a plan, and checks that it solves the board. */
static inline void check_solved_by (const struct game *start, const uint8_t *moves, int64_t length) {
  struct game game = *start;
  for (int64_t move = 0; move < length; move++)
    CHECK (play (&game, moves[2 * move], moves[2 * move + 1]));
  CHECK (is_solved (&game));
}

/* Whether there is a space of homes: each colour fills one tube. */
static inline bool has_homes (const struct game *game) {
  int balls = 0;
  for (int tube = 0; tube < game->tubes; tube++)
    balls += game->loads[tube];
  return !game->is_water && !game->is_monochrome && balls == game->colours * game->capacity;
}

/* A position as bytes that don't depend on the order of tubes. */
static inline void key_of (const struct game *game, uint8_t key[MOST_GAME_TUBES][MOST_GAME_CAPACITY]) {
  memset (key, 0xff, MOST_GAME_TUBES * MOST_GAME_CAPACITY);
  for (int tube = 0; tube < game->tubes; tube++) {
    uint8_t content[MOST_GAME_CAPACITY];
    memset (content, 0xff, sizeof content);
    memcpy (content, game->balls[tube], game->loads[tube]);
    int place = tube;
    for (; place && memcmp (key[place - 1], content, sizeof content) > 0; place--)
      memcpy (key[place], key[place - 1], sizeof content);
    memcpy (key[place], content, sizeof content);
  }
}

/* Moves of a shortest plan, LOST where there is none, TOO_LARGE where there are too many positions to say. */
static inline int distance_of (const struct game *start) {
  static struct game states[MOST_STATES];
  static uint8_t keys[MOST_STATES][MOST_GAME_TUBES][MOST_GAME_CAPACITY];
  static int16_t moves[MOST_STATES], table[4 * MOST_STATES];
  memset (table, -1, sizeof table);
  int number = 0;
  for (int at = -1; at < number; at++) {
    if (at >= 0 && is_solved (&states[at]))
      return moves[at];
    for (int move = 0; move < (at < 0 ? 1 : start->tubes * start->tubes); move++) {
      if (number == MOST_STATES)
        return TOO_LARGE;
      struct game *next = &states[number];
      *next = at < 0 ? *start : states[at];
      if (at >= 0 && !play (next, move / start->tubes, move % start->tubes))
        continue;
      key_of (next, keys[number]);
      uint32_t slot = 0;
      for (size_t byte = 0; byte < sizeof keys[0]; byte++)
        slot = (slot ^ ((uint8_t *) keys[number])[byte]) * 16777619u;
      for (slot %= 4 * MOST_STATES; table[slot] >= 0; slot = (slot + 1) % (4 * MOST_STATES))
        if (!memcmp (keys[table[slot]], keys[number], sizeof keys[0]))
          break;
      if (table[slot] >= 0)
        continue;
      table[slot] = (int16_t) number;
      moves[number++] = (int16_t) (at < 0 ? 0 : moves[at] + 1);
    }
  }
  return LOST;
}

/* Packs a board as the engine reads it, and returns the number of bytes. */
static inline int64_t pack (const struct game *game, bool by_homes, uint8_t *packed) {
  uint8_t *end = packed;
  *end++ = (uint8_t) (game->is_water * BSPSAT_WATER + game->is_monochrome * BSPSAT_MONOCHROME + by_homes * BSPSAT_BY_HOMES);
  *end++ = (uint8_t) game->capacity;
  *end++ = (uint8_t) game->colours;
  *end++ = (uint8_t) game->tubes;
  for (int tube = 0; tube < game->tubes; tube++)
    *end++ = game->loads[tube];
  for (int tube = 0; tube < game->tubes; tube++)
    for (int ball = 0; ball < game->loads[tube]; ball++)
      *end++ = game->balls[tube][ball];
  return end - packed;
}

/* Makes the engine's board, with the numbers of its tubes. */
static inline struct bspsat_board *board_of (const struct game *game, bool by_homes, int32_t *numbers) {
  uint8_t packed[MOST_PACKED];
  struct bspsat_board *board;
  CHECK (bspsat_board_new (packed, pack (game, by_homes, packed), 0, &board) == BSPSAT_FOUND);
  CHECK (bspsat_board_numbers (board, packed + 4, game->tubes, numbers) == BSPSAT_FOUND);
  return board;
}

/* Sorts the numbers of tubes from high to low, as a graph's positions have them. */
static inline void sort_numbers (int32_t *numbers, int64_t tubes) {
  for (int64_t tube = 1; tube < tubes; tube++)
    for (int64_t at = tube; at > 0 && numbers[at - 1] < numbers[at]; at--) {
      const int32_t number = numbers[at];
      numbers[at] = numbers[at - 1], numbers[at - 1] = number;
    }
}

#endif
