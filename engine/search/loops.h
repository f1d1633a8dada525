/* What the loops are to those who keep a search for many boards. */

#ifndef LOOPS_H
#define LOOPS_H

#include "search/states.h"

/* A*: as `bspsat_search_run`, but BSPSAT_MEMORY says that memory is used up, and it may go on depth first. */
enum bspsat_status go_by_rank (struct bspsat_search *, int32_t limit, int64_t budget);

#endif
