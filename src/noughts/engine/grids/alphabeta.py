"""Alpha-beta search of one depth, with a threat-space search at every node.

A position's value is a number, seen from the side to move (MAX is `MAX_ESTIMATE`)::

    -WON + n         -MAX ... -1         0          1 ... MAX         WON - n
    lost within      looks worse      a draw      looks better      won within
      n plies                                                         n plies

Wins, losses and the 0 of a draw are **proved**; every other value is an estimate. The two never
mix: an estimate is never 0, a loss needs every legal move refuted, and a draw needs every move
searched to the end of the game. So the value itself says whether it is a proof, also in the
transposition table. (Plies count from the root in the search, from the position in the table.)

A node goes through these steps, and most nodes end early:

1. A side that can complete a line does so. If the opponent could complete one, the side has to
   block it; two such cells lose.
2. A forced win (see `threats`) is a win.
3. If the opponent would have a forced win after a pass, only moves in its relevance zone are
   tried.
4. Otherwise the cells of most weight are tried: more of them, the more depth is left. As long as
   all tried moves are proved lost, more follow, down to the last legal move.

Blocking a line costs no depth, so a plan of several threats is searched to its end.

There is no recursion (numba cannot keep recursive functions compiled): a ply is a row of the
`Stack`, `_enter` begins a node, `_update` takes a child's value and `_leave` ends the node.
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
    MAX_THREATS,
    NODE_LIMIT,
    NODES,
    STOP,
    ThreatWorkspace,
    find_forced_win,
    mark_relevance_zone,
)
from noughts.engine.grids.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    TranspositionTable,
    probe,
    store,
)

__all__ = [
    "MAX_DEPTH",
    "MAX_ESTIMATE",
    "STOPPED",
    "UNSEEN",
    "WON",
    "Stack",
    "alpha_beta",
    "is_proved",
    "new_stack",
]

WON = 30_000
PROVED = WON - 2_048  # a win or loss is at least that far from 0; a game has fewer plies
MAX_ESTIMATE = 20_000  # no estimate is further from 0
NO_VALUE, UNSEEN, OPEN, STOPPED = -100_000, 100_000, 100_001, 100_002
MAX_DEPTH = 100
_PLIES = 160
_ALL, _ZONE, _BLOCK = 0, 1, 2  # the moves of a node that are to be tried
_ABOVE_ALL = 1 << 62  # above the rank of any cell
_WIDTH, _WIDTH_PER_PLY = 8, 1  # moves to try without depth left, and more for each ply of it
_THREAT_NODES, _MAX_DOUBLINGS = 16, 10  # of a threat search; doubled for each ply of depth left
_UNIT = 64  # the estimate of a line with two to go


class Stack(NamedTuple):
    """The working space of one search; the first index is the ply, of the root 0."""

    side: NDArray[np.int64]  # the side to move
    depth: NDArray[np.int64]  # the plies that are left to search
    alpha: NDArray[np.int64]  # values up to this fail low,
    beta: NDArray[np.int64]  # values from this on fail high
    alpha_before: NDArray[np.int64]  # alpha on entering the node
    candidates: NDArray[np.int64]  # _ALL, _ZONE or _BLOCK
    best: NDArray[np.int64]  # the best value so far
    move: NDArray[np.int64]  # the move of that value
    rest_value: NDArray[np.int64]  # the proved value of all moves left out, or NO_VALUE
    all_proved: NDArray[np.int64]  # whether the values so far are all proved
    first_move: NDArray[np.int64]  # the table's move, or the block; tried first
    cell: NDArray[np.int64]  # the move being tried
    tried: NDArray[np.int64]  # the number of moves tried so far
    rank: NDArray[np.int64]  # of the last one; those of lower rank are still to be tried
    is_scout: NDArray[np.int64]  # whether the window is empty, only to see if the move beats alpha
    zone: NDArray[np.int8]  # [ply, cell]: the relevance zone, see `threats`
    value: NDArray[np.int64]  # [cell]: of the root's moves, or UNSEEN
    exact: NDArray[np.int64]  # [cell]: whether that value is more than an upper bound
    visits: NDArray[np.int64]  # [cell]: the nodes spent on a root's move
    nodes_before: NDArray[np.int64]  # [0]: the nodes before the current root's move


def new_stack(layout: Layout) -> Stack:
    """Return the working space for one search."""

    def plies() -> NDArray[np.int64]:
        return np.zeros(_PLIES + 1, np.int64)

    return Stack(
        side=plies(),
        depth=plies(),
        alpha=plies(),
        beta=plies(),
        alpha_before=plies(),
        candidates=plies(),
        best=plies(),
        move=plies(),
        rest_value=plies(),
        all_proved=plies(),
        first_move=plies(),
        cell=plies(),
        tried=plies(),
        rank=plies(),
        is_scout=plies(),
        zone=np.zeros((_PLIES + 1, layout.cells), np.int8),
        value=np.full(layout.cells, UNSEEN, np.int64),
        exact=np.zeros(layout.cells, np.int64),
        visits=np.zeros(layout.cells, np.int64),
        nodes_before=np.zeros(1, np.int64),
    )


@bare_kernel
def is_proved(value: int) -> bool:
    """Return whether a value is a proof, not an estimate."""
    return value == 0 or value >= PROVED or value <= -PROVED


@bare_kernel
def alpha_beta(
    layout: Layout,
    board: Board,
    table: TranspositionTable,
    threats: ThreatWorkspace,
    stack: Stack,
    side: int,
    depth: int,
) -> int:
    """Return the value of the position on the board for `side`, which is to move, or STOPPED.

    The values of the moves are in `stack`; a stopped search leaves those that it has found.
    """
    ply = 0
    stack.side[0], stack.depth[0] = side, depth
    stack.alpha[0], stack.beta[0] = -WON, WON
    value = _enter(layout, board, table, threats, stack, ply)
    if value != STOPPED:
        _note_root_moves(layout, board, stack, value)
    while True:
        if value == OPEN:
            if stack.cell[ply] == NOWHERE:
                _next_move(layout, board, stack, ply)
            if stack.cell[ply] == NOWHERE:
                value = _leave(table, board, stack, ply)
                continue
            _make_move(layout, board, threats, stack, ply)
            ply += 1
            value = _enter(layout, board, table, threats, stack, ply)
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
            value = _update(table, board, threats, stack, ply, -value)


# -- a node ------------------------------------------------------------------------------


@bare_kernel
def _enter(
    layout: Layout,
    board: Board,
    table: TranspositionTable,
    threats: ThreatWorkspace,
    stack: Stack,
    ply: int,
) -> int:
    """Return a node's value if it needs no moves, else set up its candidates and return OPEN."""
    counters = threats.counters
    counters[NODES] += 1
    if counters[NODES] > counters[NODE_LIMIT] or counters[STOP] != 0:
        return STOPPED
    side, depth = stack.side[ply], stack.depth[ply]
    other = 1 - side
    stack.alpha_before[ply] = stack.alpha[ply]
    stack.move[ply] = stack.first_move[ply] = stack.cell[ply] = NOWHERE
    stack.rest_value[ply] = stack.best[ply] = NO_VALUE
    stack.all_proved[ply], stack.tried[ply], stack.rank[ply] = 1, 0, _ABOVE_ALL

    win, _ = completions(board, side)
    if win != NOWHERE:
        stack.move[ply] = win
        return WON - ply - 1
    can_win, can_lose = board.open_lines[side] > 0, board.open_lines[other] > 0
    if not can_win and not can_lose:
        stack.rest_value[ply] = 0
        return 0
    if (not can_win and stack.alpha[ply] >= 0) or (not can_lose and stack.beta[ply] <= 0):
        return 0
    block, second = completions(board, other)
    if block != NOWHERE:
        stack.candidates[ply] = _BLOCK
        stack.rest_value[ply] = stack.best[ply] = -WON + ply + 2
        stack.first_move[ply] = block
        if second != NOWHERE:
            stack.move[ply] = block
            return int(stack.best[ply])
        if ply == _PLIES:
            return _estimate(layout, board, side)
        return OPEN

    if _probe_table(table, board, stack, ply):
        return int(stack.best[ply])
    effort = _THREAT_NODES << min(depth, _MAX_DOUBLINGS)
    plies = _forced_win(layout, board, threats, side, effort, ply)
    if plies != 0:
        stack.move[ply] = threats.threat[0]
        store(table, board, EXACT, WON - plies, depth, threats.threat[0])
        return WON - ply - plies
    if depth <= 0 or ply == _PLIES:
        return _estimate(layout, board, side)
    stack.candidates[ply] = _ALL
    plies = _forced_win(layout, board, threats, other, effort, ply)
    if plies != 0:
        stack.candidates[ply] = _ZONE
        stack.rest_value[ply] = stack.best[ply] = -WON + ply + 1 + plies
        mark_relevance_zone(layout, board, threats, other, plies, stack.zone[ply])
    return OPEN


@bare_kernel
def _note_root_moves(layout: Layout, board: Board, stack: Stack, value: int) -> None:
    """Note the values of the root's moves that entering it has proved."""
    if PROVED <= value <= WON:
        stack.value[stack.move[0]], stack.exact[stack.move[0]] = value, 1
    if stack.rest_value[0] == NO_VALUE:
        return
    for cell in range(layout.cells):
        if board.mark[cell] == EMPTY:
            open_zone = stack.candidates[0] == _ZONE and stack.zone[0, cell] != 0
            open_block = stack.candidates[0] == _BLOCK and cell == stack.first_move[0]
            if value != OPEN or not (open_zone or open_block):
                stack.value[cell], stack.exact[cell] = stack.rest_value[0], 1


@bare_kernel
def _forced_win(
    layout: Layout, board: Board, threats: ThreatWorkspace, side: int, effort: int, ply: int
) -> int:
    """Return the plies of a forced win of a side to move, or 0; the shortest at the root."""
    most = MAX_THREATS
    if ply == 0:
        effort *= _THREAT_NODES
        most = 1
    while True:
        plies = find_forced_win(layout, board, threats, side, most, effort)
        if plies != 0 or most >= MAX_THREATS:
            return plies
        most *= 2


@bare_kernel
def _probe_table(table: TranspositionTable, board: Board, stack: Stack, ply: int) -> bool:
    """Return whether the transposition table settles the node; if not, take over its move."""
    bound, value, depth, stack.first_move[ply] = probe(table, board)
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
        stack.best[ply], stack.move[ply] = value, stack.first_move[ply]
    return settled


@bare_kernel
def _next_move(layout: Layout, board: Board, stack: Stack, ply: int) -> None:
    """Choose the next move: the table's first, then by weight; NOWHERE after the last one."""
    kind, tried, first = stack.candidates[ply], stack.tried[ply], stack.first_move[ply]
    stack.tried[ply] = tried + 1
    stack.is_scout[ply] = tried > 0
    if kind == _BLOCK:
        if tried == 0:
            stack.cell[ply] = first
        return
    zone = stack.zone[ply]
    if first != NOWHERE and (kind == _ZONE and zone[first] == 0):
        first = stack.first_move[ply] = NOWHERE
    if tried == 0 and first != NOWHERE:
        stack.cell[ply] = first
        return
    width = _WIDTH + _WIDTH_PER_PLY * stack.depth[ply]
    if kind == _ALL and tried >= width and stack.best[ply] > -PROVED:
        stack.all_proved[ply] = 0
        return
    mine, theirs = board.cell_weight[stack.side[ply]], board.cell_weight[1 - stack.side[ply]]
    below, best = stack.rank[ply], -1
    for cell in range(layout.cells):
        if board.mark[cell] == EMPTY and (kind == _ALL or zone[cell] != 0) and cell != first:
            rank = (5 * np.int64(mine[cell]) + 4 * np.int64(theirs[cell])) * layout.cells
            rank += layout.tie_break[cell]
            if best < rank < below:
                best = rank
    if best >= 0:
        stack.cell[ply] = layout.by_tie_break[best % layout.cells]
        if best < layout.cells:
            best = -1  # no open line passes through the remaining cells: one stands for them all
    stack.rank[ply] = best


@bare_kernel
def _lower_bound(stack: Stack, ply: int) -> int:
    """Return the value that a move has to beat; at the root, other draws are found as well."""
    alpha = int(stack.alpha[ply])
    return -1 if ply == 0 and alpha == 0 else alpha


@bare_kernel
def _make_move(
    layout: Layout, board: Board, threats: ThreatWorkspace, stack: Stack, ply: int
) -> None:
    """Make the chosen move and set up its node."""
    low, high = _lower_bound(stack, ply), stack.beta[ply]
    if ply == 0:
        stack.nodes_before[0] = threats.counters[NODES]
    if stack.is_scout[ply]:
        high = low + 1
    stack.side[ply + 1] = 1 - stack.side[ply]
    stack.alpha[ply + 1], stack.beta[ply + 1] = -high, -low
    stack.depth[ply + 1] = stack.depth[ply] - (stack.candidates[ply] == _ALL)
    place(layout, board, stack.side[ply], stack.cell[ply])


@bare_kernel
def _update(
    table: TranspositionTable,
    board: Board,
    threats: ThreatWorkspace,
    stack: Stack,
    ply: int,
    value: int,
) -> int:
    """Take the value of the move just tried; return the node's value, or OPEN."""
    cell = stack.cell[ply]
    low = _lower_bound(stack, ply)
    if ply == 0:
        stack.visits[cell] += threats.counters[NODES] - stack.nodes_before[0]
    if stack.is_scout[ply] and low < value < min(stack.beta[ply], PROVED):
        stack.is_scout[ply] = 0
        return OPEN  # it beats alpha: search the same move again with the full window
    if ply == 0 and stack.value[cell] > -PROVED:
        stack.value[cell], stack.exact[cell] = value, value > low
    stack.cell[ply] = NOWHERE
    if not is_proved(value):
        stack.all_proved[ply] = 0
    if value > stack.best[ply] or stack.move[ply] == NOWHERE:
        stack.best[ply], stack.move[ply] = max(value, stack.best[ply]), cell
    stack.alpha[ply] = max(stack.alpha[ply], value)
    if value >= stack.beta[ply] or value >= PROVED:
        return _leave(table, board, stack, ply)
    return OPEN


@bare_kernel
def _leave(table: TranspositionTable, board: Board, stack: Stack, ply: int) -> int:
    """Return the value of a node whose moves have been tried, and store it."""
    value = int(stack.best[ply])
    bound = EXACT
    if value >= stack.beta[ply]:
        bound = AT_LEAST
    else:
        if value == 0 and not stack.all_proved[ply]:
            value = 1  # a draw at least, and perhaps more
        if value <= stack.alpha_before[ply]:
            bound = AT_MOST
    kept = value
    if value >= PROVED:
        kept += ply
    elif value <= -PROVED:
        kept -= ply
    store(table, board, bound, kept, max(stack.depth[ply], 0), stack.move[ply])
    return value


@bare_kernel
def _estimate(layout: Layout, board: Board, side: int) -> int:
    """Return an estimate of a position by the weight of its open lines; never 0."""
    unit = max(layout.line_weight[layout.k - 1], 1)  # a line with two to go
    lead = int((board.total_weight[side] - board.total_weight[1 - side]) * _UNIT // unit)
    value = max(-MAX_ESTIMATE, min(MAX_ESTIMATE, lead + _UNIT))  # the right to move is worth a line
    return value if value != 0 else 1
