/* Positions as states: the numbers of their tubes, sorted, in few words. So positions that differ by the order of tubes
are one state. Open homes need no place: a home is open when some of its colour's balls are in it, that is not elsewhere.

Sorted numbers need less room than others (Elias 1974, Fano 1971): of each, the lower bits are written down; the upper
ones, which only rise, as one bit at the place that is their value plus how many came before. */

#ifndef PACKING_H
#define PACKING_H

#include "contents/contents.h"

#include <string.h>

enum { MOST_TUBES = BSPSAT_MOST_TUBES, MOST_COLOURS = BSPSAT_MOST_COLOURS, MOST_BITS = MOST_TUBES * (6 * BSPSAT_MOST_CAPACITY + 2), MOST_WORDS = (MOST_BITS + 63) / 64 };

/* A word of a key, which lies at any multiple of 4 bytes in a record. */
typedef uint64_t key_word __attribute__ ((aligned (4)));

/* How a board's positions are packed. */
struct packing {
  int32_t tubes;
  int32_t lower; // bits of a number that are written down
  int32_t upper; // places for the bits that stand for the others; the lower ones come behind
  int32_t words; // of a state
  bool by_homes;
};

static inline struct packing packing_of (const struct bspsat_board *board) {
  const int64_t last = board->tables.numbers - 1;
  struct packing packing = {.tubes = board->tubes, .words = INT32_MAX, .by_homes = board->by_homes};
  for (int32_t lower = 0; lower < 1 || last >> lower; lower++) {
    const int64_t upper = board->tubes + (last >> lower), words = (upper + board->tubes * lower + 63) / 64;
    if (words < packing.words) {
      packing.lower = lower;
      packing.upper = (int32_t) upper, packing.words = (int32_t) words;
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

/* Writes a position, sorted, into `key`. */
static inline void pack (const struct packing *packing, const int32_t *restrict numbers, uint64_t *restrict key) {
  const int32_t tubes = packing->tubes, lower = packing->lower, first = packing->upper / 64;
  const uint64_t ones = (UINT64_C (1) << lower) - 1;
  uint64_t upper = 0, packed = 0; // the word `word` so far, and that of lower bits
  int32_t word = 0, low = first, filled = packing->upper % 64;
  for (int32_t before = 0; before < tubes; before++) {
    const uint32_t number = (uint32_t) numbers[tubes - 1 - before];
    const int32_t place = (int32_t) (number >> lower) + before;
    for (; word < place / 64; upper = 0)
      key[word++] = upper;
    upper |= UINT64_C (1) << place % 64;
    packed |= (number & ones) << filled;
    filled += lower;
    if (filled >= 64) {
      key[low++] = packed;
      filled -= 64;
      packed = (number & ones) >> (lower - filled);
    }
  }
  if (filled)
    key[low] = packed;
  for (; word < first; upper = 0)
    key[word++] = upper;
  if (first < packing->words) // which may have both
    key[first] |= upper;
}

/* Reads a position from `key`. */
static inline void unpack (const struct packing *packing, const void *key, int32_t *restrict numbers) {
  const int32_t tubes = packing->tubes, lower = packing->lower, first = packing->upper / 64;
  const uint64_t ones = (UINT64_C (1) << lower) - 1;
  const char *words = key;
  uint64_t bits, packed = 0;
  int32_t low = first, left = 0; // the next word of lower bits, and bits of `packed`
  if (lower && first < packing->words) {
    memcpy (&packed, words + 8 * low++, 8);
    packed >>= packing->upper % 64;
    left = 64 - packing->upper % 64;
  }
  for (int32_t before = 0, word = 0; before < tubes; word++) {
    memcpy (&bits, words + 8 * word, 8);
    if (word == first) // the lower bits are none of these
      bits &= (UINT64_C (1) << packing->upper % 64) - 1;
    for (; bits; bits &= bits - 1) {
      const int32_t high = 64 * word + __builtin_ctzll (bits) - before;
      uint64_t number = packed;
      if (left < lower) {
        memcpy (&packed, words + 8 * low++, 8);
        number |= packed << left;
        packed >>= lower - left;
        left += 64;
      } else
        packed >>= lower;
      left -= lower;
      numbers[tubes - 1 - before++] = (int32_t) ((uint32_t) high << lower | (uint32_t) (number & ones));
    }
  }
}

static inline bool is_same (const key_word *key, const key_word *other, int32_t words) {
  int32_t word = 0;
  while (word < words && other[word] == key[word])
    word++;
  return word == words;
}

static inline uint64_t hash_of (const key_word *key, int32_t words) {
  uint64_t mixed = 0;
  for (int32_t word = 0; word < words; word++) {
    mixed = (mixed ^ key[word]) * UINT64_C (0x9E3779B97F4A7C15);
    mixed ^= mixed >> 29;
  }
  return mixed;
}

#endif
