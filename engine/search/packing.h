/* Positions as states: the numbers of their tubes, sorted, in few words, and behind them the open homes in the space of
homes. So positions that differ by the order of tubes are one state.

Sorted numbers need less room than others (Elias 1974, Fano 1971): of each, the lower bits are written down; the upper
ones, which only rise, as one bit at the place that is their value plus how many came before. */

#ifndef PACKING_H
#define PACKING_H

#include "contents/contents.h"

#include <string.h>

enum { MOST_TUBES = BSPSAT_MOST_TUBES, MOST_COLOURS = BSPSAT_MOST_COLOURS, MOST_WORDS = MOST_TUBES / 2 };

/* How a board's positions are packed. */
struct packing {
  int32_t tubes;
  int32_t lower;      // bits of a number that are written down
  int32_t high_words; // for the others
  int32_t words;      // of a state
  int32_t homes;      // bits for open homes
  bool by_homes;
};

static inline struct packing packing_of (const struct bspsat_board *board) {
  const int64_t last = board->tables.numbers - 1;
  struct packing packing = {.tubes = board->tubes, .words = INT32_MAX, .by_homes = board->by_homes};
  packing.homes = board->by_homes ? (int32_t) board->tables.colours : 0;
  for (int32_t lower = 0; lower < 1 || last >> lower; lower++) {
    const int64_t high = (board->tubes + (last >> lower) + 63) / 64;
    const int64_t words = high + (board->tubes * lower + packing.homes + 63) / 64;
    if (words < packing.words) {
      packing.lower = lower;
      packing.high_words = (int32_t) high, packing.words = (int32_t) words;
    }
  }
  return packing;
}

static inline void copy (const int32_t *restrict from, int32_t *restrict to, int32_t length) {
  memcpy (to, from, (size_t) length * sizeof *to);
}

/* Sorts from high to low, in place; the lists are short and nearly sorted. */
static inline void sort (int32_t *numbers, int32_t length) {
  for (int32_t place = 1; place < length; place++) {
    const int32_t number = numbers[place];
    int32_t before = place - 1;
    while (before >= 0 && numbers[before] < number) {
      numbers[before + 1] = numbers[before];
      before--;
    }
    numbers[before + 1] = number;
  }
}

/* Writes a position, sorted, and its open homes into `key`. */
static inline void pack (const struct packing *packing, const int32_t *restrict numbers, uint64_t homes,
                         uint64_t *restrict key) {
  const int32_t tubes = packing->tubes, lower = packing->lower;
  const uint64_t ones = (UINT64_C (1) << lower) - 1;
  uint64_t *low = key + packing->high_words, packed = 0;
  int32_t filled = 0;  // bits of `packed`
  uint64_t upper = 0;  // bits of the word `word`
  uint32_t word = 0;   // places only rise
  for (int32_t before = 0; before < tubes; before++) {
    const uint32_t number = (uint32_t) numbers[tubes - 1 - before];
    const uint32_t place = (number >> lower) + (uint32_t) before;
    while (word < place / 64) {
      key[word++] = upper;
      upper = 0;
    }
    upper |= UINT64_C (1) << place % 64;
    packed |= (number & ones) << filled;
    filled += lower;
    if (filled >= 64) {
      *low++ = packed;
      filled -= 64;
      packed = (number & ones) >> (lower - filled);
    }
  }
  for (; word < (uint32_t) packing->high_words; upper = 0)
    key[word++] = upper;
  if (packing->by_homes) {
    packed |= homes << filled;
    filled += packing->homes;
    if (filled > 64) {
      *low++ = packed;
      filled -= 64;
      packed = homes >> (packing->homes - filled);
    }
  }
  if (filled)
    *low = packed;
}

/* Reads a position from `key` and returns its open homes. */
static inline uint64_t unpack (const struct packing *packing, const void *key, int32_t *restrict numbers) {
  const int32_t tubes = packing->tubes, lower = packing->lower;
  const uint64_t ones = (UINT64_C (1) << lower) - 1;
  const char *low = (const char *) key + 8 * packing->high_words;
  uint64_t packed = 0, bits;
  int32_t left = 0; // bits of `packed`
  int32_t before = 0;
  for (int32_t word = 0; word < packing->high_words; word++)
    for (memcpy (&bits, (const char *) key + 8 * word, 8); bits; bits &= bits - 1) {
      const int32_t high = 64 * word + __builtin_ctzll (bits) - before;
      uint64_t number = packed;
      if (left < lower) {
        memcpy (&packed, low, 8);
        low += 8;
        number |= packed << left;
        packed = lower - left < 64 ? packed >> (lower - left) : 0;
        left += 64;
      } else
        packed >>= lower;
      left -= lower;
      numbers[tubes - 1 - before++] = (int32_t) ((uint32_t) high << lower | (uint32_t) (number & ones));
    }
  if (!packing->by_homes)
    return 0;
  uint64_t homes = packed;
  if (left < packing->homes) {
    memcpy (&packed, low, 8);
    homes |= packed << left;
  }
  return packing->homes < 64 ? homes & ((UINT64_C (1) << packing->homes) - 1) : homes;
}

static inline uint64_t hash_of (const uint64_t *key, int32_t words) {
  uint64_t mixed = 0;
  for (int32_t word = 0; word < words; word++) {
    mixed = (mixed ^ key[word]) * UINT64_C (0x9E3779B97F4A7C15);
    mixed ^= mixed >> 29;
  }
  return mixed;
}

#endif
