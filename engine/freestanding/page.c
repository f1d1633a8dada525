/* What the page's module has in the place of a C library: an allocator in the module's own memory, and `memcmp`. Filling
and copying are instructions of WebAssembly.

Free blocks form a list by address, and neighbours are joined, so that what one search leaves serves the next, whatever
its size. An array that grows at the end of what is used grows in place. There are some dozens of blocks at a time. */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 1 << 16, HEAD = 16 };

struct block {
  size_t size;        // with its head
  struct block *next; // by address, where it is free
};

extern unsigned char __heap_base; // the linker's: behind the stack and constants

static struct block *first; // free one
static uintptr_t top;       // of what was ever handed out

static size_t rounded (size_t size) { return (size + HEAD + HEAD - 1) & ~(size_t) (HEAD - 1); }

static uintptr_t end_of (const struct block *block) { return (uintptr_t) block + block->size; }

/* Makes the memory reach `size` bytes beyond an address; false where the browser has no more. */
static bool reach (uintptr_t from, size_t size) {
  uintptr_t have = __builtin_wasm_memory_size (0) * PAGE;
  if (size > UINTPTR_MAX - PAGE - from)
    return false;
  return from + size <= have || __builtin_wasm_memory_grow (0, (from + size - have + PAGE - 1) / PAGE) != SIZE_MAX;
}

/* Cuts a block in two where more than a head is left over, and frees the rest. */
static void cut (struct block *block, size_t size) {
  if (block->size < size + 2 * HEAD)
    return;
  struct block *rest = (struct block *) ((uintptr_t) block + size);
  rest->size = block->size - size;
  block->size = size;
  free ((unsigned char *) rest + HEAD);
}

void *malloc (size_t wanted) {
  if (wanted > SIZE_MAX / 2)
    return NULL;
  size_t size = rounded (wanted);
  struct block **link = &first;
  for (struct block *block = first; block; link = &block->next, block = block->next)
    if (block->size >= size) {
      *link = block->next;
      cut (block, size);
      return (unsigned char *) block + HEAD;
    }
  if (!top)
    top = rounded ((uintptr_t) &__heap_base);
  struct block *block = (struct block *) top;
  if (!reach (top, size))
    return NULL;
  top += size;
  block->size = size;
  return (unsigned char *) block + HEAD;
}

void free (void *array) {
  if (!array)
    return;
  struct block *block = (struct block *) ((unsigned char *) array - HEAD), *before = NULL, *after = first;
  for (; after && after < block; after = after->next)
    before = after;
  if (after && end_of (block) == (uintptr_t) after) {
    block->size += after->size;
    after = after->next;
  }
  block->next = after;
  if (before && end_of (before) == (uintptr_t) block) {
    before->size += block->size;
    before->next = after;
    block = before;
  } else if (before)
    before->next = block;
  else
    first = block;
  if (end_of (block) != top)
    return;
  top = (uintptr_t) block; // nothing lies behind it: so the last free block never touches `top`
  struct block **link = &first;
  while (*link != block)
    link = &(*link)->next;
  *link = NULL;
}

void *calloc (size_t number, size_t size) {
  if (size && number > SIZE_MAX / size)
    return NULL;
  void *array = malloc (number * size);
  return array ? memset (array, 0, number * size) : NULL;
}

void *realloc (void *array, size_t wanted) {
  if (!array)
    return malloc (wanted);
  if (wanted > SIZE_MAX / 2)
    return NULL;
  struct block *block = (struct block *) ((unsigned char *) array - HEAD);
  size_t size = rounded (wanted);
  if (end_of (block) == top && reach ((uintptr_t) block, size)) {
    block->size = size;
    top = end_of (block);
    return array;
  }
  if (size <= block->size) {
    cut (block, size);
    return array;
  }
  void *grown = malloc (wanted);
  if (!grown)
    return NULL;
  memcpy (grown, array, block->size - HEAD);
  free (array);
  return grown;
}

int memcmp (const void *left, const void *right, size_t size) {
  const unsigned char *a = left, *b = right;
  for (; size; size--, a++, b++)
    if (*a != *b)
      return *a < *b ? -1 : 1;
  return 0;
}
