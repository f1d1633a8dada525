/* Children on the way to other parts of a search. */

#include "search/outbox.h"

#include "memory.h"

#include <string.h>

bool send (struct bspsat_search *search, uint64_t hash, uint64_t homes, int32_t cost, const uint64_t *key) {
  struct outbox *outbox = search->outbox;
  const int64_t words = search->packing.words, stride = (int64_t) sizeof (struct sent) + 8 * words;
  if (outbox->used + stride > outbox->bytes) {
    const int64_t bytes = 2 * outbox->bytes;
    char *sent = bytes > INT32_MAX ? 0 : resize_large (outbox->sent, outbox->bytes, bytes);
    if (!sent)
      return false;
    outbox->sent = sent, outbox->bytes = bytes;
  }
  const int32_t at = (int32_t) outbox->used, part = (int32_t) (hash % PARTS);
  struct sent *child = (struct sent *) (outbox->sent + at);
  *child = (struct sent){hash, homes, cost, search->now, NOTHING};
  memcpy (child + 1, key, 8 * (size_t) words);
  if (outbox->first[part] == NOTHING)
    outbox->first[part] = at;
  else
    ((struct sent *) (outbox->sent + outbox->last[part]))->next = at;
  outbox->last[part] = at;
  outbox->used += stride;
  return true;
}
