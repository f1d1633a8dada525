/* The picture at working size, in CIE Lab. */

#include "picture.h"
#include "memory.h"

#include <stddef.h>

enum {
  BUDGET = 1 << 20,      // pixels of the picture as it came that one call looks at: some hundredths of a second
  MOST_PIXELS = 1 << 30, // at working size
};

struct bspsat_picture *bspsat_picture_new (int64_t source_width, int64_t source_height, int64_t width, int64_t height,
                                           double cosine, double sine, double aslant, double tilt) {
  const int64_t sides[] = {source_width, source_height, width, height};
  const double view[] = {cosine, sine, aslant, tilt};
  for (int side = 0; side < 4; side++)
    if (sides[side] < 1 || sides[side] > PICTURE_MOST_SIDE)
      return NULL;
  int64_t pixels = times (width, height);
  if (pixels > MOST_PIXELS || !are_from (view, 4, -1, 1))
    return NULL;
  struct bspsat_picture *picture = take_zeros (sizeof *picture);
  if (!picture)
    return NULL;
  picture->source_width = source_width;
  picture->source_height = source_height;
  picture->width = width;
  picture->height = height;
  picture->ratio = (double) source_width / (double) width;
  picture->cosine = cosine;
  picture->sine = sine;
  picture->aslant = aslant;
  picture->tilt = tilt;
  picture->right = aslant * (double) (source_width * source_width) / 4; // so that both sides are in sight
  picture->below = tilt * (double) (source_height * source_height) / 4;
  picture->lab = take (times (3 * pixels, sizeof *picture->lab));
  picture->labels = take (times (pixels, sizeof *picture->labels));
  picture->parents = take (times (pixels, sizeof *picture->parents));
  picture->regions = take (PICTURE_REGIONS * (int64_t) sizeof *picture->regions);
  picture->lasts = take (PICTURE_REGIONS * (int64_t) sizeof *picture->lasts);
  if (picture->lab && picture->labels && picture->parents && picture->regions && picture->lasts)
    return picture;
  bspsat_picture_free (picture);
  return NULL;
}

void bspsat_picture_free (struct bspsat_picture *picture) {
  if (!picture)
    return;
  give_back (picture->lab);
  give_back (picture->labels);
  give_back (picture->parents);
  give_back (picture->regions);
  give_back (picture->lasts);
  give_back (picture);
}

static double larger (double one, double other) { return one > other ? one : other; }
static double smaller (double one, double other) { return one < other ? one : other; }

/* Returns the cube root of light, as CIE Lab takes it, between two of the table. */
static double root_of (const double *roots, double light) {
  double place = light * LEVELS;
  int64_t at = (int64_t) place;
  return roots[at] + (place - (double) at) * (roots[at + 1] - roots[at]);
}

/* Returns the nearest whole number. */
static int32_t rounded (double value) { return (int32_t) ((int64_t) (value + 65536.5) - 65536); }

/* Adds up red, green and blue of the square with a half side of `half` around a place of the picture as it came, outside
of which its border goes on. Returns the sum of the weights. */
static double add_up (const struct bspsat_picture *picture, const uint8_t *source, double x, double y, double half,
                      double sums[3]) {
  double weights = 0, red = 0, green = 0, blue = 0, left = x - half, right = x + half, top = y - half, bottom = y + half;
  int64_t height = picture->source_height, width = picture->source_width;
  for (int64_t row = (int64_t) (top + 1) - 1; row <= (int64_t) bottom; row++) {
    double share = smaller (bottom, (double) row + 1) - larger (top, (double) row);
    if (share <= 0)
      continue;
    const uint8_t *pixels = source + 3 * width * least (most (row, 0), height - 1);
    for (int64_t column = (int64_t) (left + 1) - 1; column <= (int64_t) right; column++) {
      double weight = share * (smaller (right, (double) column + 1) - larger (left, (double) column));
      if (weight <= 0)
        continue;
      const uint8_t *pixel = pixels + 3 * least (most (column, 0), width - 1);
      red += weight * pixel[0];
      green += weight * pixel[1];
      blue += weight * pixel[2];
      weights += weight;
    }
  }
  sums[0] = red;
  sums[1] = green;
  sums[2] = blue;
  return weights;
}

/* Each pixel is the mean of its square in the picture as it came, of at least one pixel's size. */
int64_t bspsat_picture_scale (struct bspsat_picture *picture, const uint8_t *source, const double *light,
                              const double *roots) {
  if (!are_from (light, 256, 0, 1) || !are_from (roots, LEVELS + 2, 0, 2))
    return BSPSAT_INVALID;
  int64_t height = picture->height, width = picture->width;
  double half = larger (1, picture->ratio) / 2;
  int64_t each = (int64_t) (4 * half * half + 8 * half + 4), rows = most (1, BUDGET / (width * each));
  int64_t end = least (height, picture->scaled + rows);
  for (int64_t row = picture->scaled; row < end; row++)
    for (int64_t column = 0; column < width; column++) {
      double across = ((double) column + 0.5 - (double) width / 2) * picture->ratio + picture->right;
      double down = ((double) row + 0.5 - (double) height / 2) * picture->ratio + picture->below;
      double away = larger (0.1, 1 + across * picture->aslant + down * picture->tilt);
      double x = (double) picture->source_width / 2 + (across * picture->cosine + down * picture->sine) / away;
      double y = (double) picture->source_height / 2 + (down * picture->cosine - across * picture->sine) / away;
      double sums[3], weights = add_up (picture, source, x, y, half, sums);
      double red = light[(int64_t) (sums[0] / weights + 0.5)];
      double green = light[(int64_t) (sums[1] / weights + 0.5)];
      double blue = light[(int64_t) (sums[2] / weights + 0.5)];
      double x_root = root_of (roots, (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047);
      double y_root = root_of (roots, 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue);
      double z_root = root_of (roots, (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883);
      int32_t *lab = picture->lab + row * width + column;
      lab[0] = rounded ((116 * y_root - 16) * UNIT);
      lab[height * width] = rounded (500 * (x_root - y_root) * UNIT);
      lab[2 * height * width] = rounded (200 * (y_root - z_root) * UNIT);
    }
  picture->scaled = end;
  return height - end;
}
