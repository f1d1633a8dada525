/* What places look like, and how different that is. */

#include "picture.h"

enum {
  STEPS = 15, // of a place, across and down, at which points of its ring lie
  FINE = 3,   // samples of a part, across and down
};

/* From the middle of a place, over its width and height: where a cell shows its plain colour. In thousandths. */
enum { RING_INSIDE = 180, RING_OUTSIDE = 380 };

static const double MIDDLE = 0.6;  // of a place's width and height, that its parts cover
static const double CORNER = 0.07; // of its width and height, from a place's side to where its corner is looked at
static const double TEXTURE = 0.6; // weight of patterns beside colours
static const double BESIDE = 6;    // in Lab; the difference of means, which signs change, is taken to be larger by it

/* A place, in pixels. */
struct box { double left, top, across, down; };

/* Points of a ring, in thousandths of a place. */
struct ring { int points; int32_t x[STEPS * STEPS], y[STEPS * STEPS]; };

/* Lists the points of a ring, row by row. */
static void make_ring (struct ring *ring) {
  ring->points = 0;
  for (int row = 0; row < STEPS; row++)
    for (int column = 0; column < STEPS; column++) {
      int32_t x = (2000 * column + 1000 + STEPS) / (2 * STEPS), y = (2000 * row + 1000 + STEPS) / (2 * STEPS);
      int32_t distance = (x - 500) * (x - 500) + (y - 500) * (y - 500);
      if (distance < RING_INSIDE * RING_INSIDE || distance > RING_OUTSIDE * RING_OUTSIDE)
        continue;
      ring->x[ring->points] = x;
      ring->y[ring->points++] = y;
    }
}

/* Returns where the pixel at a place is, or the nearest one in the picture. */
static int64_t pixel_at (const struct bspsat_picture *picture, double x, double y) {
  int64_t column = least (most ((int64_t) x, 0), picture->width - 1);
  return least (most ((int64_t) y, 0), picture->height - 1) * picture->width + column;
}

/* Returns the median of a channel over a ring: the least value that half of its points are at most. */
static int32_t median_of_ring (const int32_t *channel, const int64_t *pixels, int points) {
  int64_t low = -200 * UNIT, high = 200 * UNIT;
  while (low < high) {
    int64_t middle = floor_of (low + high, 2);
    int below = 0;
    for (int point = 0; point < points; point++)
      below += channel[pixels[point]] <= middle;
    if (2 * below >= points)
      high = middle;
    else
      low = middle + 1;
  }
  return (int32_t) low;
}

/* Writes the mean of a place's middle, and its parts, in one channel. */
static void look_at_parts (const struct bspsat_picture *picture, const int32_t *levels, const struct box *box,
                           int channel, struct bspsat_look *look) {
  enum { SAMPLES = GRID * FINE };
  int64_t sums[GRID * GRID] = {0}, total = 0;
  for (int row = 0; row < SAMPLES; row++)
    for (int column = 0; column < SAMPLES; column++) {
      double x = box->left + box->across * ((1 - MIDDLE) / 2 + MIDDLE * (column + 0.5) / SAMPLES);
      double y = box->top + box->down * ((1 - MIDDLE) / 2 + MIDDLE * (row + 0.5) / SAMPLES);
      int32_t level = levels[pixel_at (picture, x, y)];
      sums[row / FINE * GRID + column / FINE] += level;
      total += level;
    }
  int64_t mean = floor_of (total, SAMPLES * SAMPLES);
  look->mean[channel] = (int32_t) mean;
  for (int part = 0; part < GRID * GRID; part++)
    look->parts[part][channel] = (int32_t) (floor_of (sums[part], FINE * FINE) - mean);
}

/* Writes what one place looks like. */
static void look_at (const struct bspsat_picture *picture, const struct ring *ring, const struct bspsat_place *place,
                     struct bspsat_look *look) {
  struct box box = {place->left / (double) UNIT, place->top / (double) UNIT, 0, 0};
  box.across = place->right / (double) UNIT - box.left;
  box.down = place->bottom / (double) UNIT - box.top;
  int64_t pixels[STEPS * STEPS], corners[4];
  for (int point = 0; point < ring->points; point++)
    pixels[point] = pixel_at (picture, box.left + box.across * ring->x[point] / 1000,
                              box.top + box.down * ring->y[point] / 1000);
  for (int corner = 0; corner < 4; corner++) {
    double x = corner % 2 ? box.left + box.across * (1 - CORNER) - 1 : box.left + box.across * CORNER;
    double y = corner > 1 ? box.top + box.down * (1 - CORNER) - 1 : box.top + box.down * CORNER;
    corners[corner] = pixel_at (picture, x + 0.5, y + 0.5);
  }
  for (int channel = 0; channel < 3; channel++) {
    const int32_t *levels = picture->lab + channel * picture->height * picture->width;
    look->colour[channel] = median_of_ring (levels, pixels, ring->points);
    for (int corner = 0; corner < 4; corner++)
      look->corners[corner][channel] = levels[corners[corner]];
    look_at_parts (picture, levels, &box, channel, look);
  }
  double drawn = 0;
  for (int part = 0; part < GRID * GRID; part++)
    for (int channel = 0; channel < 3; channel++)
      drawn += (double) ((int64_t) look->parts[part][channel] * look->parts[part][channel]);
  look->drawn = (int32_t) __builtin_sqrt (drawn / (3 * GRID * GRID));
}

int64_t bspsat_picture_look (const struct bspsat_picture *picture, int64_t places, const struct bspsat_place *place,
                             struct bspsat_look *looks) {
  if (picture->scaled < picture->height)
    return BSPSAT_INVALID;
  struct ring ring;
  make_ring (&ring);
  for (int64_t number = 0; number < places; number++)
    look_at (picture, &ring, place + number, looks + number);
  return BSPSAT_FOUND;
}

/* Returns how far two colours are apart. */
static double distance (const int32_t one[3], const int32_t other[3]) {
  double total = 0;
  for (int channel = 0; channel < 3; channel++) {
    int64_t difference = (int64_t) one[channel] - other[channel];
    total += (double) difference * (double) difference;
  }
  return __builtin_sqrt (total);
}

/* Returns how different two looks are. */
static int32_t difference (const struct bspsat_look *one, const struct bspsat_look *other) {
  double colour = distance (one->colour, other->colour), means = distance (one->mean, other->mean) + BESIDE * UNIT;
  double pattern = 0;
  if (means < colour)
    colour = means;
  for (int part = 0; part < GRID * GRID; part++)
    for (int channel = 0; channel < 3; channel++) {
      int64_t apart = (int64_t) one->parts[part][channel] - other->parts[part][channel];
      pattern += (double) apart * (double) apart;
    }
  pattern = TEXTURE * TEXTURE * pattern / (GRID * GRID);
  return (int32_t) least ((int64_t) __builtin_sqrt (colour * colour + pattern), INT32_MAX);
}

void bspsat_looks_compare (int64_t looks, const struct bspsat_look *look, int32_t *apart) {
  for (int64_t one = 0; one < looks; one++) {
    apart[one * looks + one] = 0;
    for (int64_t other = 0; other < one; other++)
      apart[one * looks + other] = apart[other * looks + one] = difference (look + one, look + other);
  }
}
