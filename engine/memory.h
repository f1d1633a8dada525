/* Memory: all that the engine uses comes from here, and any of it may be refused.

Whoever asks gets NULL when memory is used up, gives back what it has taken so far, and says so to its caller: running
out is an ordinary outcome. A test refuses each request in turn (`memory_refused_after`). */

#ifndef MEMORY_H
#define MEMORY_H

#include <stdint.h>

#define TOO_MANY (INT64_MAX / 2) // bytes, more than there ever are

/* The product of two sizes; TOO_MANY where it is that or more, or where one is negative. */
static inline int64_t times (int64_t size, int64_t other) {
  return size < 0 || other < 0 || (other && size > TOO_MANY / other) ? TOO_MANY : size * other;
}

/* Takes a block of some bytes with arbitrary contents. Returns NULL when memory is used up. */
void *take (int64_t bytes);

/* The same, all 0. */
void *take_zeros (int64_t bytes);

/* Gives a block back; NULL is nothing. */
void give_back (void *block);

/* Large blocks grow in place where the system can do that, and lie in large pages: tables of states are read at random
places. What isn't used takes no memory of the machine. They are known by their address and their bytes. */

void *take_large (int64_t bytes);

/* Makes a block longer or shorter, and returns where it is then; NULL when memory is used up, and it stays as it is. */
void *resize_large (void *block, int64_t bytes, int64_t wanted);

void give_back_large (void *block, int64_t bytes);

/* For tests: how many requests are granted until one is refused, and all after it; negative for no limit. */
extern int64_t memory_refused_after;

#endif
