/* Boards and positions where balls go anywhere, see space.h. */

#include "anywhere/space.h"

#include <string.h>

int32_t amount_of (const struct bspsat_anywhere *search, const struct position *position, int32_t from, int32_t to) {
  const int32_t load = position->load[from], room = search->rules[to].capacity - position->load[to];
  int32_t run = 1;
  while (search->pours && run < load && position->balls[from][load - 1 - run] == top_of (position, from))
    run++;
  return run <= room ? run : search->whole ? 0 : room;
}

void put_ball (const struct bspsat_anywhere *search, struct position *position, int32_t tube, int32_t ball) {
  if (!search->drains) {
    drop (position, tube, ball);
    return;
  }
  uint8_t *balls = position->balls[tube];
  const uint8_t load = position->load[tube]++;
  memmove (balls + 1, balls, load);
  balls[0] = (uint8_t) ball;
  position->run[tube] = load && balls[1] == ball ? (uint8_t) (position->run[tube] + 1) : 1;
}

void play (const struct bspsat_anywhere *search, struct position *position, int32_t from, int32_t to) {
  const int32_t ball = top_of (position, from);
  for (int32_t left = amount_of (search, position, from, to); left; left--)
    lift (position, from), put_ball (search, position, to, ball);
  if (!search->locks)
    return;
  int32_t complete = 0, of_colour[COLOURS] = {0}, in_place[COLOURS] = {0};
  for (int32_t tube = 0; tube < search->tubes; tube++)
    if (is_complete (search, position, tube)) {
      complete++, of_colour[position->balls[tube][0]]++;
      in_place[position->balls[tube][0]] += position->load[tube];
    }
  for (int32_t tube = 0; tube < search->tubes; tube++) {
    const struct bspsat_tube *rule = &search->rules[tube];
    const int32_t colour = rule->lock_colour, needed = rule->lock_tubes;
    if (position->locked[tube])
      position->locked[tube] = needed ? (colour < 0 ? complete : of_colour[colour]) < needed
                                      : in_place[colour] < search->counts[colour];
  }
}

bool is_solved (const struct bspsat_anywhere *search, const struct position *position) {
  int32_t full[COLOURS] = {0};
  for (int32_t tube = 0; tube < search->tubes; tube++) {
    const int32_t load = position->load[tube], bottom = position->balls[tube][0];
    if (!load)
      continue;
    const bool is_uniform = position->run[tube] == load, is_full = load == search->rules[tube].capacity;
    if (search->goal == BSPSAT_GOAL_WANTED)
      full[bottom] += is_uniform && is_full;
    else if (!is_uniform || (search->goal == BSPSAT_GOAL_FULL && !is_full) ||
             (search->goal == BSPSAT_GOAL_GATHERED && load != search->counts[bottom]) ||
             (search->goal == BSPSAT_GOAL_COLOURED && search->rules[tube].own != bottom))
      return false;
  }
  for (int32_t colour = 0; colour < search->colours; colour++)
    if (search->goal == BSPSAT_GOAL_WANTED && full[colour] < search->wanted[colour])
      return false;
  return true;
}

/*------------------------------------------------------------------------*/

static inline void put_bits (uint64_t *key, int32_t at, uint64_t bits, int32_t number) {
  key[at >> 6] |= bits << (at & 63);
  if ((at & 63) + number > 64)
    key[(at >> 6) + 1] |= bits >> (64 - (at & 63));
}

static inline uint64_t get_bits (const key_word *key, int32_t at, int32_t number) {
  uint64_t bits = key[at >> 6] >> (at & 63);
  if ((at & 63) + number > 64)
    bits |= key[(at >> 6) + 1] << (64 - (at & 63));
  return bits & ((UINT64_C (1) << number) - 1);
}

/* Whether a tube comes before another of its group. */
static bool is_before (const struct position *position, int32_t tube, int32_t other) {
  if (position->load[tube] != position->load[other])
    return position->load[tube] < position->load[other];
  return memcmp (position->balls[tube], position->balls[other], position->load[tube]) < 0;
}

void write_key (const struct bspsat_anywhere *search, const struct position *position, uint64_t *key, int32_t *last) {
  const int32_t tubes = search->tubes, bits = search->bits, given = *last;
  int32_t at[TUBES];
  for (int32_t place = 0; place < tubes; place++) {
    int32_t to = place;
    for (int32_t before = search->before[to]; before >= 0 && is_before (position, place, at[before]);
         before = search->before[to])
      at[to] = at[before], to = before;
    at[to] = place;
  }
  memset (key, 0, (size_t) search->core.packing.words * sizeof *key);
  for (int32_t place = 0; place < tubes; place++) {
    const int32_t tube = at[place], load = position->load[tube];
    int32_t offset = search->offset[place];
    for (int32_t ball = 0; ball < load; ball++, offset += bits)
      put_bits (key, offset, position->balls[tube][ball], bits);
    put_bits (key, offset, 1, 1);
    if (search->locks && position->locked[tube])
      put_bits (key, search->offset[tubes] + place, 1, 1);
    if (tube == given)
      *last = place;
  }
}

void read_key (const struct bspsat_anywhere *search, const key_word *key, struct position *position) {
  const int32_t tubes = search->tubes, bits = search->bits;
  for (int32_t tube = 0; tube < tubes; tube++) {
    const int32_t offset = search->offset[tube];
    int32_t word = (search->offset[tube + 1] - 1) >> 6, end = (search->offset[tube + 1] - 1) & 63;
    uint64_t part = key[word] << (63 - end) >> (63 - end);
    while (!part)
      part = key[--word];
    const int32_t load = (64 * word + 63 - __builtin_clzll (part) - offset) / bits;
    uint8_t *balls = position->balls[tube];
    int32_t run = 0;
    for (int32_t ball = 0; ball < load; ball++) {
      balls[ball] = (uint8_t) get_bits (key, offset + ball * bits, bits);
      run += run == ball && balls[ball] == balls[0];
    }
    position->load[tube] = (uint8_t) load, position->run[tube] = (uint8_t) run;
    position->locked[tube] = search->locks && get_bits (key, search->offset[tubes] + tube, 1);
  }
}
