/* What the engine uses of <string.h>, for platforms whose own isn't there while it is built. */

#include <stddef.h>

void *memset (void *, int, size_t);
void *memcpy (void *restrict, const void *restrict, size_t);
void *memmove (void *, const void *, size_t);
int memcmp (const void *, const void *, size_t);
