#ifndef HASH_H
#define HASH_H
#include <stdint.h>
static inline uint64_t hashed (const uint64_t *key, int64_t words, uint64_t mask) {
  uint64_t mixed = 0;
  for (int64_t word = 0; word < words; word++) {
    mixed = (mixed ^ key[word]) * UINT64_C (0x9E3779B97F4A7C15);
    mixed ^= mixed >> 29;
  }
  return mixed & mask;
}
#endif
