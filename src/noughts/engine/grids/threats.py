"""Wins by threats alone: every move threatens to complete a line, so every reply is forced.

::

    . . . . . . .        a: threatens to complete the row at b, where O has to answer
    O X a X X b .        c: threatens along the column at d; O answers there, and so on
    . . c . . . .        until a move makes two threats at once: then one reply is not enough
    . . X . . . .
    . . X . . . .

There is no choice for the defender, so a win is one line of moves, not a tree, and the search
for it is quick and deep where ordinary search has to look at every reply. That it is a win is
proved, and within how many plies: not to answer only loses sooner.

**Zones.** If the opponent would win by threats were it their turn, a move that changes nothing
about it loses. A move may spoil the win only on one of these cells, its *zone*:

- where either side plays in it, or where it ends;
- the empty cells of lines that the defender, with one mark more, could complete in the
  course of it: at each of the defender's turns, those with at most two to go.

A move anywhere else leaves every threat as it was, and gives the defender no chance to
complete a line instead of answering, nor to threaten one that the attacker's next move would
not block anyway. So all other moves are proved to lose, without looking at them.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.grids.board import (
    EMPTY,
    NOWHERE,
    ONE_TO_GO,
    TWO_TO_GO,
    Board,
    Layout,
    completions,
    place,
    take_back,
)

__all__ = [
    "LONGEST",
    "NODES",
    "NODE_LIMIT",
    "STOP",
    "Chain",
    "mark_zone",
    "new_chain",
    "win_by_threats",
]

NODES, NODE_LIMIT, STOP = 0, 1, 2  # in `counters`
LONGEST = 64  # the most threats in a row
_SLOTS = 1 << 15  # of positions known to hold no win by threats
_FIRST = 1 << 62  # above the rank of any cell


class Chain(NamedTuple):
    """The working space of a search for threats; the first index is how many went before."""

    threat: NDArray[np.int64]  # the attacker's move
    reply: NDArray[np.int64]  # the defender's; behind the last threat, where a line is completed
    rank: NDArray[np.int64]  # of the threat tried last; those below it are still to be tried
    only: NDArray[np.int64]  # where the attacker has to play, to block in turn, or NOWHERE
    barren: NDArray[np.int64]  # hashes of positions without a win by threats,
    barren_for: NDArray[np.int64]  # of so many at most
    side_key: NDArray[np.int64]  # [side]: what being the attacker adds to the hash
    counters: NDArray[np.int64]  # nodes, their limit, whether to stop; the whole search's


def new_chain(seed: int = 0) -> Chain:
    """Return the working space for one search."""
    rng = np.random.default_rng(seed)
    return Chain(
        threat=np.zeros(LONGEST + 1, np.int64),
        reply=np.zeros(LONGEST + 1, np.int64),
        rank=np.zeros(LONGEST + 1, np.int64),
        only=np.zeros(LONGEST + 1, np.int64),
        barren=np.zeros(_SLOTS, np.int64),
        barren_for=np.zeros(_SLOTS, np.int64),
        side_key=rng.integers(-(2**63), 2**63, 2, np.int64),
        counters=np.zeros(3, np.int64),
    )


@bare_kernel
def win_by_threats(
    layout: Layout, board: Board, chain: Chain, attacker: int, most: int, budget: int
) -> int:
    """Return within how many plies the attacker, to move, wins by at most so many threats.

    0 if no such win is found with about `budget` nodes. Nobody can complete a line at once.
    The win stays in `chain`: `mark_zone` reads it.
    """
    if board.near_count[attacker, TWO_TO_GO] == 0:
        return 0
    defender = 1 - attacker
    counters = chain.counters
    end = min(counters[NODES] + budget, counters[NODE_LIMIT])
    level, plies = 0, 0
    chain.rank[0] = _FIRST
    chain.only[0] = NOWHERE
    while plies == 0:
        cell = NOWHERE
        if level < most and not _is_barren(board, chain, attacker, most - level):
            cell = _next_threat(layout, board, chain, attacker, level)
        if cell == NOWHERE:
            if level < most:
                _note_barren(board, chain, attacker, most - level)
            if level == 0:
                break
            level -= 1
            take_back(layout, board, defender, chain.reply[level])
            take_back(layout, board, attacker, chain.threat[level])
            continue
        counters[NODES] += 1
        if counters[NODES] > end or counters[STOP] != 0:
            break
        place(layout, board, attacker, cell)
        reply, second = completions(board, attacker)
        chain.threat[level], chain.reply[level] = cell, reply
        if second != NOWHERE:
            take_back(layout, board, attacker, cell)
            chain.threat[level + 1] = second
            plies = 2 * level + 3
            break
        place(layout, board, defender, reply)
        level += 1
        chain.rank[level] = _FIRST
        chain.only[level], second = completions(board, defender)
        if second != NOWHERE:
            chain.rank[level] = -1  # nothing is to be tried: both cannot be blocked
    while level > 0:
        level -= 1
        take_back(layout, board, defender, chain.reply[level])
        take_back(layout, board, attacker, chain.threat[level])
    return plies


@bare_kernel
def _next_threat(layout: Layout, board: Board, chain: Chain, attacker: int, level: int) -> int:
    """Return the most promising cell not yet tried whose mark threatens to complete a line."""
    below, only = chain.rank[level], chain.only[level]
    best, found = -1, NOWHERE
    for i in range(board.near_count[attacker, TWO_TO_GO]):
        line = board.near[attacker, TWO_TO_GO, i]
        for j in range(layout.k):
            cell = layout.lines[line, j]
            if board.mark[cell] != EMPTY or (only != NOWHERE and cell != only):
                continue
            rank = np.int64(board.pull[attacker, cell]) * layout.cells + layout.taste[cell]
            if best < rank < below:
                best, found = rank, cell
    chain.rank[level] = best
    return found


@bare_kernel
def _is_barren(board: Board, chain: Chain, attacker: int, most: int) -> bool:
    key = board.hash[0] ^ chain.side_key[attacker]
    slot = key & (_SLOTS - 1)
    return bool(chain.barren[slot] == key and chain.barren_for[slot] >= most)


@bare_kernel
def _note_barren(board: Board, chain: Chain, attacker: int, most: int) -> None:
    key = board.hash[0] ^ chain.side_key[attacker]
    slot = key & (_SLOTS - 1)
    chain.barren[slot], chain.barren_for[slot] = key, most


@bare_kernel
def mark_zone(
    layout: Layout, board: Board, chain: Chain, attacker: int, plies: int, zone: NDArray[np.int8]
) -> None:
    """Mark the cells on which a move can spoil the win by threats that was just found."""
    defender = 1 - attacker
    last = (plies - 3) // 2
    for cell in range(layout.cells):
        zone[cell] = 0
    for level in range(last + 1):
        zone[chain.threat[level]] = zone[chain.reply[level]] = 1
        place(layout, board, attacker, chain.threat[level])
        for kind in (ONE_TO_GO, TWO_TO_GO):
            for i in range(board.near_count[defender, kind]):
                line = board.near[defender, kind, i]
                for j in range(layout.k):
                    zone[layout.lines[line, j]] = 1
        place(layout, board, defender, chain.reply[level])
    zone[chain.threat[last + 1]] = 1
    for level in range(last, -1, -1):
        take_back(layout, board, defender, chain.reply[level])
        take_back(layout, board, attacker, chain.threat[level])
