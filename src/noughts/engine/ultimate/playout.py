"""Random games to the end, as fast as possible.

A playout has about fifty moves and takes nearly all of the time of plain UCT. So its loop keeps
what every move needs, captured boards and the forced board, in variables (that is, in
registers) and not in the row of the position. The rules are those of `board.play`.
"""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import (
    ANY,
    CAPTURED,
    CLOSED,
    COUNT,
    FORCED,
    LINE,
    NTH,
    SIDE,
    VARIANT,
    State,
    empty_cells,
)
from noughts.rules.ultimate import FULL, Variant

__all__ = ["playout", "random_move", "shuffle"]

_BITS = 31  # of a random word
_REST = (1 << _BITS) - 1

_OPEN, _MOST_BOARDS = Variant.OPEN.value, Variant.MOST_BOARDS.value


@bare_kernel
def random_word(seed: NDArray[np.uint64]) -> int:
    """Return 31 random bits (xorshift64*: Vigna 2014), stepping the seed, which is never 0."""
    word = seed[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    seed[0] = word
    return int((word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33))


@bare_kernel
def shuffle(moves: NDArray[np.int32], count: int, seed: NDArray[np.uint64]) -> None:
    """Shuffle the first `count` moves."""
    for i in range(count - 1, 0, -1):
        j = random_word(seed) * (i + 1) >> _BITS
        moves[i], moves[j] = moves[j], moves[i]


@bare_kernel
def random_move(
    state: State, closed: int, forced: int, seed: NDArray[np.uint64]
) -> tuple[int, int]:
    """Return the board and the cell of a legal move, all equally likely.

    Without a forced board, cells of open boards are drawn until one is empty, which is faster
    than counting the empty ones. The upper bits of a word times n are the number drawn, and the
    lower bits are random bits for the next draw.
    """
    if forced != ANY:
        empty = empty_cells(state, forced)
        return forced, signed(NTH[empty, random_word(seed) * signed(COUNT[empty]) >> _BITS])
    boards = FULL & ~closed
    while True:
        word = random_word(seed) * signed(COUNT[boards])
        board = signed(NTH[boards, word >> _BITS])
        cell = (word & _REST) * 9 >> _BITS
        if empty_cells(state, board) >> cell & 1:
            return board, cell


@bare_kernel
def playout(state: State, seed: NDArray[np.uint64]) -> float:
    """Play an unfinished game to its end at random; return the result for the side to move.

    Afterwards the position has the marks of the end; its other fields are not updated.
    """
    side = signed(state[SIDE])
    mine, theirs = signed(state[CAPTURED + side]), signed(state[CAPTURED + 1 - side])
    closed, forced = signed(state[CLOSED]), signed(state[FORCED])
    stays_open = state[VARIANT] & _OPEN
    win, loss = 1.0, 0.0  # of the side to move now, for the side that moved first
    while True:
        board, cell = random_move(state, closed, forced, seed)
        marks = state[9 * side + board] | 1 << cell
        state[9 * side + board] = marks
        bit = 1 << board
        if LINE[marks] and not (mine | theirs) & bit:
            mine |= bit
            if LINE[mine]:
                return win
            if not stays_open:
                closed |= bit
        if marks | state[9 - 9 * side + board] == FULL:
            closed |= bit
        if closed == FULL:
            break
        forced = ANY if closed >> cell & 1 else cell
        side = 1 - side
        mine, theirs = theirs, mine
        win, loss = loss, win
    lead = signed(COUNT[mine]) - signed(COUNT[theirs]) if state[VARIANT] & _MOST_BOARDS else 0
    return win if lead > 0 else loss if lead < 0 else 0.5
