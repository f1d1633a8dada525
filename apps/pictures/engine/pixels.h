/* The pixels of a picture: the part of the door that the reader of screenshots calls. */

#ifndef PIXELS_H
#define PIXELS_H

#include "common.h"

/*------------------------------------------------------------------------*/

enum {
  PICTURE_UNIT = 16,          // lightness and colours are whole numbers of this part of CIE Lab's unit; places of a pixel
  PICTURE_LEVELS = 1 << 14,   // of light, that the table of cube roots has
  PICTURE_GRID = 6,           // parts of a place, across and down, of which a look has the mean colours
  PICTURE_REGIONS = 1 << 16,  // that are looked at
  PICTURE_MOST_SIDE = 1 << 20, // pixels
};

struct bspsat_picture;

/* The box of a flat region; right and bottom are one past the last pixel. Its area counts the holes of each row. */
struct bspsat_region { int32_t left, top, right, bottom, area; };

/* A place, in parts of a pixel. */
struct bspsat_place { int32_t left, top, right, bottom; };

/* What a place looks like. */
struct bspsat_look {
  int32_t colour[3];                             // the median of its ring
  int32_t corners[4][3];                         // the colours of its corners, upper ones first
  int32_t mean[3];                               // of its middle
  int32_t drawn;                                 // how much is drawn on it
  int32_t parts[PICTURE_GRID * PICTURE_GRID][3]; // of its middle, the difference to the mean
};

/* Makes a picture of `width` times `height` pixels from one of another size, turned by an angle and seen aslant: what
is `across` and `down` from the middle, in pixels of the other, is 1 + across * aslant + down * tilt times as far away,
and at least 0.1 times. Its own middle is where opposite sides are as near to it. All sizes are from 1 to PICTURE_MOST_SIDE,
its own pixels at most 2^30; the four other numbers are from -1 to 1. Its rows are made by `bspsat_picture_scale`. Returns
NULL when memory is used up, and for other numbers; `bspsat_picture_free` frees it. */
DOOR struct bspsat_picture *bspsat_picture_new (int64_t source_width, int64_t source_height, int64_t width,
                                                int64_t height, double cosine, double sine, double aslant, double tilt);

/* Frees a picture; NULL is nothing. */
DOOR void bspsat_picture_free (struct bspsat_picture *);

/* Makes some rows from red, green and blue of the picture as it came, row by row, with two tables: the light of each of
the 256 levels of sRGB, and the cube roots of PICTURE_LEVELS + 2 levels of light, from 0 to 1 and to 2. Returns the rows that are
left, or BSPSAT_INVALID for other tables; call it until that is 0: before, all that follows is BSPSAT_INVALID. */
DOOR int64_t bspsat_picture_scale (struct bspsat_picture *, const uint8_t *source, const double *light,
                                   const double *roots);

/* Finds flat regions that may be cells or the insides of tubes; pixels of one that are two apart differ by at most `step`
in Lab, 0 to 1000. Or, if `objects` isn't 0, all connected parts beside the largest of them, the ground. Returns their
number; `regions` is set to them, which stay until the next call. */
DOOR int64_t bspsat_picture_regions (struct bspsat_picture *, int64_t step, int64_t objects,
                                     const struct bspsat_region **regions);

/* Writes what places look like into `looks`, which has room for as many. Returns BSPSAT_FOUND, as the others below. */
DOOR int64_t bspsat_picture_look (const struct bspsat_picture *, int64_t places, const struct bspsat_place *,
                               struct bspsat_look *looks);

/* Writes how different looks are into `apart`, [looks, looks]: of their colours, and of their patterns with less
weight. */
DOOR void bspsat_looks_compare (int64_t looks, const struct bspsat_look *, int32_t *apart);

/* Writes the mean change of lightness between the columns beside each, from one row to another, into `line`, [width].
BSPSAT_INVALID where that are no rows. */
DOOR int64_t bspsat_picture_line (const struct bspsat_picture *, int64_t top, int64_t bottom, double *line);

/* Writes how like a pattern a line of `width` columns is around each place, from `reach` columns before it to as many
behind it, into `like`, [width + 2 * reach]. The pattern has 2 * reach + 1 columns; from each of two distances from its
middle on it counts, and the liker one is taken. BSPSAT_INVALID for a `width` below 1 and what else isn't from 0 to 2^30. */
DOOR int64_t bspsat_line_compare (int64_t width, const double *line, int64_t reach, const double *pattern,
                               const double *inner, double *like);

#endif
