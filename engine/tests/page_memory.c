/* The allocator of the page's module by itself, in memory that stands for a tab's: blocks of random sizes come, grow,
shrink and go. None may lose a byte, and when all are gone, all that was ever used is free in one piece. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGES = 16, BLOCKS = 24, STEPS = 1000000 };

_Alignas (1 << 16) unsigned char memory[PAGES << 16];
extern unsigned char heap_base __asm__ ("memory");
static uintptr_t pages = 1;

static uintptr_t memory_size (int which) { return which ? 0 : ((uintptr_t) memory >> 16) + pages; }

static uintptr_t memory_grow (int which, uintptr_t more) {
  if (which || more > PAGES - pages)
    return SIZE_MAX;
  return pages += more;
}

#define __builtin_wasm_memory_size memory_size
#define __builtin_wasm_memory_grow memory_grow
#define __heap_base heap_base
#define malloc page_malloc
#define calloc page_calloc
#define realloc page_realloc
#define free page_free
#define memcmp page_memcmp
void page_free (void *);
int page_memcmp (const void *, const void *, size_t);
#include "../freestanding/page.c"

static void check (bool condition, const char *what) {
  if (condition)
    return;
  fprintf (stderr, "page_memory: %s\n", what);
  abort ();
}

static uint32_t chance (void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (state >> 33);
}

int main (void) {
  unsigned char *blocks[BLOCKS] = { 0 };
  size_t sizes[BLOCKS] = { 0 };
  long refused = 0;
  for (long step = 0; step < STEPS; step++) {
    uint32_t which = chance () % BLOCKS;
    size_t size = chance () % (1u << chance () % 20);
    for (size_t at = 0; at < sizes[which]; at += 1 + sizes[which] / 16)
      check (blocks[which][at] == which, "a block lost a byte");
    unsigned char *block = NULL;
    if (chance () % 3 && !(block = page_realloc (blocks[which], size))) {
      refused++;
      continue;
    }
    if (!block) {
      page_free (blocks[which]);
      size = 0;
    }
    check ((uintptr_t) block % 16 == 0, "a block has no place for wide items");
    for (size_t at = 0; at < size && at < sizes[which]; at += 1 + size / 16)
      check (block[at] == which, "a block lost a byte when it grew");
    if (size)
      memset (block, (int) which, size);
    blocks[which] = block, sizes[which] = size;
  }
  for (uint32_t which = 0; which < BLOCKS; which++)
    page_free (blocks[which]);
  check (!first && top == rounded ((uintptr_t) memory), "free memory is in pieces");
  check (refused > 0 && pages == PAGES, "the memory was never full");
  check (!page_malloc (SIZE_MAX - 8) && !page_calloc (SIZE_MAX / 2, 3), "more than all memory was handed out");
  return 0;
}
