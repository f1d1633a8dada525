/* The bound BY_PAIR, see bounds.c for the others.

Two colours, each with its tube, and a third tube, the reserve, all of one capacity. Say that home A, of the a's,
is cleared before home B, of the b's (a home in which all balls are kept is cleared at the start), and that no ball moves
more often than BY_OWN counts. Then the a's in B go straight to A, the balls in the reserve go straight home, and the others
that aren't kept, the b's in A, the a's in A and the b's in B, move twice: out of their tube and then home.
When B is cleared, by its lowest ball y that isn't kept (an a, which goes to A), these lie in the reserve:

* All b's of A, and all b's of B that aren't kept. Where else? Put on B, they would have to leave it again, as y is below.
  Put on A, a b would lie under y, which then would move again.
* If A isn't clean at first: its lowest ball x that isn't kept is a b; it leaves last, and goes to the reserve. Until then
  no home is cleared, so what was in the reserve at first hasn't left it; then it lies under x, and x stays.
* For the same reason the a's of A which were put into the reserve before x. All a's of A are parked at one time, just
  before x leaves; those in B lie on what was there at first but for the b's on top of it, as its a's don't leave before A
  is cleared. So at most (room in B) + (b's on top of B) of them are parked there.
* If A is clean at first: what lies in the reserve at first at or below its topmost b, which stays until B is cleared.

If these are more than the capacity, some ball moves once more. The bound is the less of both orders. */

#include "anywhere/space.h"

#include <string.h>

/* The balls of a tube as a word, colours 0 and 1. */
static uint64_t word_of (const struct position *position, int32_t tube) {
  const int32_t load = position->load[tube];
  uint64_t word = 0, eight;
  for (int32_t ball = 0; ball < load; ball += 8) {
    memcpy (&eight, position->balls[tube] + ball, sizeof eight);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64 (eight);
#endif
    word |= (eight * UINT64_C (0x0102040810204080) >> 56) << ball;
  }
  return load < 64 ? word & ((UINT64_C (1) << load) - 1) : word;
}

int32_t bound_of_pair (const struct bspsat_anywhere *search, const struct position *position) {
  const int32_t *home = search->home, reserve = 3 - home[0] - home[1];
  const int32_t capacity = search->rules[reserve].capacity;
  int32_t own[2], others[2], moves = position->load[reserve], best = NO_PLAN;
  uint64_t words[2];
  for (int32_t colour = 0; colour < 2; colour++) {
    const int32_t tube = home[colour], kept = kept_in (search, position, tube, colour);
    const int32_t rest = position->load[tube] - kept;
    words[colour] = word_of (position, tube);
    const int32_t ones = rest ? __builtin_popcountll (words[colour] >> kept) : 0;
    own[colour] = colour ? ones : rest - ones, others[colour] = rest - own[colour];
    moves += 2 * own[colour] + others[colour];
  }
  for (int32_t a = 0; a < 2; a++) {
    const int32_t b = 1 - a, in_b = position->load[home[b]];
    int32_t cost = others[a];
    if (own[b] + others[b]) {
      // Balls up to the topmost one of the other colour, which there is: in B an a, in the reserve perhaps a b.
      const uint64_t of_b = b ? words[b] : ~words[b], below = in_b < 64 ? (UINT64_C (1) << in_b) - 1 : ~UINT64_C (0);
      int32_t stuck = position->load[reserve];
      if (own[a] + others[a]) {
        const int32_t on_top = in_b - 64 + __builtin_clzll (~of_b & below);
        stuck += others[a] + most_of (0, own[a] - (capacity - in_b + on_top));
      } else
        while (stuck && position->balls[reserve][stuck - 1] != b)
          stuck--;
      cost += stuck + own[b] > capacity;
    }
    best = least (best, cost);
  }
  return moves + best;
}
