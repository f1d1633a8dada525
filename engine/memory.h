/* TEMPORARY until the lead's */
#ifndef MEMORY_H
#define MEMORY_H
#include <stdint.h>
#include <stdlib.h>
static inline void *take (int64_t bytes) { return malloc ((size_t) bytes); }
static inline void *take_zeros (int64_t bytes) { return calloc (1, (size_t) bytes); }
static inline void give_back (void *memory) { free (memory); }
#endif
