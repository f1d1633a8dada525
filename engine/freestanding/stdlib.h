/* What the engine uses of <stdlib.h>, for platforms whose own isn't there while it is built. */

#include <stddef.h>

void *malloc (size_t);
void *calloc (size_t, size_t);
void *realloc (void *, size_t);
void free (void *);
