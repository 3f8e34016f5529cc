"""Exact endgames: alpha-beta to the end of the game, with a memory.

A score counts plies: a win in n is ``_MOST - n``, a loss in n its negative, a draw 0. From a
child to its parent a score changes sign and comes one ply nearer to 0.

What is remembered is found by two independent 64-bit hashes of all that matters: owners, forced
board, and the cells of the boards that are still open. Two positions would have to agree in 128
bits to be taken for each other. Threads share the memory without locks: both hashes are stored
mixed with the fact, so that an entry that two of them wrote at once fits no position (Hyatt and
Mann 2002)::

    [ hash 0 ^ fact | hash 1 ^ fact | fact: move, bound, score ]

A game in which neither side can still get three boards in line is a draw, and one in which only
one side can is at least a draw for it. That alone ends most drawn branches long before the
boards are full.

Before a position is searched, its window is narrowed to what it can be worth at all. If nothing
is left of it, there is no search: the first move would end it, and pass for the best of all.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np, wrapping  # isort: skip

from noughts.engine.ultimate.board import (
    CAPTURED,
    CLOSED,
    DRAWN,
    FORCED,
    GOES_ON,
    LINE,
    SIDE,
    VARIANT,
    WON,
    State,
    blank_states,
    can_still_win,
    copy,
    legal_moves,
    play,
)
from noughts.rules.ultimate import FULL

__all__ = ["Endgame"]

_MOST = 100
_DEPTH = 84
_NOTHING, _EXACT, _AT_LEAST, _AT_MOST = range(4)
_STOPPED = 127
_NO_LIMIT = 1 << 62
STOP, LIMIT, NODES = 0, 1, 2

_random = np.random.default_rng(20261116)
_CELLS = _random.integers(1 << 63, size=(2, 18, 512), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
_OWNED = _random.integers(1 << 63, size=(2, 2, 512), dtype=np.uint64) * np.uint64(2)
_SENT = _random.integers(1 << 63, size=(2, 4, 10), dtype=np.uint64) * np.uint64(2)


class Plies(NamedTuple):
    """The search, a row for each ply, as kernels cannot recurse."""

    states: State
    moves: NDArray[np.int32]
    weights: NDArray[np.int32]
    left: NDArray[np.int64]  # how many moves are still to be tried
    alpha: NDArray[np.int64]
    beta: NDArray[np.int64]
    floor: NDArray[np.int64]  # alpha as it was on arrival
    best: NDArray[np.int64]
    choice: NDArray[np.int64]
    key: NDArray[np.uint64]
    counters: NDArray[np.int64]


Memory = NDArray[np.uint64]


class Endgame:
    """Solves positions in which few cells are left; a `helper` may do so at the same time."""

    def __init__(self, size: int = 1 << 20, *, memory: Memory | None = None) -> None:
        self._memory = np.zeros((size, 3), np.uint64) if memory is None else memory
        self._plies = Plies(
            states=blank_states(_DEPTH),
            moves=np.zeros((_DEPTH, 81), np.int32),
            weights=np.zeros((_DEPTH, 81), np.int32),
            left=np.zeros(_DEPTH, np.int64),
            alpha=np.zeros(_DEPTH, np.int64),
            beta=np.zeros(_DEPTH, np.int64),
            floor=np.zeros(_DEPTH, np.int64),
            best=np.zeros(_DEPTH, np.int64),
            choice=np.zeros(_DEPTH, np.int64),
            key=np.zeros((_DEPTH, 2), np.uint64),
            counters=np.zeros(3, np.int64),
        )
        self.allow(_NO_LIMIT)

    def helper(self) -> Endgame:
        """Return one for another thread that remembers what this one does, and vice versa."""
        return Endgame(memory=self._memory)

    @property
    def nodes(self) -> int:
        """How many positions were visited so far."""
        return int(self._plies.counters[NODES])

    def stop(self, stopping: bool = True) -> None:
        """Make a running `solve` give up, and later ones at once; or allow them again."""
        self._plies.counters[STOP] = stopping

    def allow(self, nodes: int) -> None:
        """Start counting anew: give up after so many nodes."""
        self._plies.counters[NODES] = 0
        self._plies.counters[LIMIT] = nodes

    def solve(self, position: State) -> tuple[int, int] | None:
        """Return the value of an unfinished game for the side to move, and the plies to its end.

        The value is 1, 0 or -1, and the plies of a draw are 0. None if it had to give up.
        """
        self._plies.states[0] = position
        with wrapping():
            score = int(solve(self._plies, self._memory, -_MOST, _MOST))
        if score == _STOPPED:
            return None
        value = (score > 0) - (score < 0)
        return value, (_MOST - abs(score)) * abs(value)

    def best_move(self, position: State) -> int | None:
        """Return a best move, or None if it had to give up or every move is as good."""
        key = self._plies.key[0]
        key[:] = 0  # which fits nothing: a dead game is not even looked up
        solved = self.solve(position)
        with wrapping():
            _, bound, move = _recall(self._memory, key)
        return None if solved is None or bound == _NOTHING else int(move)


@bare_kernel
def _up(score: int) -> int:
    """Return a child's score as its parent sees it."""
    return 1 - score if score > 0 else -1 - score if score < 0 else 0


@bare_kernel
def _down(bound: int) -> int:
    """Return a bound on a node's score as one on its children's."""
    return -1 - bound if bound > 0 else 1 - bound if bound < 0 else 0


@bare_kernel
def solve(plies: Plies, memory: Memory, alpha: int, beta: int) -> int:
    """Return the score of the position in ``plies.states[0]``."""
    ply = 0
    plies.alpha[0], plies.beta[0] = alpha, beta
    score = _open(plies, memory, 0)
    while True:
        while score == _MOST + 1:  # open: try the next move
            move = _next_move(plies, ply)
            after = plies.states[ply + 1]
            copy(plies.states[ply], after)
            result = play(after, move)
            plies.choice[ply] = move
            if result != GOES_ON:
                score = 0 if result == DRAWN else _MOST - 1 if result == WON else 1 - _MOST
                score = _take(plies, memory, ply, score)
                continue
            plies.alpha[ply + 1] = _down(plies.beta[ply])
            plies.beta[ply + 1] = _down(plies.alpha[ply])
            ply += 1
            score = _open(plies, memory, ply)
        if ply == 0 or score == _STOPPED:
            return score
        ply -= 1
        score = _take(plies, memory, ply, _up(score))


@bare_kernel
def _open(plies: Plies, memory: Memory, ply: int) -> int:
    """Settle a node at once if possible, else get its moves ready."""
    counters = plies.counters
    counters[NODES] += 1
    if counters[STOP] != 0 or counters[NODES] > counters[LIMIT]:
        return _STOPPED
    state = plies.states[ply]
    side = state[SIDE]
    lowest, highest = 1 - _MOST, _MOST - 1  # nothing is quicker than one ply
    if not can_still_win(state, side):
        highest = 0
    if not can_still_win(state, 1 - side):
        lowest = 0
    if highest <= plies.alpha[ply] or lowest == highest:
        return highest
    if lowest >= plies.beta[ply]:
        return lowest
    plies.floor[ply] = plies.alpha[ply]
    plies.alpha[ply] = max(plies.alpha[ply], lowest)
    plies.beta[ply] = min(plies.beta[ply], highest)
    _hash(state, plies.key[ply])
    score, bound, known = _recall(memory, plies.key[ply])
    if (
        bound == _EXACT
        or (bound == _AT_LEAST and score >= plies.beta[ply])
        or (bound == _AT_MOST and score <= plies.alpha[ply])
    ):
        return score
    plies.best[ply] = -_MOST
    count = legal_moves(state, plies.moves[ply])
    plies.left[ply] = count
    for i in range(count):
        move = plies.moves[ply, i]
        plies.weights[ply, i] = 100 if move == known else _promise(state, move)
    return _MOST + 1


@bare_kernel
def _promise(state: State, move: int) -> int:
    """Return how good a move looks: a board for me, none for them, no free choice."""
    side = state[SIDE]
    board, cell = move // 9, move % 9
    marks = state[9 * side + board] | 1 << cell
    promise = 0
    if LINE[marks]:
        promise += 8
        if LINE[state[CAPTURED + side] | 1 << board]:
            return 99
    if state[CLOSED] >> cell & 1 or (cell == board and promise):
        return promise - 5
    theirs = state[9 - 9 * side + cell]
    mine = marks if cell == board else state[9 * side + cell]
    empty = FULL & ~(theirs | mine)
    for other in range(9):
        if empty >> other & 1 and LINE[theirs | 1 << other]:
            return promise - 6
    return promise


@bare_kernel
def _next_move(plies: Plies, ply: int) -> int:
    """Take the most promising of the moves left."""
    last = plies.left[ply] - 1
    best = 0
    for i in range(1, last + 1):
        if plies.weights[ply, i] > plies.weights[ply, best]:
            best = i
    move = plies.moves[ply, best]
    plies.moves[ply, best] = plies.moves[ply, last]
    plies.weights[ply, best] = plies.weights[ply, last]
    plies.left[ply] = last
    return int(move)


@bare_kernel
def _take(plies: Plies, memory: Memory, ply: int, score: int) -> int:
    """Take the score of a move, and return the node's own or that it is still open."""
    if score > plies.best[ply] or plies.best[ply] == -_MOST:
        plies.best[ply] = score
        # The best move so far is kept in the place of one that is done.
        plies.moves[ply, 80] = plies.choice[ply]
    best = plies.best[ply]
    plies.alpha[ply] = max(plies.alpha[ply], best)
    if plies.alpha[ply] < plies.beta[ply] and plies.left[ply] > 0:
        return _MOST + 1
    bound = _AT_LEAST if best >= plies.beta[ply] else _EXACT
    if best <= plies.floor[ply]:
        bound = _AT_MOST
    _remember(memory, plies.key[ply], best, bound, plies.moves[ply, 80])
    return int(best)


@bare_kernel
def _recall(memory: Memory, key: NDArray[np.uint64]) -> tuple[int, int, int]:
    """Return score, kind of bound and best move; _NOTHING and -1 if nothing is known."""
    entry = memory[key[0] & np.uint64(len(memory) - 1)]
    fact = entry[2]
    if fact == 0 or entry[0] ^ fact != key[0] or entry[1] ^ fact != key[1]:
        return 0, _NOTHING, -1
    known = int(fact)
    return (known >> 16) - _MOST, known >> 8 & 255, known & 255


@bare_kernel
def _remember(memory: Memory, key: NDArray[np.uint64], score: int, bound: int, move: int) -> None:
    """Write down what is known of a position, over whatever was there."""
    entry = memory[key[0] & np.uint64(len(memory) - 1)]
    fact = np.uint64(score + _MOST << 16 | bound << 8 | move)
    entry[0] = key[0] ^ fact
    entry[1] = key[1] ^ fact
    entry[2] = fact


@bare_kernel
def _hash(state: State, key: NDArray[np.uint64]) -> None:
    """Write the two hashes of a position."""
    for half in range(2):
        word = _SENT[half, state[VARIANT], state[FORCED]]
        word ^= _OWNED[half, 0, state[CAPTURED]] ^ _OWNED[half, 1, state[CAPTURED + 1]]
        word ^= np.uint64(state[SIDE])
        for board in range(9):
            if not state[CLOSED] >> board & 1:
                word ^= (
                    _CELLS[half, board, state[board]] ^ _CELLS[half, 9 + board, state[9 + board]]
                )
        key[half] = word
