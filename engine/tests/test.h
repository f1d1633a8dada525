/* What the tests share: chance that is the same on every machine, and how a test fails. */

#ifndef TEST_H
#define TEST_H

#include "bspsat.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t chance_state = 1;

/* Begins anew, so that a case can be run by its number alone. */
static inline void begin_case (uint64_t number) { chance_state = number * 2654435769u + 1; }

static inline uint32_t chance (uint32_t below) {
  chance_state = chance_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) ((chance_state >> 33) % below);
}

/* A number between both, which are included. */
static inline int chance_in (int least, int most) { return least + (int) chance ((uint32_t) (most - least + 1)); }

#define CHECK(condition) check (condition, #condition, __FILE__, __LINE__)

static long test_case; // the number of the case in work

static inline void check (bool condition, const char *words, const char *file, int line) {
  if (condition)
    return;
  fprintf (stderr, "%s:%d: case %ld: not true: %s\n", file, line, test_case, words);
  abort ();
}

/* Tries cases: as many as the first argument says, or the usual number, from the one on that the second does. */
static inline int try_cases (int argc, char **argv, long usual, void (*try_case) (void)) {
  const long first = argc > 2 ? atol (argv[2]) : 0, number = argc > 1 ? atol (argv[1]) : usual;
  for (test_case = first; test_case < first + number; test_case++) {
    begin_case ((uint64_t) test_case);
    try_case ();
  }
  return 0;
}

#endif
