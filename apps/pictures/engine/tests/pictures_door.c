/* The door of pictures in the wrong order, see door.h. */

#include "../pixels.h"
#include "door.h"

enum { MOST_ROOM = 1 << 16 };

static struct { struct bspsat_picture *made; uint8_t *source; int64_t width; } pictures[EACH];

static void free_all (int at) {
  bspsat_picture_free (pictures[at].made), free (pictures[at].source);
  pictures[at].made = NULL, pictures[at].source = NULL;
}

static double draw_share (void) { return draw (9) ? (double) draw (200) / 100 - 1 : draw (2) ? 1e300 : 0.0 / (double) draw (1); }

static void call_picture_new (void) {
  free_all (handle);
  const bool has_sense = draw (4);
  const int64_t sides[] = {has_sense ? 1 + draw (20) : draw_odd (), has_sense ? 1 + draw (20) : draw_odd ()};
  const int64_t width = has_sense ? 1 + draw (20) : draw_odd (), height = has_sense ? 1 + draw (20) : draw_odd ();
  pictures[handle].made = bspsat_picture_new (sides[0], sides[1], width, height, 1, 0, draw_share () / 1000, draw_share () / 1000);
  pictures[handle].width = width;
  CHECK (has_sense || !pictures[handle].made || sides[0] * sides[1] < MOST_ROOM);
  if (pictures[handle].made)
    pictures[handle].source = room_for (3 * sides[0] * sides[1], 1);
}

static void call_picture (void) {
  static double light[256], roots[PICTURE_LEVELS + 2];
  struct bspsat_place places[3];
  struct bspsat_look looks[3];
  const struct bspsat_region *regions;
  int32_t apart[9];
  struct bspsat_picture *picture = pictures[handle].made;
  if (!picture)
    return;
  for (int64_t left = draw (2); left > 0;) {
    light[draw (256)] = draw (400) ? (double) draw (100) / 100 : draw_share ();
    left = bspsat_picture_scale (picture, pictures[handle].source, light, roots);
    if (left == BSPSAT_INVALID)
      memset (light, 0, sizeof light);
  }
  bspsat_picture_regions (picture, draw_number (20), draw (2), &regions);
  for (int place = 0; place < 3; place++)
    places[place] = (struct bspsat_place) {(int32_t) draw_odd (), (int32_t) draw (300), (int32_t) draw (300), (int32_t) draw_odd ()};
  memset (looks, (int) draw (256), sizeof looks);
  bspsat_picture_look (picture, (int64_t) draw (4), places, looks);
  looks[draw (3)].parts[1][0] = (int32_t) draw_odd ();
  bspsat_looks_compare (draw (4), looks, apart);
  double *line = room_for (pictures[handle].width, sizeof *line), *like = room_for (pictures[handle].width + 6, sizeof *like);
  double *pattern = room_for (7, sizeof *pattern);
  const double inner[] = {(double) draw (5), draw_share () + 1};
  bspsat_picture_line (picture, draw_number (20), draw_number (20), line);
  bspsat_line_compare (pictures[handle].width, line, draw (4) ? 3 : -1, pattern, inner, like);
  free (line), free (like), free (pattern);
}

static void (*const CALLS_OF_DOOR[]) (void) = {
    call_picture_new, call_picture};

static const struct part PART = {CALLS_OF_DOOR, NUMBER_OF (CALLS_OF_DOOR), free_all};
