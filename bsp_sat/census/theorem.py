"""Classes that a theorem decides: those with at least n − 1 empty tubes, and those of capacity 2 and less.

**Theorem.** With n ≥ 2 colours and n − 1 empty tubes, every board of capacity h can be solved if and only if h < nⁿ.
With n empty tubes or more, every board can be solved. With two empty tubes or more, every board of capacity 2 can be
solved; boards of capacity 1 are solved already.

The proof is about the tables of `bsp_sat.backends.search.borders`. A path through them is a plan by the theorem of Ito
et al. (FUN 2022, doi 10.4230/LIPIcs.FUN.2022.16), and without one there is no plan.

A colour has h balls, so it needs one tube or none. If k plus the number of tubes without borders is n or more, every
border may go, and so may all after it. That proves the second sentence, and for k = n − 1 leaves tables in which each
tube has a border. For such a table let e_i be the number of balls above tube i's border, and D_c = F_c − G_c, where G_c
counts the places of all tubes. The D_c add up to 0, since F and G both count each of the e_i. If a is the colour right
above tube i's border, that border may go **unless D_c ≥ 1 for all c ≠ a, and D_a + e_i ≥ 1**.

**If h < nⁿ.** Take any colour c, and as long as each tube has a border, let a border go

1. of a tube in which the ball right above the border isn't a c, or if there is none,
2. of a tube with e_i ≤ −D_c.

D_c ≤ 0 at all times, so these steps are allowed. At the start D_c = 0: each tube has one block above its border. After
step 1, one block more lies above the tube's border. If it isn't of colour c, D_c stays. If it is, F_c grows by its
length, and G_c by the new e_i, which is not less. After step 2 the new block isn't of colour c, so D_c grows by e_i, to
at most 0.

This ends with a tube without borders, and then the board can be solved; or with a table in which a c is right above
each border, and e_i > −D_c for all i. Say that tube i then has A_i(c) balls of c and M_i(c) others above its border.
So −D_c is the sum of all M_j(c), and

    A_i(c) ≥ 1 + Σ_{j ≠ i} M_j(c)    for each tube i.    (*)

If the board can't be solved, it ends like this for each colour. Take two colours c and c′. If c's border in tube i is
above that of c′, then M_i(c′) ≥ A_i(c). If in a tube j it is below, then M_j(c) ≥ A_j(c′). Both together give
M_i(c′) ≥ A_i(c) ≥ 1 + M_j(c) ≥ 1 + A_j(c′) ≥ 2 + M_i(c′), which can't be. So the borders of the colours are in the same
order in all tubes. Number the colours in that order, from the top, and let A(m) and M(m) be the sums over all tubes for
colour m. The balls of a colour l < m above its own borders are above those of m, so M(m) ≥ A(1) + … + A(m − 1). By (*),
A(m) ≥ n + (n − 1) M(m). By induction A(m) ≥ nᵐ, as n + (n − 1)(n + n² + … + nᵐ⁻¹) = nᵐ. So h ≥ A(n) ≥ nⁿ.

**If h ≥ nⁿ**, take n tubes that have, from the top, blocks of 1, n, n², … nⁿ⁻¹ balls of the colours 1, 2, … n, then
a ball of colour 1, and then what is left (`unsolvable_board`). There are enough balls: block l takes nˡ ≤ h of its
colour. In no reachable table has a tube a lower border than that below its block n. To see this, take a table in which
tube i has just that border, and m_l tubes have the one below block l. Let E_l = 1 + n + … + nˡ⁻¹. For l < n,
D_l = nˡ⁻¹(m_l + … + m_n) − m_l E_l = nˡ⁻¹(m_{l+1} + … + m_n) − m_l E_{l−1} ≥ nˡ⁻¹ − (n − 1) E_{l−1} = 1, as m_n ≥ 1
and m_l ≤ n − 1. And D_n + e_i = E_n − m_n E_{n−1} ≥ E_n − n E_{n−1} = 1. So tube i's border may not
go. With complete tubes of further colours the board stays unsolvable (`bsp_sat.census.witnesses`).

**If h = 2 and k = 2.** Call tubes without borders open, and let z be their number. A tube's border may go if at most
k + z colours occur in open tubes or are that tube's top colour: D_c is the number of c in open tubes. Join the colours
of each tube by an edge. Each colour has two balls, so this graph falls into cycles. Take the tubes of one cycle after
the other, each along the cycle. Open tubes then form complete cycles, with as many colours as tubes, and perhaps a
path, with one colour more. The next tube's top colour is at most one more. That makes z + 2 ≤ k + z.
"""

from bsp_sat.census.board_class import BoardClass
from bsp_sat.instances.sorting import BallSort


def always_solvable(of: BoardClass) -> bool | None:
    """Whether every board of a class can be solved; None where the theorem doesn't say."""
    if of.empty >= of.colours or of.colours == 1 or of.capacity == 1 or (of.capacity == 2 and of.empty >= 2):
        return True
    few = of.empty + 1
    if few >= 2 and of.capacity >= few**few:
        return False
    return True if of.colours == few else None


def unsolvable_board(of: BoardClass) -> BallSort:
    """The board of the theorem for k + 1 colours and capacity (k + 1)ᵏ⁺¹ or more; complete tubes for the others."""
    n, capacity = of.empty + 1, of.capacity
    upper = bytes([0, *(colour for colour in range(n - 1, -1, -1) for _ in range(n**colour))])
    left = b"".join(bytes([colour]) * (capacity - n * upper.count(colour)) for colour in range(n))
    lower = capacity - len(upper)
    complete = b"".join(bytes([colour]) * capacity for colour in range(n, of.colours))
    return of.board(b"".join(left[tube * lower : (tube + 1) * lower] + upper for tube in range(n)) + complete)
