"""Games played to their end at random, as fast as it goes.

A playout is fifty or so moves, nearly all of the time that plain UCT takes, so its loop keeps
what every move needs, whose boards are whose and where one must play, in variables (that is, in
registers) and not in the row of the position. The moves are those of `board.play`.
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
    """Bring the first so many moves into a random order."""
    for i in range(count - 1, 0, -1):
        j = random_word(seed) * (i + 1) >> _BITS
        moves[i], moves[j] = moves[j], moves[i]


@bare_kernel
def random_move(
    state: State, closed: int, forced: int, seed: NDArray[np.uint64]
) -> tuple[int, int]:
    """Return the board and the cell of a legal move, each as likely as the others.

    Without a forced board any cell of any open board is drawn until an empty one comes up, which
    is sooner done than counting them all. A word times n is the number drawn and, in its lower
    bits, what is left of the word for the next.
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

    The marks of the position are then those of the end, the rest of it is not.
    """
    side = signed(state[SIDE])
    mine, theirs = signed(state[CAPTURED + side]), signed(state[CAPTURED + 1 - side])
    closed, forced = signed(state[CLOSED]), signed(state[FORCED])
    stays_open = state[VARIANT] & _OPEN
    win, loss = 1.0, 0.0  # as seen by the one who moves, for the one who moved first
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
