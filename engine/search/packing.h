/* Positions as states: the numbers of their tubes, sorted, packed into words; in the space of homes the open homes are a
word more. So positions that differ by the order of tubes are one state. */

#ifndef PACKING_H
#define PACKING_H

#include "contents/contents.h"

#include <string.h>

enum { MOST_TUBES = BSPSAT_MOST_TUBES, MOST_COLOURS = BSPSAT_MOST_COLOURS, MOST_WORDS = MOST_TUBES / 2 };

/* How a board's positions are packed. */
struct packing {
  int32_t tubes, bits, per_word, words; // bits of a number, numbers in a word, words of a state
  bool by_homes;                        // whether the last word is the open homes
};

static inline struct packing packing_of (const struct bspsat_board *board) {
  struct packing packing = {.tubes = board->tubes, .bits = 1, .by_homes = board->by_homes};
  while (board->tables.numbers >> packing.bits)
    packing.bits++;
  packing.per_word = 64 / packing.bits;
  packing.words = (packing.tubes + packing.per_word - 1) / packing.per_word + packing.by_homes;
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
  const int32_t tubes = packing->tubes, per_word = packing->per_word, bits = packing->bits, words = packing->words;
  int32_t place = 0;
  for (int32_t word = 0; word < words; word++) {
    const int32_t end = least (tubes, place + per_word);
    uint64_t packed = 0;
    for (int32_t shift = 0; place < end; place++, shift += bits)
      packed |= (uint64_t) (uint32_t) numbers[place] << shift;
    key[word] = packed;
  }
  if (packing->by_homes)
    key[words - 1] = homes;
}

/* Reads a position from `key` and returns its open homes. */
static inline uint64_t unpack (const struct packing *packing, const void *key, int32_t *restrict numbers) {
  const int32_t tubes = packing->tubes, per_word = packing->per_word, bits = packing->bits, words = packing->words;
  const uint64_t ones = (UINT64_C (1) << bits) - 1;
  const char *at = key;
  uint64_t packed = 0;
  int32_t place = 0;
  for (int32_t word = 0; word < words; word++, at += sizeof packed) {
    const int32_t end = least (tubes, place + per_word);
    memcpy (&packed, at, sizeof packed);
    for (uint64_t rest = packed; place < end; place++, rest >>= bits)
      numbers[place] = (int32_t) (rest & ones);
  }
  return packing->by_homes ? packed : 0;
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
