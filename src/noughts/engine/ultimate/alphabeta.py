"""The game tree: alpha-beta with the network, deepest where the moves look good.

A position's value is a number, seen from the side to move::

    -WON + n        -MOST ... -1        0         1 ... MOST        WON - n
    lost within      looks worse      a draw      looks better     won within
      n plies                                                       n plies

Wins, losses and the 0 of a draw are **proved**, everything else is an estimate, and the two do not
mix: an estimate is never 0, a loss needs every legal move refuted, and a draw every move looked
through to its end. So a value tells by itself whether it is a proof, also in memory. (Plies count
from the root in the search, from the position itself in memory.)

**Depth is not the same for all moves.** The network judges every move of a node at once. What
looks as good as the best costs a ply; what looks worse costs more, the more the worse, and so do
moves that come late in the order. If one of them turns out better than expected, it is looked
at again with full depth. So good play is seen through twice as deep as bad. Depth is counted in
sixteenths of a ply::

    depth 6.0     e5   looks best                      5.0 left for its replies
                  a5   half a step of the curve worse  3.2 left
                  i1   hopeless                        none: the network's word is taken

There is no recursion (recursive functions cannot be kept compiled): a ply is a row in the
`Stack`, `_open` begins a node, `_take` takes a child's value and `_close` ends it.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, aligned_zeros, bare_kernel, inlined_kernel, np, signed  # isort: skip

from noughts.engine.memory import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    NOTHING,
    Hash,
    Memory,
    recall,
    remember,
)
from noughts.engine.ultimate.board import (
    ANY,
    CAPTURED,
    CLOSED,
    FORCED,
    LINE,
    SIDE,
    State,
    blank_states,
    copy,
    legal_moves,
    play,
    reach,
    reach_after,
)
from noughts.engine.ultimate.network import (
    TERNARY,
    WIDTH,
    Network,
    change_board,
    judge,
    row_of,
    sum_boards,
)
from noughts.rules.ultimate import FULL

__all__ = [
    "NODES",
    "NODE_LIMIT",
    "PLY",
    "PROVED",
    "STOP",
    "STOPPED",
    "UNSEEN",
    "WON",
    "Stack",
    "hash_of",
    "is_proved",
    "new_stack",
    "search",
    "search_others",
]

WON = 30_000
PROVED = WON - 128  # a win or loss is at least that far from 0; a game has fewer plies
NO_VALUE, UNSEEN = -100_000, 100_000
ENTERED, OPEN, DRAWN, DONE, STOPPED = range(100_001, 100_006)  # no values: how a node stands

STOP, NODE_LIMIT, NODES = 0, 1, 2  # counters

PLY = 16
_PLIES = 82
_WORSE = 30  # so many steps worse than the best cost a ply
_LATE = 1.4  # the smaller, the more it costs to come late in the order
_FIRST = 1 << 30  # above the rank of any move
_TRUST = 64  # of what the order learnt, to one sixteenth of a step

_DEPTHS = 64
LATE = np.fromfunction(
    lambda depth, i: PLY * np.log(np.maximum(depth, 1)) * np.log(np.maximum(i, 1)) / _LATE,
    (_DEPTHS, 81),
).astype(np.int32)
"""What it costs to be the i-th move, by the plies that are left."""

_FORCED_KEY, _SIDE_KEY = 2 * 81, 2 * 81 + 10
KEYS = np.random.default_rng(20261118).integers(-(2**63), 2**63, (2, _SIDE_KEY + 1), np.int64)
"""What marks, the forced board and the side to move add to each half of the hash."""

_FULL_WINDOW, _GLANCE, _SCOUT = 0, 1, 2  # how a move is looked at: see `_take`


class Stack(NamedTuple):
    """The working space of one search; the first index is the ply, of the root 0."""

    states: State
    rows: NDArray[np.uint16]  # [ply, side, board]: the network's, of each board
    sums: NDArray[np.int16]  # [ply, side]: over the boards
    reach: NDArray[np.uint16]  # [ply, side]: the boards that a side has or may still get
    hash: NDArray[np.int64]  # [ply, half]
    moves: NDArray[np.int32]  # [ply, i]: those not tried yet come first
    looks: NDArray[np.int32]  # [ply, i]: what the network thinks of a move
    ranks: NDArray[np.int32]  # [ply, i]: the highest is tried next
    left: NDArray[np.int64]  # how many moves are not tried yet
    tried: NDArray[np.int64]  # how many were tried
    top: NDArray[np.int64]  # what the best-looking move looks like
    depth: NDArray[np.int64]
    alpha: NDArray[np.int64]  # a value up to this changes nothing,
    beta: NDArray[np.int64]  # nor does one from this on
    floor: NDArray[np.int64]  # alpha when the node was opened
    best: NDArray[np.int64]  # the best value so far
    choice: NDArray[np.int64]  # the move it belongs to
    firm: NDArray[np.int64]  # whether the values so far are all proved
    move: NDArray[np.int64]  # the move being tried
    look: NDArray[np.int64]  # what the network thinks of it
    way: NDArray[np.int64]  # how it is looked at
    learnt: NDArray[np.int32]  # [side, move]: how often it was the one that mattered
    value: NDArray[np.int64]  # [move]: of the root's moves, or UNSEEN
    exact: NDArray[np.int64]  # [move]: whether it is more than an upper bound
    visits: NDArray[np.int64]  # [move]: the nodes that went into them
    begin: NDArray[np.int64]  # [0]: the nodes before the root's move
    counters: NDArray[np.int64]


def new_stack() -> Stack:
    """Return the working space for one search."""
    plies = _PLIES + 1

    def numbers() -> NDArray[np.int64]:
        return np.zeros(plies, np.int64)

    return Stack(
        states=blank_states(plies),
        rows=np.zeros((plies, 2, 9), np.uint16),
        sums=aligned_zeros((plies, 2, WIDTH), np.int16),
        reach=np.zeros((plies, 2), np.uint16),
        hash=np.zeros((plies, 2), np.int64),
        moves=np.zeros((plies, 81), np.int32),
        looks=np.zeros((plies, 81), np.int32),
        ranks=np.zeros((plies, 81), np.int32),
        left=numbers(),
        tried=numbers(),
        top=numbers(),
        depth=numbers(),
        alpha=numbers(),
        beta=numbers(),
        floor=numbers(),
        best=numbers(),
        choice=numbers(),
        firm=numbers(),
        move=numbers(),
        look=numbers(),
        way=numbers(),
        learnt=np.zeros((2, 81), np.int32),
        value=np.full(81, UNSEEN, np.int64),
        exact=np.zeros(81, np.int64),
        visits=np.zeros(81, np.int64),
        begin=np.zeros(1, np.int64),
        counters=np.zeros(3, np.int64),
    )


@inlined_kernel
def is_proved(value: int) -> bool:
    """Return whether a value is a proof, not an estimate."""
    return value == 0 or value >= PROVED or value <= -PROVED


@bare_kernel
def search(
    network: Network, memory: Memory, stack: Stack, start: State, depth: int, low: int, high: int
) -> int:
    """Return the value of an unfinished game for the side to move, or STOPPED.

    It is exact if it is between the bounds; else it is a bound itself. The values of its moves
    are in `stack`, those of a search that was stopped as far as it got.
    """
    ply = 0
    _set_up(network, stack, start)
    stack.depth[0], stack.alpha[0], stack.beta[0] = depth, low, high
    value = ENTERED
    while True:
        if value == ENTERED:
            value = _open(network, memory, stack, ply)
        elif value == OPEN:
            value = _pick(stack, ply)
            if value == ENTERED:
                _descend(network, stack, ply)
                ply += 1
        elif value == DONE:
            value = _close(memory, stack, ply)
        elif value == DRAWN:
            value = _take(stack, ply, 0)
        elif ply == 0 or value == STOPPED:
            return value
        else:
            ply -= 1
            value = _take(stack, ply, -value)


@bare_kernel
def search_others(
    network: Network,
    memory: Memory,
    stack: Stack,
    aside: Stack,
    start: State,
    best: int,
    depth: int,
) -> None:
    """Give other moves than the best, which were only found not to be better, a value.

    `aside` is the working space, and shares its counters with the one of the main search.
    """
    after = aside.states[-1]  # as deep as no search comes
    for move in range(81):
        value = stack.value[move]
        if move == best or value == UNSEEN or (is_proved(value) and (value or stack.exact[move])):
            continue
        copy(start, after)
        play(after, move)
        before = stack.counters[NODES]
        value = search(network, memory, aside, after, depth, -WON, WON)
        if value == STOPPED:
            return
        stack.visits[move] += stack.counters[NODES] - before
        if value >= PROVED:  # one ply further away
            value -= 1
        elif value <= -PROVED:
            value += 1
        stack.value[move], stack.exact[move] = -value, 1


# -- the position ------------------------------------------------------------------------


@inlined_kernel
def hash_of(state: State, key: Hash) -> None:
    """Write the hash of a position."""
    for half in range(2):
        keys = KEYS[half]
        word = keys[_FORCED_KEY + state[FORCED]]
        if state[SIDE]:
            word ^= keys[_SIDE_KEY]
        for move in range(81):
            for side in range(2):
                if state[9 * side + move // 9] >> (move % 9) & 1:
                    word ^= keys[81 * side + move]
        key[half] = word


@inlined_kernel
def _set_up(network: Network, stack: Stack, start: State) -> None:
    """Put a position at the root."""
    state = stack.states[0]
    copy(start, state)
    hash_of(state, stack.hash[0])
    for side in range(2):
        sum_boards(network, state, side, stack.sums[0, side])
        stack.reach[0, side] = reach(state, side)
        for board in range(9):
            stack.rows[0, side, board] = row_of(network, state, board, side)


@inlined_kernel
def _descend(network: Network, stack: Stack, ply: int) -> None:
    """Make the move being tried, and say how its node is to be searched."""
    state, after, move = stack.states[ply], stack.states[ply + 1], stack.move[ply]
    side, board = signed(state[SIDE]), move // 9
    copy(state, after)
    play(after, move)
    for who in range(2):
        rows = stack.rows[ply + 1, who]
        for other in range(9):
            rows[other] = stack.rows[ply, who, other]
        row = row_of(network, after, board, who)
        change_board(
            network, stack.sums[ply, who], board, rows[board], row, stack.sums[ply + 1, who]
        )
        rows[board] = row
        stack.reach[ply + 1, who] = reach_after(stack.reach[ply, who], after, who, board)
        keys = KEYS[who]  # there are two halves, as there are two sides
        stack.hash[ply + 1, who] = (
            stack.hash[ply, who]
            ^ keys[81 * side + move]
            ^ keys[_FORCED_KEY + state[FORCED]]
            ^ keys[_FORCED_KEY + after[FORCED]]
            ^ keys[_SIDE_KEY]
        )
    low, high = stack.alpha[ply], stack.beta[ply]
    depth = stack.depth[ply] - PLY
    if stack.way[ply] != _FULL_WINDOW:
        high = low + 1
    if stack.way[ply] == _GLANCE:
        depth = max(depth - _cost(stack, ply), PLY)
    stack.depth[ply + 1] = depth
    stack.alpha[ply + 1], stack.beta[ply + 1] = -high, -low


@inlined_kernel
def _reach_after(before: int, board: int, marks: int, others: int, is_mover: bool) -> int:
    """Return the boards in a side's reach after a move that left the mover's and others' marks."""
    if LINE[marks]:
        lost = not is_mover
    elif marks | others == FULL:
        lost = True
    else:
        lost = not is_mover and not LINE[FULL & ~marks]
    return before & ~(1 << board) if lost else before


# -- a node ------------------------------------------------------------------------------


@inlined_kernel
def _open(network: Network, memory: Memory, stack: Stack, ply: int) -> int:
    """Settle a node at once if possible, else judge its moves."""
    state, moves = stack.states[ply], stack.moves[ply]
    side = signed(state[SIDE])
    bound, value, depth, known = recall(memory, stack.hash[ply])
    if ply > 0:
        alpha, beta = stack.alpha[ply], stack.beta[ply]
        can_win, can_lose = LINE[stack.reach[ply, side]], LINE[stack.reach[ply, 1 - side]]
        if (not can_win and alpha >= 0) or (not can_lose and beta <= 0):
            return 0
        if bound != NOTHING and (depth >= stack.depth[ply] or is_proved(value)):
            if value >= PROVED:
                value -= ply
            elif value <= -PROVED:
                value += ply
            if (
                bound == EXACT
                or (bound == AT_LEAST and (value >= beta or value >= PROVED))
                or (bound == AT_MOST and (value <= alpha or value <= -PROVED))
            ):
                return value
    count = legal_moves(state, moves)
    counters = stack.counters
    nodes = counters[NODES] + count
    if (counters[STOP] != 0 or nodes > counters[NODE_LIMIT]) and counters[NODES] > 0:
        return STOPPED  # but the first of all positions is always looked at
    counters[NODES] = nodes
    if count == 1:
        stack.depth[ply] += PLY  # the only move costs nothing
    stack.floor[ply] = stack.alpha[ply]
    stack.best[ply], stack.choice[ply], stack.firm[ply] = NO_VALUE, NO_MOVE, 1
    is_leaf = stack.depth[ply] < 2 * PLY and ply > 0
    looks, ranks, learnt = stack.looks[ply], stack.ranks[ply], stack.learnt[side]
    top = NO_VALUE
    for i in range(count):
        move = moves[i]
        look = _look(network, stack, ply, move)
        if ply == 0 and (look == WON or stack.value[move] == UNSEEN):
            stack.value[move], stack.exact[move] = min(look, WON - 1), look in (0, WON)
        if look == WON:
            stack.choice[ply] = move
            stack.best[ply] = WON - ply - 1
            return DONE
        if is_leaf:
            if look != 0:
                stack.firm[ply] = 0
            if look > stack.best[ply]:
                stack.best[ply], stack.choice[ply] = look, move
                if look >= stack.beta[ply]:
                    break
        else:
            looks[i] = look
            ranks[i] = _FIRST if move == known else look * 16 + learnt[move] // _TRUST
            top = max(top, look)
    if is_leaf:
        return DONE
    stack.left[ply], stack.tried[ply], stack.top[ply] = count, 0, top
    stack.move[ply] = NO_MOVE
    return OPEN


@inlined_kernel
def _look(network: Network, stack: Stack, ply: int, move: int) -> int:
    """Return what a move looks like to the side that makes it: WON, a draw, or an estimate."""
    state = stack.states[ply]
    side = signed(state[SIDE])
    other = 1 - side
    board, cell = move // 9, move % 9
    bit = 1 << board
    marks = signed(state[9 * side + board]) | 1 << cell
    theirs = signed(state[9 * other + board])
    is_captured, is_full = LINE[marks], marks | theirs == FULL
    if is_captured and LINE[state[CAPTURED + side] | bit]:
        return WON
    closed = signed(state[CLOSED])
    if is_captured or is_full:
        closed |= bit
    mine = _reach_after(stack.reach[ply, side], board, marks, theirs, True)
    others = _reach_after(stack.reach[ply, other], board, marks, theirs, False)
    if closed == FULL or not (LINE[mine] or LINE[others]):
        return 0
    rows = stack.rows[ply, other]
    if is_captured:
        row = network.boards.shape[1] - 2
    elif is_full:
        row = network.boards.shape[1] - 1
    else:
        row = signed(network.row[TERNARY[theirs] + 2 * TERNARY[marks]])
    forced = ANY if closed >> cell & 1 else cell
    forced_row = row if forced == board else rows[cell]
    value = judge(network, stack.sums[ply, other], board, rows[board], row, forced, forced_row)
    return -value if value != 0 else 1


@inlined_kernel
def _cost(stack: Stack, ply: int) -> int:
    """Return the depth that the move being tried loses for looking bad or coming late."""
    depth = min(stack.depth[ply] // PLY, _DEPTHS - 1)
    worse = stack.top[ply] - stack.look[ply]
    return LATE[depth, stack.tried[ply] - 1] + max(worse, 0) * PLY // _WORSE


@inlined_kernel
def _pick(stack: Stack, ply: int) -> int:
    """Choose the next move to try, and return what to do about it."""
    if stack.move[ply] != NO_MOVE:  # the same once more
        return ENTERED
    while stack.left[ply] > 0:
        _take_next(stack, ply)
        look = stack.look[ply]
        stack.way[ply] = _FULL_WINDOW if stack.tried[ply] == 1 or look == 0 else _GLANCE
        if look == 0:
            return DRAWN
        if (
            stack.way[ply] == _FULL_WINDOW
            or look > stack.alpha[ply]
            or stack.depth[ply] - _cost(stack, ply) >= 2 * PLY
        ):
            return ENTERED
        stack.firm[ply] = 0
        stack.best[ply] = max(stack.best[ply], look)
        stack.move[ply] = NO_MOVE
    return DONE


@inlined_kernel
def _take_next(stack: Stack, ply: int) -> None:
    """Make the move with the highest rank the one being tried."""
    moves, looks, ranks = stack.moves[ply], stack.looks[ply], stack.ranks[ply]
    last = stack.left[ply] - 1
    best = 0
    for i in range(1, last + 1):
        if ranks[i] > ranks[best]:
            best = i
    move, look = moves[best], looks[best]
    moves[best], looks[best], ranks[best] = moves[last], looks[last], ranks[last]
    moves[last] = move  # those that were tried are at the end, for `_learn`
    stack.left[ply] = last
    stack.tried[ply] += 1
    stack.move[ply], stack.look[ply] = move, look
    if ply == 0:
        stack.begin[0] = stack.counters[NODES]


@inlined_kernel
def _take(stack: Stack, ply: int, value: int) -> int:
    """Take the value of the move just tried, and return whether the node is done.

    All but the first are asked only whether they are better, with less depth if they look
    worse; if so, again with full depth; and if still so, how much better they are.
    """
    move, alpha, beta = stack.move[ply], stack.alpha[ply], stack.beta[ply]
    way = stack.way[ply]
    if ply == 0:
        stack.visits[move] += stack.counters[NODES] - stack.begin[0]
        stack.begin[0] = stack.counters[NODES]
    if value > alpha and way != _FULL_WINDOW:
        if way == _GLANCE and value < PROVED:
            stack.way[ply] = _SCOUT
            return OPEN
        if value < beta:
            stack.way[ply] = _FULL_WINDOW
            return OPEN
    if ply == 0 and (value > alpha or value <= -PROVED or not stack.exact[move]):
        stack.value[move], stack.exact[move] = value, value > alpha
    stack.move[ply] = NO_MOVE
    if not is_proved(value):
        stack.firm[ply] = 0
    if value > stack.best[ply]:
        stack.best[ply], stack.choice[ply] = value, move
        stack.alpha[ply] = max(alpha, value)
        if value >= beta or value >= PROVED:
            if stack.tried[ply] > 1:
                _learn(stack, ply, move)
            return DONE
    return OPEN


@inlined_kernel
def _learn(stack: Stack, ply: int, move: int) -> None:
    """Rank a move that mattered higher from now on, and those that were tried before it lower."""
    learnt, moves = stack.learnt[stack.states[ply, SIDE]], stack.moves[ply]
    weight = (stack.depth[ply] // PLY) ** 2
    last = stack.left[ply]
    for i in range(last + 1, last + stack.tried[ply]):
        tried = moves[i]
        learnt[tried] -= learnt[tried] * weight // 16384 + weight
    learnt[move] += 4 * weight - learnt[move] * weight // 4096


@inlined_kernel
def _close(memory: Memory, stack: Stack, ply: int) -> int:
    """Return the value of a node whose moves have been tried, and remember it."""
    value = stack.best[ply]
    bound = EXACT
    if value >= stack.beta[ply]:
        bound = AT_LEAST
    else:
        if value == 0 and not stack.firm[ply]:
            value += 1  # a draw is at hand, but nobody knows whether there is more
        if value <= stack.floor[ply]:
            bound = AT_MOST
    kept = value
    if value >= PROVED:
        kept += ply
    elif value <= -PROVED:
        kept -= ply
    remember(memory, stack.hash[ply], bound, kept, stack.depth[ply], stack.choice[ply])
    return value
