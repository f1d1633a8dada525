/* Several arrays in one block of memory.

A handle lays its arrays out twice: first in no block, which tells how many bytes it needs, then in the one that was
taken. So it is taken at once, or not at all, and given back at once. */

#ifndef PARTS_H
#define PARTS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the next `items` items of `size` bytes of a block, NULL without a block; `used` are its bytes so far. */
static inline void *part_of (char *block, int64_t *used, int64_t items, size_t size) {
  char *part = block ? block + *used : NULL;
  *used += (items * (int64_t) size + 7) / 8 * 8;
  return part;
}

#endif
