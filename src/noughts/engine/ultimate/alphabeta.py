"""Alpha-beta search to the end of the game.

A score counts plies: a win in n is ``MAX_SCORE - n``, a loss in n its negative, a draw 0. From a
child to its parent a score changes sign and comes one ply nearer to 0.

A game in which neither side can still get three boards in line is a draw, and one in which only
one side can is at least a draw for it. That alone ends most drawn branches long before the
boards are full.

Before a position is searched, its window is narrowed to the scores that it can have at all. An
empty window is not searched: the first move would cause a cutoff, and be stored as the best.

There is no recursion (numba cannot keep recursive functions compiled): a ply is a row of the
`Stack`, `_enter` begins a node and `_update` takes a child's score.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import (
    CAPTURED,
    CLOSED,
    DRAWN,
    GOES_ON,
    LINE,
    SIDE,
    WON,
    State,
    blank_states,
    can_still_win,
    copy,
    legal_moves,
    play,
)
from noughts.engine.ultimate.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    MAX_SCORE,
    Table,
    hash_state,
    probe,
    store,
)
from noughts.rules.ultimate import FULL

__all__ = ["LIMIT", "NODES", "STOP", "STOPPED", "Stack", "alpha_beta", "new_stack"]

STOP, LIMIT, NODES = 0, 1, 2  # in `counters`
STOPPED = 127  # instead of a score
_OPEN = MAX_SCORE + 1  # likewise: moves are left to try
_PLIES = 84
_BEST = 80  # in a row of `moves`: the best move so far; at most 80 others are left by then


class Stack(NamedTuple):
    """The working space of one search; the first index is the ply, of the root 0."""

    states: State
    moves: NDArray[np.int32]
    ranks: NDArray[np.int32]
    left: NDArray[np.int64]  # the number of moves that are still to be tried
    alpha: NDArray[np.int64]
    beta: NDArray[np.int64]
    alpha_before: NDArray[np.int64]  # alpha on entering the node
    best: NDArray[np.int64]  # the best score so far
    move: NDArray[np.int64]  # the move being tried
    key: NDArray[np.uint64]  # the two hashes
    counters: NDArray[np.int64]  # STOP, LIMIT and NODES


def new_stack() -> Stack:
    """Return the working space of one search."""
    return Stack(
        states=blank_states(_PLIES),
        moves=np.zeros((_PLIES, 81), np.int32),
        ranks=np.zeros((_PLIES, 81), np.int32),
        left=np.zeros(_PLIES, np.int64),
        alpha=np.zeros(_PLIES, np.int64),
        beta=np.zeros(_PLIES, np.int64),
        alpha_before=np.zeros(_PLIES, np.int64),
        best=np.zeros(_PLIES, np.int64),
        move=np.zeros(_PLIES, np.int64),
        key=np.zeros((_PLIES, 2), np.uint64),
        counters=np.zeros(3, np.int64),
    )


@bare_kernel
def _up(score: int) -> int:
    """Return the score of a node for its parent."""
    return 1 - score if score > 0 else -1 - score if score < 0 else 0


@bare_kernel
def _down(bound: int) -> int:
    """Return a bound of a node for its children."""
    return -1 - bound if bound > 0 else 1 - bound if bound < 0 else 0


@bare_kernel
def alpha_beta(stack: Stack, table: Table, alpha: int, beta: int) -> int:
    """Return the score of the position in ``stack.states[0]``, or STOPPED."""
    ply = 0
    stack.alpha[0], stack.beta[0] = alpha, beta
    score = _enter(stack, table, 0)
    while True:
        while score == _OPEN:
            move = _next_move(stack, ply)
            after = stack.states[ply + 1]
            copy(stack.states[ply], after)
            result = play(after, move)
            stack.move[ply] = move
            if result != GOES_ON:
                score = 0 if result == DRAWN else MAX_SCORE - 1 if result == WON else 1 - MAX_SCORE
                score = _update(stack, table, ply, score)
                continue
            stack.alpha[ply + 1] = _down(stack.beta[ply])
            stack.beta[ply + 1] = _down(stack.alpha[ply])
            ply += 1
            score = _enter(stack, table, ply)
        if ply == 0 or score == STOPPED:
            return score
        ply -= 1
        score = _update(stack, table, ply, _up(score))


@bare_kernel
def _enter(stack: Stack, table: Table, ply: int) -> int:
    """Return a node's score if it needs no moves, else list and rank them and return _OPEN."""
    counters = stack.counters
    counters[NODES] += 1
    if counters[STOP] != 0 or counters[NODES] > counters[LIMIT]:
        return STOPPED
    state = stack.states[ply]
    side = state[SIDE]
    lowest, highest = 1 - MAX_SCORE, MAX_SCORE - 1  # no game ends sooner than in one ply
    if not can_still_win(state, side):
        highest = 0
    if not can_still_win(state, 1 - side):
        lowest = 0
    if highest <= stack.alpha[ply] or lowest == highest:
        return highest
    if lowest >= stack.beta[ply]:
        return lowest
    stack.alpha_before[ply] = stack.alpha[ply]
    stack.alpha[ply] = max(stack.alpha[ply], lowest)
    stack.beta[ply] = min(stack.beta[ply], highest)
    hash_state(state, stack.key[ply])
    score, bound, first = probe(table, stack.key[ply])
    if (
        bound == EXACT
        or (bound == AT_LEAST and score >= stack.beta[ply])
        or (bound == AT_MOST and score <= stack.alpha[ply])
    ):
        return score
    stack.best[ply] = -MAX_SCORE
    count = legal_moves(state, stack.moves[ply])
    stack.left[ply] = count
    for i in range(count):
        move = stack.moves[ply, i]
        stack.ranks[ply, i] = 100 if move == first else _rank(state, move)
    return _OPEN


@bare_kernel
def _rank(state: State, move: int) -> int:
    """Rank a move: capture a board, allow the opponent none, give no free choice."""
    side = state[SIDE]
    board, cell = move // 9, move % 9
    marks = state[9 * side + board] | 1 << cell
    rank = 0
    if LINE[marks]:
        rank += 8
        if LINE[state[CAPTURED + side] | 1 << board]:
            return 99
    if state[CLOSED] >> cell & 1 or (cell == board and rank):
        return rank - 5
    theirs = state[9 - 9 * side + cell]
    mine = marks if cell == board else state[9 * side + cell]
    empty = FULL & ~(theirs | mine)
    for other in range(9):
        if empty >> other & 1 and LINE[theirs | 1 << other]:
            return rank - 6
    return rank


@bare_kernel
def _next_move(stack: Stack, ply: int) -> int:
    """Remove and return the move of highest rank."""
    last = stack.left[ply] - 1
    best = 0
    for i in range(1, last + 1):
        if stack.ranks[ply, i] > stack.ranks[ply, best]:
            best = i
    move = stack.moves[ply, best]
    stack.moves[ply, best] = stack.moves[ply, last]
    stack.ranks[ply, best] = stack.ranks[ply, last]
    stack.left[ply] = last
    return int(move)


@bare_kernel
def _update(stack: Stack, table: Table, ply: int, score: int) -> int:
    """Take the score of the move just tried; return the node's score, or _OPEN."""
    if score > stack.best[ply] or stack.best[ply] == -MAX_SCORE:
        stack.best[ply] = score
        stack.moves[ply, _BEST] = stack.move[ply]
    best = stack.best[ply]
    stack.alpha[ply] = max(stack.alpha[ply], best)
    if stack.alpha[ply] < stack.beta[ply] and stack.left[ply] > 0:
        return _OPEN
    bound = AT_LEAST if best >= stack.beta[ply] else EXACT
    if best <= stack.alpha_before[ply]:
        bound = AT_MOST
    store(table, stack.key[ply], best, bound, stack.moves[ply, _BEST])
    return int(best)
