/* A search that is spread over parts goes by rounds, in which several threads can take part: engine/rounds.md.

A state belongs to the part that its hash says. In a round each part expands some of its states, those of the least
rank of all, and keeps their children by the part that they belong to; when all have done so, each part enters those
that are its own, in a fixed order. So a part is in the hands of one thread at a time, and what a round makes of the
parts depends on nothing else: not on the number of threads, nor on which is faster. */

#ifndef PARALLEL_H
#define PARALLEL_H

#include "search/store.h"

/* As `bspsat_search_run`, for a search that is spread. */
enum bspsat_status go_by_rounds (struct bspsat_search *, int32_t limit, int64_t budget, int64_t most_bytes);

/* Gives back all that a search has for its parts. */
void give_back_parts (struct bspsat_search *);

#endif
