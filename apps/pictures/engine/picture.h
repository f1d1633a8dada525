/* A picture at working size, and what is asked of its pixels.

`colours.c` makes it from the picture as it came, `regions.c` finds flat regions, `looks.c` says what places look like,
`walls.c` compares the edges of a band of rows with a pattern. Nothing of it has to be proved: whoever has a board read
from a screenshot sees the board and can correct it. The same picture gives the same numbers on every machine: sums of
floats have one order, and products aren't fused with sums (`-ffp-contract=off`). */

#ifndef PICTURE_H
#define PICTURE_H

#include "pixels.h"

#include <stdbool.h>

enum { UNIT = PICTURE_UNIT, LEVELS = PICTURE_LEVELS, GRID = PICTURE_GRID };

struct bspsat_picture {
  int64_t source_width, source_height; // of the picture as it came
  int64_t width, height;               // at working size
  double ratio;                        // pixels of the picture as it came for one at working size
  double cosine, sine;                 // of the angle by which it is turned
  double aslant, tilt;                 // how much further away it is for each pixel to the right, and down
  double right, below;                 // from the middle of the picture as it came to its own
  int64_t scaled;                      // rows that are made
  int32_t *lab;                        // [3, height, width] lightness, then green to red, then blue to yellow
  int32_t *labels;                     // [height, width] the region of each pixel, -1 for none
  int32_t *parents;                    // [height * width] of regions, another one that they are a part of
  struct bspsat_region *regions;       // [PICTURE_REGIONS]
  int32_t *lasts;                      // [PICTURE_REGIONS] room of `regions.c`
};

static inline int64_t least (int64_t one, int64_t other) { return one < other ? one : other; }
/* Returns whether numbers are from one to another; NaN isn't. */
static inline bool are_from (const double *numbers, int64_t count, double least_one, double greatest) {
  while (count > 0 && numbers[count - 1] >= least_one && numbers[count - 1] <= greatest)
    count--;
  return count == 0;
}

static inline int64_t most (int64_t one, int64_t other) { return one > other ? one : other; }

/* Returns a quotient, rounded down, for a divisor above 0. */
static inline int64_t floor_of (int64_t number, int64_t divisor) {
  return number / divisor - (number % divisor < 0);
}

#endif
