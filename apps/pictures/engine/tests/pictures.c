/* Pictures of all kinds and sizes, most of them small: noise, flat parts, lines. Whatever is asked of them, nothing is
read or written beside them, and what comes back lies within the picture; so where memory is refused. The program runs
as many cases as its first argument says, from the one on that the second does. */

#include "../pixels.h"
#include "memory.h"
#include "test.h"

#include <math.h>

enum { MOST_SIDE = 24, MOST_PLACES = 4, MOST_REACH = 6 };

static double light[256], roots[PICTURE_LEVELS + 2];

/* Fills a picture with one colour, and rectangles of others. */
static void paint (uint8_t *pixels, int width, int height) {
  bool is_noise = chance (4) == 0;
  uint8_t plain[3] = {(uint8_t) chance (256), (uint8_t) chance (256), (uint8_t) chance (256)};
  for (int place = 0; place < 3 * width * height; place++)
    pixels[place] = is_noise ? (uint8_t) chance (256) : plain[place % 3];
  for (int part = chance_in (0, 4); part--;) {
    int left = chance_in (0, width - 1), right = chance_in (left, width), top = chance_in (0, height - 1);
    int bottom = chance_in (top, height);
    for (int channel = 0; channel < 3; channel++)
      plain[channel] = (uint8_t) chance (256);
    for (int y = top; y < bottom; y++)
      for (int x = 3 * left; x < 3 * right; x++)
        pixels[3 * y * width + x] = plain[x % 3];
  }
}

static void try_regions (struct bspsat_picture *picture, int width, int height) {
  const struct bspsat_region *region;
  int64_t number = bspsat_picture_regions (picture, chance_in (0, 400), chance (2), &region);
  CHECK (0 <= number && number <= PICTURE_REGIONS);
  for (int64_t at = 0; at < number; at++) {
    CHECK (0 <= region[at].left && region[at].left < region[at].right && region[at].right <= width);
    CHECK (0 <= region[at].top && region[at].top < region[at].bottom && region[at].bottom <= height);
    CHECK (0 < region[at].area);
  }
}

/* Places within the picture, beside it, and turned inside out. */
static void try_looks (const struct bspsat_picture *picture, int width, int height) {
  struct bspsat_place places[MOST_PLACES] = {{0}};
  struct bspsat_look looks[MOST_PLACES];
  int32_t apart[MOST_PLACES * MOST_PLACES];
  int number = chance_in (0, MOST_PLACES);
  for (int at = 0; at < number; at++)
    places[at] = (struct bspsat_place) {
      chance_in (-40, PICTURE_UNIT * width + 40), chance_in (-40, PICTURE_UNIT * height + 40),
      chance_in (-40, PICTURE_UNIT * width + 40), chance_in (-40, PICTURE_UNIT * height + 40)};
  bspsat_picture_look (picture, number, places, looks);
  bspsat_looks_compare (number, looks, apart);
  for (int one = 0; one < number; one++)
    for (int other = 0; other < number; other++)
      CHECK (apart[one * number + other] == apart[other * number + one] && apart[one * number + other] >= 0);
}

static void try_lines (const struct bspsat_picture *picture, int width, int height) {
  double line[MOST_SIDE] = {0}, pattern[2 * MOST_REACH + 1], like[MOST_SIDE + 2 * MOST_REACH], inner[2];
  int top = chance_in (0, height - 1), reach = chance_in (0, MOST_REACH);
  bspsat_picture_line (picture, top, chance_in (top + 1, height), line);
  for (int at = 0; at <= 2 * reach; at++)
    pattern[at] = chance_in (-9, 9);
  for (int at = 0; at < 2; at++)
    inner[at] = chance_in (0, reach);
  bspsat_line_compare (width, line, reach, pattern, inner, like);
  for (int at = 0; at < width + 2 * reach; at++)
    CHECK (like[at] < 1.001);
}

static void try_picture (void) {
  int source_width = chance_in (1, MOST_SIDE), source_height = chance_in (1, MOST_SIDE);
  int width = chance_in (1, MOST_SIDE), height = chance_in (1, MOST_SIDE);
  double turn = chance (2) ? 0 : chance_in (-30, 30) / 100.0;
  uint8_t *source = malloc ((size_t) (3 * source_width * source_height)); // of its size, so that ASan sees its end
  paint (source, source_width, source_height);
  struct bspsat_picture *picture = bspsat_picture_new (source_width, source_height, width, height, cos (turn), sin (turn),
                                                          chance_in (-9, 9) / (10.0 * source_width),
                                                          chance_in (-9, 9) / (10.0 * source_height));
  if (picture) {
    while (bspsat_picture_scale (picture, source, light, roots))
      continue;
    try_regions (picture, width, height);
    try_looks (picture, width, height);
    try_lines (picture, width, height);
  }
  bspsat_picture_free (picture);
  free (source);
}

/* Memory is refused at each place in turn. */
static void try_memory (void) {
  struct bspsat_picture *picture = NULL;
  int64_t granted = 1;
  for (; !picture; granted++) {
    memory_refused_after = granted;
    picture = bspsat_picture_new (9, 9, 9, 9, 1, 0, 0, 0);
  }
  memory_refused_after = -1;
  CHECK (granted > 2);
  bspsat_picture_free (picture);
}

static void try_sizes (void) {
  const int64_t sides = INT64_C (1) << 32; // whose product is 0
  CHECK (!bspsat_picture_new (sides, sides, sides, sides, 1, 0, 0, 0) && !bspsat_picture_new (9, 9, sides, sides, 1, 0, 0, 0));
}

int main (int argc, char **argv) {
  for (int level = 0; level < 256; level++)
    light[level] = pow (level / 255.0, 2.2);
  for (int level = 0; level < PICTURE_LEVELS + 2; level++)
    roots[level] = cbrt ((double) level / PICTURE_LEVELS);
  try_memory ();
  try_sizes ();
  return try_cases (argc, argv, 120000, try_picture);
}
