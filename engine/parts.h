/* Several arrays in one block of memory.

A handle lays its arrays out twice: first in no block, which tells how many bytes it needs, then in the one that was
taken. So it is taken at once, or not at all, and given back at once. */

#ifndef PARTS_H
#define PARTS_H

#include "memory.h"

#include <stddef.h>

/* Returns the next `items` items of `size` bytes of a block, NULL without a block; `used` are its bytes so far. */
static inline void *part_of (char *block, int64_t *used, int64_t items, size_t size) {
  char *part = block ? block + *used : NULL;
  const int64_t bytes = times (items, (int64_t) size);
  *used = bytes < TOO_MANY - 7 - *used ? *used + (bytes + 7) / 8 * 8 : TOO_MANY;
  return part;
}

#endif
