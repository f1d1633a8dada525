/* What all parts of the door share: how functions are seen from outside, and how calls end.

A part has a folder, its part of the door a header there (`search/search.h`); `bspsat.h` includes all but
those of apps, which are in the app's folder. What callers may use begins with `bspsat_`. A handle comes from `…_new`,
which returns NULL when memory is used up, and goes by `…_free`. Calls that may take long get a number of steps, return BSPSAT_PAUSED when it is used up, and are
called again: so a caller can stop between any two.

A handle knows what was begun with it. A call whose turn it isn't, and numbers that no call takes, answer BSPSAT_INVALID
(a `…_new` that has no status: NULL) and change nothing but where it says so. What can't be checked is the caller's part:
pointers are to as much as is said, a handle is used until its `…_free` and by one thread at a time, but for
`bspsat_search_help`, and what was made of another handle is freed first. Other files begin with their idea, and where its proof is. */

#ifndef COMMON_H
#define COMMON_H

#include <stdint.h>

#if defined _WIN32
#define DOOR __declspec (dllexport)
#else
#define DOOR __attribute__ ((visibility ("default")))
#endif

/* How a call ends. */
enum bspsat_status {
  BSPSAT_INVALID = -2,  // the arguments are no board, or don't fit together, or it isn't this call's turn
  BSPSAT_MEMORY = -1,   // memory is used up
  BSPSAT_FOUND = 1,     // a goal, or what was asked for
  BSPSAT_EXHAUSTED = 2, // nothing is left
  BSPSAT_PAUSED = 3,    // the steps of this call are used up
};

#endif
