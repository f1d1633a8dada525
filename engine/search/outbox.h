/* What a part of a search that is spread has done in a round (parallel.c): children on the way to other parts. */

#ifndef OUTBOX_H
#define OUTBOX_H

#include "search/store.h"

enum { BATCH = 32 }; // states that a part expands in a round, at most

/* A child on its way to its part; behind it comes its key. */
struct sent {
  uint64_t hash, homes;
  int32_t cost, parent;
  int32_t next; // the next one for the same part, as a distance in bytes; NOTHING for none
};

struct outbox {
  char *sent;                         // [bytes]
  int64_t bytes, used;
  int32_t first[PARTS], last[PARTS];  // children for each part
  int32_t batch[BATCH], batched;      // the states of this round
  int64_t expansions;                 // before it
  enum bspsat_status status;          // of this part's work in this round
};

/* Keeps a child of the state in work for the part that it belongs to; false when memory is used up. */
bool send (struct bspsat_search *, uint64_t hash, uint64_t homes, int32_t cost, const uint64_t *key);

#endif
