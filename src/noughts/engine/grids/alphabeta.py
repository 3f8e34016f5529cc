"""The game tree: alpha-beta, deeper and deeper, with threats looked at before anything else.

A position's value is a number, seen from the side to move::

    -WON + n        -MOST ... -1        0         1 ... MOST        WON - n
    lost within      looks worse      a draw      looks better     won within
      n plies                                                       n plies

Wins, losses and the 0 of a draw are **proved**, everything else is an estimate, and the two do
not mix: an estimate is never 0, a loss needs every legal move refuted, and a draw every move
looked through to its end. So a value tells by itself whether it is a proof, also in memory.
(Plies count from the root in the search, from the position itself in memory.)

A node is opened in this order, and most end early:

1. Whoever can complete a line does. Whose opponent could must block; two threats are lost.
2. A win by threats alone (see `threats`) is a win.
3. If the opponent would have such a win after a pass, only moves in its zone come into question.
4. Else the cells with the most pull are tried: more of them, the more depth is left. While all
   that were tried are proved lost, others follow, down to the last legal move.

Moves that answer a threat cost no depth: that is how a plan of several threats is seen through.

There is no recursion (recursive functions cannot be kept compiled): a ply is a row in the
`Stack`, `_open` begins a node, `_take` takes a child's value and `_close` ends it.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.grids.board import (
    EMPTY,
    NOWHERE,
    Board,
    Layout,
    completions,
    place,
    take_back,
)
from noughts.engine.grids.threats import (
    LONGEST,
    NODE_LIMIT,
    NODES,
    STOP,
    Chain,
    mark_zone,
    win_by_threats,
)
from noughts.engine.grids.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    Memory,
    recall,
    remember,
)

__all__ = [
    "MAX_DEPTH",
    "MOST",
    "STOPPED",
    "UNSEEN",
    "WON",
    "Stack",
    "is_proved",
    "new_stack",
    "search",
]

WON = 30_000
PROVED = WON - 2_048  # a win or loss is at least that far from 0; a game has fewer plies
MOST = 20_000  # no estimate is further from 0
NO_VALUE, UNSEEN, OPEN, STOPPED = -100_000, 100_000, 100_001, 100_002
MAX_DEPTH = 100
_PLIES = 160
_FREE, _ZONE, _FORCED = 0, 1, 2  # which moves of a node come into question
_FIRST = 1 << 62  # above the rank of any cell
_WIDTH, _WIDER = 8, 1  # how many moves are tried without depth left, and with each ply of it
_THREATS, _MORE_THREATS = 16, 10  # nodes for a search for threats, doubled so often at most
_UNIT = 64  # the estimate for a line with two to go


class Stack(NamedTuple):
    """The working space of one search; the first index is the ply, of the root 0."""

    side: NDArray[np.int64]  # who is to move
    depth: NDArray[np.int64]  # how many plies are left to look at
    alpha: NDArray[np.int64]  # a value up to this changes nothing,
    beta: NDArray[np.int64]  # nor does one from this on
    floor: NDArray[np.int64]  # alpha when the node was opened
    kind: NDArray[np.int64]  # _FREE, _ZONE or _FORCED
    best: NDArray[np.int64]  # the best value so far
    move: NDArray[np.int64]  # the move it belongs to
    others: NDArray[np.int64]  # the value of all moves left out, if one is proved; else NO_VALUE
    firm: NDArray[np.int64]  # whether the values so far are all proved
    known: NDArray[np.int64]  # the move that memory suggests or a threat demands, tried first
    cell: NDArray[np.int64]  # the move being tried
    tried: NDArray[np.int64]  # how many there were
    rank: NDArray[np.int64]  # of the last; those below it are still to be tried
    scout: NDArray[np.int64]  # whether it is only asked if the move beats alpha
    zone: NDArray[np.int8]  # [ply, cell]: see `threats`
    value: NDArray[np.int64]  # [cell]: of the root's moves, or UNSEEN
    exact: NDArray[np.int64]  # [cell]: whether it is more than an upper bound
    visits: NDArray[np.int64]  # [cell]: the nodes that went into a root's move
    begin: NDArray[np.int64]  # [0]: the nodes before the root's move


def new_stack(layout: Layout) -> Stack:
    """Return the working space for one search."""

    def plies() -> NDArray[np.int64]:
        return np.zeros(_PLIES + 1, np.int64)

    return Stack(
        side=plies(),
        depth=plies(),
        alpha=plies(),
        beta=plies(),
        floor=plies(),
        kind=plies(),
        best=plies(),
        move=plies(),
        others=plies(),
        firm=plies(),
        known=plies(),
        cell=plies(),
        tried=plies(),
        rank=plies(),
        scout=plies(),
        zone=np.zeros((_PLIES + 1, layout.cells), np.int8),
        value=np.full(layout.cells, UNSEEN, np.int64),
        exact=np.zeros(layout.cells, np.int64),
        visits=np.zeros(layout.cells, np.int64),
        begin=np.zeros(1, np.int64),
    )


@bare_kernel
def is_proved(value: int) -> bool:
    """Return whether a value is a proof, not an estimate."""
    return value == 0 or value >= PROVED or value <= -PROVED


@bare_kernel
def search(
    layout: Layout, board: Board, memory: Memory, chain: Chain, stack: Stack, side: int, depth: int
) -> int:
    """Return the value of the position on the board for `side`, to move, or STOPPED.

    The values of its moves are in `stack`, those of a search that was stopped as far as it got.
    """
    ply = 0
    stack.side[0], stack.depth[0] = side, depth
    stack.alpha[0], stack.beta[0] = -WON, WON
    value = _open(layout, board, memory, chain, stack, ply)
    if value != STOPPED:
        _note_at_once(layout, board, stack, value)
    while True:
        if value == OPEN:
            if stack.cell[ply] == NOWHERE:
                _pick(layout, board, stack, ply)
            if stack.cell[ply] == NOWHERE:
                value = _close(memory, board, stack, ply)
                continue
            _descend(layout, board, chain, stack, ply)
            ply += 1
            value = _open(layout, board, memory, chain, stack, ply)
        elif value == STOPPED:
            while ply > 0:
                ply -= 1
                take_back(layout, board, stack.side[ply], stack.cell[ply])
            return STOPPED
        elif ply == 0:
            return value
        else:
            ply -= 1
            take_back(layout, board, stack.side[ply], stack.cell[ply])
            value = _take(memory, board, chain, stack, ply, -value)


# -- a node ------------------------------------------------------------------------------


@bare_kernel
def _open(
    layout: Layout, board: Board, memory: Memory, chain: Chain, stack: Stack, ply: int
) -> int:
    """Settle a node at once if possible, else say which moves come into question."""
    counters = chain.counters
    counters[NODES] += 1
    if counters[NODES] > counters[NODE_LIMIT] or counters[STOP] != 0:
        return STOPPED
    side, depth = stack.side[ply], stack.depth[ply]
    other = 1 - side
    stack.floor[ply] = stack.alpha[ply]
    stack.move[ply] = stack.known[ply] = stack.cell[ply] = NOWHERE
    stack.others[ply] = stack.best[ply] = NO_VALUE
    stack.firm[ply], stack.tried[ply], stack.rank[ply] = 1, 0, _FIRST

    win, _ = completions(board, side)
    if win != NOWHERE:
        stack.move[ply] = win
        return WON - ply - 1
    can_win, can_lose = board.alive[side] > 0, board.alive[other] > 0
    if not can_win and not can_lose:
        stack.others[ply] = 0
        return 0
    if (not can_win and stack.alpha[ply] >= 0) or (not can_lose and stack.beta[ply] <= 0):
        return 0
    block, second = completions(board, other)
    if block != NOWHERE:
        stack.kind[ply] = _FORCED
        stack.others[ply] = stack.best[ply] = -WON + ply + 2
        stack.known[ply] = block
        if second != NOWHERE:
            stack.move[ply] = block
            return int(stack.best[ply])
        if ply == _PLIES:
            return _estimate(layout, board, side)
        return OPEN

    if _look_up(memory, board, stack, ply):
        return int(stack.best[ply])
    effort = _THREATS << min(depth, _MORE_THREATS)
    plies = _win(layout, board, chain, side, effort, ply)
    if plies != 0:
        stack.move[ply] = chain.threat[0]
        remember(memory, board, EXACT, WON - plies, depth, chain.threat[0])
        return WON - ply - plies
    if depth <= 0 or ply == _PLIES:
        return _estimate(layout, board, side)
    stack.kind[ply] = _FREE
    plies = _win(layout, board, chain, other, effort, ply)
    if plies != 0:
        stack.kind[ply] = _ZONE
        stack.others[ply] = stack.best[ply] = -WON + ply + 1 + plies
        mark_zone(layout, board, chain, other, plies, stack.zone[ply])
    return OPEN


@bare_kernel
def _note_at_once(layout: Layout, board: Board, stack: Stack, value: int) -> None:
    """Note what opening the root told about its moves."""
    if PROVED <= value <= WON:
        stack.value[stack.move[0]], stack.exact[stack.move[0]] = value, 1
    if stack.others[0] == NO_VALUE:
        return
    for cell in range(layout.cells):
        if board.mark[cell] == EMPTY:
            open_zone = stack.kind[0] == _ZONE and stack.zone[0, cell] != 0
            open_block = stack.kind[0] == _FORCED and cell == stack.known[0]
            if value != OPEN or not (open_zone or open_block):
                stack.value[cell], stack.exact[cell] = stack.others[0], 1


@bare_kernel
def _win(layout: Layout, board: Board, chain: Chain, side: int, effort: int, ply: int) -> int:
    """Return within how many plies a side to move wins by threats, or 0; at the root, quickest."""
    most = LONGEST
    if ply == 0:
        effort *= _THREATS
        most = 1
    while True:
        plies = win_by_threats(layout, board, chain, side, most, effort)
        if plies != 0 or most >= LONGEST:
            return plies
        most *= 2


@bare_kernel
def _look_up(memory: Memory, board: Board, stack: Stack, ply: int) -> bool:
    """Settle a node by what memory holds, if that is enough, or else take its advice."""
    bound, value, depth, stack.known[ply] = recall(memory, board)
    proved = is_proved(value)
    if ply == 0 or not (proved or depth >= stack.depth[ply]):
        return False
    if value >= PROVED:
        value -= ply
    elif value <= -PROVED:
        value += ply
    settled = (
        bound == EXACT
        or (bound == AT_LEAST and (value >= stack.beta[ply] or value >= PROVED))
        or (bound == AT_MOST and (value <= stack.alpha[ply] or value <= -PROVED))
    )
    if settled:
        stack.best[ply], stack.move[ply] = value, stack.known[ply]
    return settled


@bare_kernel
def _pick(layout: Layout, board: Board, stack: Stack, ply: int) -> None:
    """Choose the next move to try: what memory suggests, then by pull; NOWHERE at the end."""
    kind, tried, known = stack.kind[ply], stack.tried[ply], stack.known[ply]
    stack.tried[ply] = tried + 1
    stack.scout[ply] = tried > 0
    if kind == _FORCED:
        if tried == 0:
            stack.cell[ply] = known
        return
    zone = stack.zone[ply]
    if known != NOWHERE and (kind == _ZONE and zone[known] == 0):
        known = stack.known[ply] = NOWHERE
    if tried == 0 and known != NOWHERE:
        stack.cell[ply] = known
        return
    width = _WIDTH + _WIDER * stack.depth[ply]
    if kind == _FREE and tried >= width and stack.best[ply] > -PROVED:
        stack.firm[ply] = 0
        return
    mine, theirs = board.pull[stack.side[ply]], board.pull[1 - stack.side[ply]]
    below, best = stack.rank[ply], -1
    for cell in range(layout.cells):
        if board.mark[cell] == EMPTY and (kind == _FREE or zone[cell] != 0) and cell != known:
            rank = (5 * np.int64(mine[cell]) + 4 * np.int64(theirs[cell])) * layout.cells
            rank += layout.taste[cell]
            if best < rank < below:
                best = rank
    if best >= 0:
        stack.cell[ply] = layout.tasted[best % layout.cells]
        if best < layout.cells:
            best = -1  # no line is open through this cell, nor the rest: one stands for them all
    stack.rank[ply] = best


@bare_kernel
def _bar(stack: Stack, ply: int) -> int:
    """Return the value that a move has to beat to be of interest."""
    alpha = int(stack.alpha[ply])
    return -1 if ply == 0 and alpha == 0 else alpha  # with a draw in hand: who else draws?


@bare_kernel
def _descend(layout: Layout, board: Board, chain: Chain, stack: Stack, ply: int) -> None:
    """Make the move that was picked and set its node up."""
    low, high = _bar(stack, ply), stack.beta[ply]
    if ply == 0:
        stack.begin[0] = chain.counters[NODES]
    if stack.scout[ply]:
        high = low + 1
    stack.side[ply + 1] = 1 - stack.side[ply]
    stack.alpha[ply + 1], stack.beta[ply + 1] = -high, -low
    stack.depth[ply + 1] = stack.depth[ply] - (stack.kind[ply] == _FREE)
    place(layout, board, stack.side[ply], stack.cell[ply])


@bare_kernel
def _take(memory: Memory, board: Board, chain: Chain, stack: Stack, ply: int, value: int) -> int:
    """Take the value of the move just tried, and return the node's own or that it is open."""
    cell = stack.cell[ply]
    low = _bar(stack, ply)
    if ply == 0:
        stack.visits[cell] += chain.counters[NODES] - stack.begin[0]
    if stack.scout[ply] and low < value < min(stack.beta[ply], PROVED):
        stack.scout[ply] = 0
        return OPEN  # better than expected: the same move again, to see how good it is
    if ply == 0 and stack.value[cell] > -PROVED:
        stack.value[cell], stack.exact[cell] = value, value > low
    stack.cell[ply] = NOWHERE
    if not is_proved(value):
        stack.firm[ply] = 0
    if value > stack.best[ply] or stack.move[ply] == NOWHERE:
        stack.best[ply], stack.move[ply] = max(value, stack.best[ply]), cell
    stack.alpha[ply] = max(stack.alpha[ply], value)
    if value >= stack.beta[ply] or value >= PROVED:
        return _close(memory, board, stack, ply)
    return OPEN


@bare_kernel
def _close(memory: Memory, board: Board, stack: Stack, ply: int) -> int:
    """Return the value of a node whose moves have been tried, and remember it."""
    value = int(stack.best[ply])
    bound = EXACT
    if value >= stack.beta[ply]:
        bound = AT_LEAST
    else:
        if value == 0 and not stack.firm[ply]:
            value = 1  # a draw is at hand, but nobody knows whether there is more
        if value <= stack.floor[ply]:
            bound = AT_MOST
    kept = value
    if value >= PROVED:
        kept += ply
    elif value <= -PROVED:
        kept -= ply
    remember(memory, board, bound, kept, max(stack.depth[ply], 0), stack.move[ply])
    return value


@bare_kernel
def _estimate(layout: Layout, board: Board, side: int) -> int:
    """Return how good a position looks by the weight of open lines; never 0."""
    unit = max(layout.weight[layout.k - 1], 1)  # a line with two to go
    lead = int((board.total[side] - board.total[1 - side]) * _UNIT // unit)
    value = max(-MOST, min(MOST, lead + _UNIT))  # being to move is worth something
    return value if value != 0 else 1
