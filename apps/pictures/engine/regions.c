/* Flat regions: connected pixels whose colour changes slowly.

Labels are given row by row; where two meet, the later one becomes a part of the earlier one (union and find). */

#include "picture.h"

enum { LEAST_WIDTH = 7 };                // pixels
static const double WIDEST = 0.34;       // of the picture
static const double LEAST_FILLED = 0.56; // of its box; a disc fills .79
static const double LEAST_CORE = 0.7;    // of its height, in its middle column; between two discs there is less
static const double FLATTEST = 0.25;     // height over width
static const double TALLEST = 14;        // the same

/* Returns how much two numbers differ by. */
static inline int32_t apart (int32_t one, int32_t other) { return one < other ? other - one : one - other; }

/* Returns whether the numbers on both sides of one, and those above and below, differ by at most `step`. They are `across`
and `down` away, 0 at the picture's edges. */
static inline bool is_even (const int32_t *at, int64_t across, int64_t down, int32_t step) {
  return apart (at[across], at[-across]) <= step && apart (at[down], at[-down]) <= step;
}

/* Returns the first of the labels that are one region with a label, and shortens the way to it. */
static int32_t first_of (int32_t *parents, int32_t label) {
  while (parents[label] != label) {
    parents[label] = parents[parents[label]];
    label = parents[label];
  }
  return label;
}

/* Gives a pixel the label of its left and upper neighbours, which become one region, or a new one. */
static void give_label (int32_t *parents, int32_t *labels, int64_t row, int64_t column, int64_t width, int32_t *found) {
  int32_t left = column ? labels[column - 1] : -1, above = row ? labels[column - width] : -1;
  if (left < 0 && above < 0) {
    parents[*found] = *found;
    labels[column] = (*found)++;
  } else if (left < 0 || above < 0)
    labels[column] = left < 0 ? above : left;
  else {
    int32_t one = first_of (parents, left), other = first_of (parents, above);
    labels[column] = parents[one < other ? other : one] = one < other ? one : other;
  }
}

/* Labels all pixels, and returns the number of labels. */
static int32_t give_labels (struct bspsat_picture *picture, int32_t step) {
  int64_t height = picture->height, width = picture->width, plane = height * width;
  int32_t *labels = picture->labels, found = 0;
  const int32_t *at = picture->lab;
  for (int64_t row = 0; row < height; row++, labels += width) {
    int64_t down = 0 < row && row < height - 1 ? width : 0;
    for (int64_t column = 0; column < width; column++, at++) {
      labels[column] = -1;
      int64_t across = 0 < column && column < width - 1;
      if (is_even (at, across, down, step) && is_even (at + plane, across, down, step) &&
          is_even (at + 2 * plane, across, down, step))
        give_label (picture->parents, labels, row, column, width, &found);
    }
  }
  return found;
}

/* Numbers regions: the parent of a region's first label becomes -1 - its number, that of others this label's. Returns the
number of regions. */
static int64_t give_numbers (int32_t *parents, int32_t labels) {
  int32_t regions = 0;
  for (int32_t label = 0; label < labels; label++) // a label's parent is a lower one, and so numbered already
    if (parents[label] == label)
      parents[label] = -1 - regions++;
    else
      parents[label] = parents[parents[label]];
  return regions;
}

/* Counts a pixel of a region. */
static void add_pixel (struct bspsat_region *region, int32_t *last, int32_t row, int32_t column) {
  if (region->top < 0)
    region->top = row;
  region->area += region->bottom == row + 1 ? column - *last : 1;
  *last = column;
  region->bottom = row + 1;
  if (column < region->left)
    region->left = column;
  if (column >= region->right)
    region->right = column + 1;
}

/* Measures the first `number` regions, and puts their numbers in the place of labels. */
static void measure_regions (struct bspsat_picture *picture, int64_t number) {
  int32_t height = (int32_t) picture->height, width = (int32_t) picture->width, *labels = picture->labels;
  int32_t *last = picture->lasts; // the last column that was counted, of each region
  const int32_t *parents = picture->parents;
  struct bspsat_region *regions = picture->regions;
  for (int64_t region = 0; region < number; region++)
    regions[region] = (struct bspsat_region) {width, -1, 0, 0, 0};
  for (int32_t row = 0; row < height; row++, labels += width)
    for (int32_t column = 0; column < width; column++) {
      if (labels[column] < 0)
        continue;
      int32_t region = labels[column] = -1 - parents[labels[column]];
      if (region < number)
        add_pixel (regions + region, last + region, row, column);
    }
}

/* Labels the pixels beside the largest of some regions, the ground, and returns the number of labels. */
static int32_t label_objects (struct bspsat_picture *picture, int64_t regions) {
  int32_t *labels = picture->labels, *pixels = picture->lasts, ground = 0, found = 0;
  for (int64_t region = 0; region < regions; region++)
    pixels[region] = 0;
  for (int64_t pixel = 0; pixel < picture->height * picture->width; pixel++)
    if (labels[pixel] >= 0 && labels[pixel] < regions && ++pixels[labels[pixel]] > pixels[ground])
      ground = labels[pixel];
  for (int64_t row = 0; row < picture->height; row++, labels += picture->width)
    for (int64_t column = 0; column < picture->width; column++) {
      bool is_ground = labels[column] == ground;
      labels[column] = -1;
      if (!is_ground)
        give_label (picture->parents, labels, row, column, picture->width, &found);
    }
  return found;
}

/* Returns whether a region is neither tiny nor huge, and fills its box. */
static bool has_shape (const struct bspsat_picture *picture, int64_t number) {
  const struct bspsat_region *region = picture->regions + number;
  int32_t across = region->right - region->left, down = region->bottom - region->top;
  if (across < LEAST_WIDTH || across > WIDEST * (double) picture->width)
    return false;
  if (down < FLATTEST * across || down > TALLEST * across || region->area < LEAST_FILLED * across * down)
    return false;
  const int32_t *column = picture->labels + (region->left + region->right) / 2;
  int32_t high = region->top, low = region->bottom;
  while (high < low && column[high * picture->width] != number)
    high++;
  while (low > high && column[(low - 1) * picture->width] != number)
    low--;
  return high < low && low - high >= LEAST_CORE * down;
}

int64_t bspsat_picture_regions (struct bspsat_picture *picture, int64_t step, int64_t objects,
                                const struct bspsat_region **found) {
  if (picture->scaled < picture->height || step < 0 || step > 1000)
    return BSPSAT_INVALID;
  int32_t labels = give_labels (picture, (int32_t) step * UNIT);
  int64_t regions = least (give_numbers (picture->parents, labels), PICTURE_REGIONS), kept = 0;
  measure_regions (picture, regions);
  if (objects && regions) {
    regions = least (give_numbers (picture->parents, label_objects (picture, regions)), PICTURE_REGIONS);
    measure_regions (picture, regions);
  }
  for (int64_t number = 0; number < regions; number++)
    if (objects || has_shape (picture, number))
      picture->regions[kept++] = picture->regions[number];
  *found = picture->regions;
  return kept;
}
