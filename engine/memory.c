/* Memory of the system, see memory.h. */

#if defined __linux__ && !defined _GNU_SOURCE
#define _GNU_SOURCE // mremap, MADV_HUGEPAGE
#endif

#include "memory.h"

#include <stdbool.h>
#include <stdlib.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

int64_t memory_refused_after = -1;

static bool is_refused (int64_t bytes) {
  if (bytes < 0 || bytes >= TOO_MANY || (uint64_t) bytes > SIZE_MAX / 2)
    return true;
  if (memory_refused_after > 0)
    memory_refused_after--;
  return memory_refused_after == 0;
}

void *take (int64_t bytes) { return is_refused (bytes) ? NULL : malloc (bytes ? (size_t) bytes : 1); }

void *take_zeros (int64_t bytes) { return is_refused (bytes) ? NULL : calloc (1, bytes ? (size_t) bytes : 1); }

void give_back (void *block) { free (block); }

/*------------------------------------------------------------------------*/

#ifdef __linux__

enum { MAPPED = 1 << 22 }; // bytes from which on a block is mapped: it takes longer than a small search

static void *map (int64_t bytes) {
  void *block = mmap (NULL, (size_t) bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED)
    return NULL;
  madvise (block, (size_t) bytes, MADV_HUGEPAGE); // a system without large pages goes on with small ones
  return block;
}

void *take_large (int64_t bytes) {
  if (bytes < MAPPED)
    return take (bytes);
  return is_refused (bytes) ? NULL : map (bytes);
}

void *resize_large (void *block, int64_t bytes, int64_t wanted) {
  if (is_refused (wanted))
    return NULL;
  if (bytes < MAPPED && wanted < MAPPED)
    return realloc (block, wanted ? (size_t) wanted : 1);
  if (bytes >= MAPPED && wanted >= MAPPED) {
    void *moved = mremap (block, (size_t) bytes, (size_t) wanted, MREMAP_MAYMOVE);
    if (moved == MAP_FAILED)
      return NULL;
    madvise (moved, (size_t) wanted, MADV_HUGEPAGE);
    return moved;
  }
  char *moved = wanted < MAPPED ? malloc (wanted ? (size_t) wanted : 1) : map (wanted);
  if (!moved)
    return NULL;
  const int64_t kept = bytes < wanted ? bytes : wanted;
  for (int64_t byte = 0; byte < kept; byte++)
    moved[byte] = ((char *) block)[byte];
  give_back_large (block, bytes);
  return moved;
}

void give_back_large (void *block, int64_t bytes) {
  if (!block)
    return;
  if (bytes < MAPPED)
    free (block);
  else
    munmap (block, (size_t) bytes);
}

#else

void *take_large (int64_t bytes) { return take (bytes); }

void *resize_large (void *block, int64_t bytes, int64_t wanted) {
  (void) bytes;
  return is_refused (wanted) ? NULL : realloc (block, wanted ? (size_t) wanted : 1);
}

void give_back_large (void *block, int64_t bytes) {
  (void) bytes;
  free (block);
}

#endif
