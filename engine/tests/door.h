/* A part of the door in the wrong order: its calls are drawn at random on random handles, with numbers that make sense and
such that don't, while memory is refused at random. Whatever is called, a call ends, reads and writes nothing that isn't
its own (sanitizers look for that).

What includes this has the calls, and says so in `PART` at its end. As a program: the number of cases, and the first of
them. Built with -DFOR_LIBFUZZER it is a target of libFuzzer, whose bytes choose the calls: `make fuzz`. */

#ifndef DOOR_H
#define DOOR_H

#include "memory.h"
#include "test.h"

enum { EACH = 2, CALLS = 40 };

static int handle; // of the call

/* The calls of a part of the door, and what frees all that has a handle. */
static const struct part {
  void (*const *calls) (void);
  uint32_t number;
  void (*free_all) (int handle);
} PART;

#define NUMBER_OF(calls) (sizeof (calls) / sizeof *(calls))

/*------------------------------------------------------------------------*/
/* What is drawn. */

static const uint8_t *given, *given_end; // bytes of libFuzzer
static uint64_t drawn_state;

static inline uint32_t draw (uint32_t below) {
  if (given) {
    const uint32_t low = given < given_end ? *given++ : 0, high = below > 256 && given < given_end ? *given++ : 0;
    return (low | high << 8) % below;
  }
  drawn_state = drawn_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (drawn_state >> 33) % below;
}

static int64_t draw_odd (void) {
  static const int64_t odd[] = {INT64_MIN, INT32_MIN, -1, 0, 1, INT32_MAX, INT64_C (1) << 32, INT64_MAX};
  return odd[draw (8)];
}

static int64_t draw_number (uint32_t below) { return draw (8) ? draw (below) : draw_odd (); }

/* Steps of a call that may take long: few, none, or less. */
static int64_t draw_steps (void) { return draw (8) ? draw (2000) : draw (2) ? INT64_MIN : 0; }

/* Room of just so many bytes, so that one too many is noticed. */
static void *room_for (int64_t items, size_t size) {
  void *room = calloc ((size_t) items + !items, size);
  CHECK (room);
  return room;
}

/*------------------------------------------------------------------------*/

/* Draws calls; most of a case are of one part of the door, so that they come to something. */
static void call_some (int calls) {
  memory_refused_after = -1;
  uint32_t from = draw (PART.number);
  for (; calls && (!given || given < given_end); calls--) {
    if (draw (8) == 0)
      memory_refused_after = draw (3) ? -1 : (int64_t) draw (20);
    if (draw (16) == 0)
      from = draw (PART.number);
    handle = draw (6) == 0;
    PART.calls[draw (6) ? (from + draw (9)) % PART.number : draw (PART.number)] ();
  }
  for (int at = 0; at < EACH; at++)
    PART.free_all (at);
}

/* Sizes that no memory has are asked for; the sanitizer is to refuse them as a system does. */
const char *__asan_default_options (void);
const char *__asan_default_options (void) { return "allocator_may_return_null=1:max_allocation_size_mb=1024"; }
const char *__tsan_default_options (void);
const char *__tsan_default_options (void) { return "allocator_may_return_null=1:max_allocation_size_mb=1024"; }

#ifdef FOR_LIBFUZZER

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t length) {
  given = bytes, given_end = bytes + length;
  call_some (10 * CALLS);
  return 0;
}

#else

static void try_calls (void) {
  drawn_state = (uint64_t) test_case * 2654435769u + 1;
  call_some (CALLS);
}

int main (int argc, char **argv) { return try_cases (argc, argv, 10000, try_calls); }

#endif

#endif
