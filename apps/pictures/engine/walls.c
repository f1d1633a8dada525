/* The upright edges of tubes, and places where a band of the picture has the same. */

#include "picture.h"

enum { MOST_COLUMNS = 1 << 30 };
enum { STEEPEST = 6 * UNIT };         // of lightness; a step beyond counts as this much, or one outline would outweigh all
static const double FAINTEST = 0.05;  // of lightness; below, a line is noise
static const double UNSEEN = -2;      // no correlation

/* The line is blurred a little, so that a thin edge half a pixel aside is the same one. */
int64_t bspsat_picture_line (const struct bspsat_picture *picture, int64_t top, int64_t bottom, double *line) {
  if (picture->scaled < picture->height || top < 0 || top >= bottom || bottom > picture->height)
    return BSPSAT_INVALID;
  int64_t width = picture->width;
  for (int64_t column = 0; column < width; column++) {
    int64_t total = 0;
    if (0 < column && column < width - 1)
      for (int64_t row = top; row < bottom; row++) {
        const int32_t *at = picture->lab + row * width + column;
        total += least (most ((int64_t) at[1] - at[-1], -STEEPEST), STEEPEST);
      }
    line[column] = (double) total / (double) (UNIT * (bottom - top));
  }
  double before = line[0];
  for (int64_t column = 0; column < width; column++) {
    double own = line[column], after = line[least (column + 1, width - 1)];
    line[column] = 0.25 * before + 0.5 * own + 0.25 * after;
    before = own;
  }
  return BSPSAT_FOUND;
}

/* A line, and the pattern that it is compared with. */
struct comparison {
  int64_t width;
  const double *line;
  const double *middle; // of the pattern
};

/* Returns the correlation of the line around a column with the pattern, from one offset to another; UNSEEN where most of
it isn't in the picture. */
static double correlation (const struct comparison *with, int64_t column, int64_t start, int64_t end) {
  double both = 0, one = 0, other = 0;
  int64_t count = 0;
  for (int64_t offset = start; offset <= end; offset++) {
    int64_t at = column + offset;
    if (at < 0 || at >= with->width)
      continue;
    double value = with->line[at], mean = with->middle[offset];
    both += value * mean;
    one += value * value;
    other += mean * mean;
    count++;
  }
  if (2 * count <= end - start)
    return UNSEEN;
  double faint = FAINTEST * __builtin_sqrt ((double) count);
  return both / ((__builtin_sqrt (one) + faint) * __builtin_sqrt (other) + 1e-9);
}

/* On each side of the place, of which the less like one counts; once from a tube's cells on, once from outside them on, of
which the liker one counts. A side that isn't in the picture isn't asked. */
int64_t bspsat_line_compare (int64_t width, const double *line, int64_t reach, const double *pattern, const double *inner,
                             double *like) {
  if (width < 1 || width > MOST_COLUMNS || reach < 0 || reach > MOST_COLUMNS || !are_from (inner, 2, 0, MOST_COLUMNS))
    return BSPSAT_INVALID;
  struct comparison with = {width, line, pattern + reach};
  for (int64_t place = 0; place < width + 2 * reach; place++) {
    double best = -1;
    for (int way = 0; way < 2; way++) {
      int64_t from = (int64_t) (inner[way] + 1);
      double left = correlation (&with, place - reach, -reach, -from);
      double right = correlation (&with, place - reach, from, reach);
      double own = left == UNSEEN ? right : right == UNSEEN ? left : left < right ? left : right;
      if (own > best)
        best = own;
    }
    like[place] = best;
  }
  return BSPSAT_FOUND;
}
