"""Draws that need no search: pairs of cells, and Erdős and Selfridge's potential.

**Pairs.** If the defender reserves two empty cells and always answers the attacker's move on
one of them with the other, every line through both is dead.

**Potential.** Give a line that the attacker can still complete the weight 2**-n, n being its
cells to go. A move of the attacker doubles the weight of the lines through its cell, a move of
the defender takes theirs away. If the weights add up to less than 1 and the defender is to
move, taking the cell with the most weight each time keeps the sum below 1 for ever, while a
completed line would have weight 1. If the attacker is to move, less than 1/2 will do.

**Both.** The attacker gets one cell of each pair, so for the lines that no pair kills the
reserved cells count as the attacker's; then the potential of those lines decides. A pair is
worth it if it takes more weight away than it adds::

    line     weight                  reserving the two cells marked p
    a  XX.p.p   1/16 -> gone
    b     p...   1/16 -> 1/8         so: pairs that kill heavy lines and touch light ones
"""

from __future__ import annotations

from noughts.kernels import bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.solving.arena import PAIRS, Arena, Workspace
from noughts.solving.bits import EMPTY, cell_of, lowest, popcount

__all__ = ["is_drawn"]


@bare_kernel
def is_drawn(arena: Arena, work: Workspace, ply: int, moves: int, bound: float) -> bool:
    """Return whether pairs and potential stop all lines that `moves` moves could complete.

    `bound` is 1 if the defender is to move, 1/2 if the attacker is. The pairs are left in
    ``work.pairs``, the relevance zone in ``work.zone[ply]``.
    """
    free, line_weight, cell_weight = work.free, work.line_weight, work.cell_weight
    a = work.attacker[ply]
    work.counters[PAIRS] = 0
    count = 0
    total = 0.0
    cell_weight[: arena.cells] = 0.0
    for i in range(work.attacking_count[ply]):
        rest = work.attacking[ply, i] & ~a
        to_go = popcount(rest)
        if to_go <= moves:
            free[count] = rest
            weight = arena.weights[to_go]
            line_weight[count] = weight
            total += weight
            count += 1
            while rest != EMPTY:
                bit = lowest(rest)
                rest ^= bit
                cell_weight[cell_of(bit)] += weight
    reserved = EMPTY
    while total >= bound:
        before = total
        i = 0
        while i < count and total >= bound:
            pair, gain = _best_pair(work, i, count)
            if gain <= 0.0:
                i += 1
                continue
            reserved |= pair
            total -= gain
            index = work.counters[PAIRS]
            work.pairs[index, 0] = cell_of(lowest(pair))
            work.pairs[index, 1] = cell_of(pair ^ lowest(pair))
            work.counters[PAIRS] = index + 1
            count = _reserve(work, count, pair)  # line i is gone, another is in its place
        if total == before:
            return False
    for i in range(count):
        reserved |= free[i]
    work.zone[ply] = reserved
    return True


@bare_kernel
def _best_pair(work: Workspace, i: int, count: int) -> tuple[np.uint64, float]:
    """Return the two cells of a line that gain most as a pair, and how much."""
    free, cell_weight = work.free, work.cell_weight
    best, most = EMPTY, 0.0
    firsts = free[i]
    while firsts != EMPTY:
        first = lowest(firsts)
        firsts ^= first
        seconds = firsts
        while seconds != EMPTY:
            second = lowest(seconds)
            seconds ^= second
            # Lines through both go; those through one of the two double.
            touched = cell_weight[cell_of(first)] + cell_weight[cell_of(second)]
            pair = first | second
            killed = 0.0
            if touched < 6.0 * work.line_weight[i]:
                for j in range(count):
                    if free[j] & pair == pair:
                        killed += work.line_weight[j]
            gain = 3.0 * killed - touched
            if gain > most:
                best, most = pair, gain
    return best, most


@bare_kernel
def _reserve(work: Workspace, count: int, pair: np.uint64) -> int:
    """Take a pair and the lines through both its cells out; return how many lines are left."""
    free, line_weight, cell_weight = work.free, work.line_weight, work.cell_weight
    kept = 0
    for j in range(count):
        rest, weight = free[j], line_weight[j]
        change = 0.0
        if rest & pair == pair:
            change = -weight
        elif rest & pair != EMPTY:
            change = weight
        if change != 0.0:
            rest &= ~pair
            cells = rest
            while cells != EMPTY:
                bit = lowest(cells)
                cells ^= bit
                cell_weight[cell_of(bit)] += change
        if change >= 0.0:
            free[kept] = rest
            line_weight[kept] = weight + change
            kept += 1
    return kept
