/* The door of the census in the wrong order, see door.h. */

#include "../census.h"
#include "door.h"

static struct { struct bspsat_classes *made; int64_t places; } classes[EACH];
static struct { struct bspsat_cases *made; int64_t colours; } cases[EACH];

static void call_classes_new (void) {
  bspsat_classes_free (classes[handle].made);
  const int64_t colours = draw_number (4), capacity = draw_number (4);
  classes[handle].made = bspsat_classes_new (colours, capacity, draw_number (4));
  classes[handle].places = classes[handle].made ? colours * capacity : 0;
}

static uint8_t *draw_balls (int64_t places) {
  uint8_t *balls = room_for (places, 1);
  for (int64_t place = 0; place < places; place++)
    balls[place] = (uint8_t) draw (draw (9) ? 2 : 256);
  return balls;
}

static void call_classes_begin (void) {
  if (!classes[handle].made)
    return;
  uint8_t *balls = draw_balls (classes[handle].places);
  const int64_t begin = draw_number (6), most = classes[handle].places;
  bspsat_classes_begin (classes[handle].made, begin < most ? begin : most, balls, draw (2) ? most : draw_number (9), draw (2));
  free (balls);
}

static void call_classes_go_on (void) {
  const uint8_t *found;
  int64_t number, counted;
  if (classes[handle].made)
    bspsat_classes_go_on (classes[handle].made, draw_steps (), &found, &number, &counted);
}

static void call_classes_count_paths (void) {
  if (!classes[handle].made)
    return;
  uint8_t *balls = draw_balls (classes[handle].places);
  bspsat_classes_count_paths (classes[handle].made, balls);
  free (balls);
}

static void call_classes_count_paths_on (void) {
  double paths;
  if (classes[handle].made)
    bspsat_classes_count_paths_on (classes[handle].made, draw_steps (), &paths);
}

static void call_cases_new (void) {
  bspsat_cases_free (cases[handle].made);
  const int64_t colours = draw_number (5);
  cases[handle].made = bspsat_cases_new (colours, draw_number (5), draw_number (4), draw (8) ? 8 << draw (6) : draw_odd () | 3);
  cases[handle].colours = cases[handle].made ? colours : 0;
}

static void call_cases_begin (void) {
  struct bspsat_top tops[8];
  int32_t exposed[8];
  if (!cases[handle].made)
    return;
  for (int32_t tube = 0; tube < 8; tube++) {
    tops[tube] = (struct bspsat_top) {(int32_t) draw (draw (8) ? (uint32_t) tube + 1 : 9), 1 + (int32_t) draw (draw (8) ? 2 : 9)};
    exposed[tube] = (int32_t) draw (draw (8) ? 3 : 9);
  }
  const int64_t tubes = draw (4) ? cases[handle].colours : draw_number (8);
  if (draw (2))
    bspsat_cases_begin (cases[handle].made, tubes, tops, 1);
  else
    bspsat_cases_place (cases[handle].made, exposed, tubes, tops);
}

static void call_cases_go_on (void) {
  struct bspsat_decided decided;
  const uint8_t *proof;
  int64_t bytes;
  if (cases[handle].made)
    bspsat_cases_go_on (cases[handle].made, draw_steps (), &proof, &bytes, &decided);
}

static void call_cases_border (void) {
  int64_t border;
  if (cases[handle].made)
    bspsat_cases_border (cases[handle].made, draw_steps (), &border);
}

static void free_all (int at) {
  bspsat_classes_free (classes[at].made), classes[at].made = NULL;
  bspsat_cases_free (cases[at].made), cases[at].made = NULL;
}

static void call_free (void) { free_all (handle); }

static void (*const CALLS_OF_DOOR[]) (void) = {
    call_classes_new, call_classes_begin, call_classes_go_on, call_classes_count_paths, call_classes_count_paths_on,
    call_cases_new, call_cases_begin, call_cases_go_on, call_cases_border, call_free};

static const struct part PART = {CALLS_OF_DOOR, NUMBER_OF (CALLS_OF_DOOR), free_all};
