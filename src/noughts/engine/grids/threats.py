"""Threat-space search: wins in which every move threatens a line, so every reply is forced.

::

    . . . . . . .        a: threatens to complete the row at b, where O has to answer
    O X a X X b .        c: threatens along the column at d; O answers there, and so on
    . . c . . . .        until a move makes two threats at once: then one reply is not enough
    . . X . . . .
    . . X . . . .

The defender has no choice, so a forced win is one sequence of moves, not a tree: the search is
fast and deep where alpha-beta has to try every reply. The win and its number of plies are
proved, as a defender who does not answer a threat only loses sooner.

**Relevance zone.** Suppose the side to move would lose to a forced win if it passed. Then it
has to play a move that spoils that win, and only these cells, the zone, can do so:

- the cells where either side plays in the sequence, and the cell where it ends;
- the empty cells of lines that the defender, given one more mark, could complete on the way:
  at each of the defender's turns, the lines with at most two to go.

A move anywhere else leaves every threat as it was. It gives the defender neither a line to
complete instead of answering, nor a threat that the attacker's next move would not block
anyway. So all other moves are proved to lose, without a search.
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
    "MAX_THREATS",
    "NODES",
    "NODE_LIMIT",
    "STOP",
    "ThreatWorkspace",
    "find_forced_win",
    "mark_relevance_zone",
    "new_threat_workspace",
]

NODES, NODE_LIMIT, STOP = 0, 1, 2  # in `counters`
MAX_THREATS = 64  # in a sequence
_SLOTS = 1 << 15  # of the table of positions without a forced win
_ABOVE_ALL = 1 << 62  # above the rank of any cell


class ThreatWorkspace(NamedTuple):
    """The working space of a threat search; the first index is the number of earlier threats."""

    threat: NDArray[np.int64]  # the attacker's move; behind the last one, the completed line
    reply: NDArray[np.int64]  # the defender's move
    rank: NDArray[np.int64]  # of the threat tried last; those of lower rank are still to be tried
    block: NDArray[np.int64]  # the only cell where the attacker may play, or NOWHERE
    no_win: NDArray[np.int64]  # hashes of positions without a forced win
    no_win_within: NDArray[np.int64]  # the number of threats for which that is known
    side_key: NDArray[np.int64]  # [side]: added to the hash if that side attacks
    counters: NDArray[np.int64]  # NODES, NODE_LIMIT and STOP of the whole alpha-beta search


def new_threat_workspace(seed: int = 0) -> ThreatWorkspace:
    """Return the working space for one search."""
    rng = np.random.default_rng(seed)
    return ThreatWorkspace(
        threat=np.zeros(MAX_THREATS + 1, np.int64),
        reply=np.zeros(MAX_THREATS + 1, np.int64),
        rank=np.zeros(MAX_THREATS + 1, np.int64),
        block=np.zeros(MAX_THREATS + 1, np.int64),
        no_win=np.zeros(_SLOTS, np.int64),
        no_win_within=np.zeros(_SLOTS, np.int64),
        side_key=rng.integers(-(2**63), 2**63, 2, np.int64),
        counters=np.zeros(3, np.int64),
    )


@bare_kernel
def find_forced_win(
    layout: Layout, board: Board, threats: ThreatWorkspace, attacker: int, most: int, budget: int
) -> int:
    """Return the plies of a forced win of the attacker, who is to move; 0 if none is found.

    The win has at most `most` threats and takes about `budget` nodes to find. Neither side may
    be able to complete a line at once. The moves stay in `threats` for `mark_relevance_zone`.
    """
    if board.near_count[attacker, TWO_TO_GO] == 0:
        return 0
    defender = 1 - attacker
    counters = threats.counters
    end = min(counters[NODES] + budget, counters[NODE_LIMIT])
    level, plies = 0, 0
    threats.rank[0] = _ABOVE_ALL
    threats.block[0] = NOWHERE
    while plies == 0:
        cell = NOWHERE
        if level < most and not _has_no_win(board, threats, attacker, most - level):
            cell = _next_threat(layout, board, threats, attacker, level)
        if cell == NOWHERE:
            if level < most:
                _store_no_win(board, threats, attacker, most - level)
            if level == 0:
                break
            level -= 1
            take_back(layout, board, defender, threats.reply[level])
            take_back(layout, board, attacker, threats.threat[level])
            continue
        counters[NODES] += 1
        if counters[NODES] > end or counters[STOP] != 0:
            break
        place(layout, board, attacker, cell)
        reply, second = completions(board, attacker)
        threats.threat[level], threats.reply[level] = cell, reply
        if second != NOWHERE:
            take_back(layout, board, attacker, cell)
            threats.threat[level + 1] = second
            plies = 2 * level + 3
            break
        place(layout, board, defender, reply)
        level += 1
        threats.rank[level] = _ABOVE_ALL
        threats.block[level], second = completions(board, defender)
        if second != NOWHERE:
            threats.rank[level] = -1  # no move is worth trying: two cells cannot both be blocked
    while level > 0:
        level -= 1
        take_back(layout, board, defender, threats.reply[level])
        take_back(layout, board, attacker, threats.threat[level])
    return plies


@bare_kernel
def _next_threat(
    layout: Layout, board: Board, threats: ThreatWorkspace, attacker: int, level: int
) -> int:
    """Return the untried cell of highest rank whose mark makes a threat, or NOWHERE."""
    below, block = threats.rank[level], threats.block[level]
    best, found = -1, NOWHERE
    for i in range(board.near_count[attacker, TWO_TO_GO]):
        line = board.near[attacker, TWO_TO_GO, i]
        for j in range(layout.k):
            cell = layout.lines[line, j]
            if board.mark[cell] != EMPTY or (block != NOWHERE and cell != block):
                continue
            rank = (
                np.int64(board.cell_weight[attacker, cell]) * layout.cells + layout.tie_break[cell]
            )
            if best < rank < below:
                best, found = rank, cell
    threats.rank[level] = best
    return found


@bare_kernel
def _has_no_win(board: Board, threats: ThreatWorkspace, attacker: int, most: int) -> bool:
    key = board.hash[0] ^ threats.side_key[attacker]
    slot = key & (_SLOTS - 1)
    return bool(threats.no_win[slot] == key and threats.no_win_within[slot] >= most)


@bare_kernel
def _store_no_win(board: Board, threats: ThreatWorkspace, attacker: int, most: int) -> None:
    key = board.hash[0] ^ threats.side_key[attacker]
    slot = key & (_SLOTS - 1)
    threats.no_win[slot], threats.no_win_within[slot] = key, most


@bare_kernel
def mark_relevance_zone(
    layout: Layout,
    board: Board,
    threats: ThreatWorkspace,
    attacker: int,
    plies: int,
    zone: NDArray[np.int8],
) -> None:
    """Mark the cells where a move can spoil the forced win that was just found."""
    defender = 1 - attacker
    last = (plies - 3) // 2
    for cell in range(layout.cells):
        zone[cell] = 0
    for level in range(last + 1):
        zone[threats.threat[level]] = zone[threats.reply[level]] = 1
        place(layout, board, attacker, threats.threat[level])
        for kind in (ONE_TO_GO, TWO_TO_GO):
            for i in range(board.near_count[defender, kind]):
                line = board.near[defender, kind, i]
                for j in range(layout.k):
                    zone[layout.lines[line, j]] = 1
        place(layout, board, defender, threats.reply[level])
    zone[threats.threat[last + 1]] = 1
    for level in range(last, -1, -1):
        take_back(layout, board, defender, threats.reply[level])
        take_back(layout, board, attacker, threats.threat[level])
