/* The engine: a C11 library that searches boards of sort puzzles. This is its whole door.

common.h says how handles, long calls and errors go. */

#ifndef BSPSAT_H
#define BSPSAT_H

#include "beam/beam.h"
#include "common.h"
#include "contents/board.h"
#include "graph/graph.h"
#include "search/search.h"
#include "anywhere/anywhere.h"
#include "batches/batches.h"

#endif
