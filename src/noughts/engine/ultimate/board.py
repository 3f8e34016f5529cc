"""The rules of Ultimate, compiled.

A position is a row of small integers, so that a move is a few look-ups and a copy fits in one
cache line. They are unsigned, so that the compiled code need not check for negative indices::

     0 .. 8    X's marks in board 0 .. 8, nine bits each
     9 .. 17   O's
    18, 19     the boards that X and that O captured
    20         the closed boards
    21         the forced board, or ANY
    22         the side to move, 0 for X and 1 for O
    23         the variant's flags

Whether nine bits have a line, how many are set and which is the n-th are looked up in tables of
512 entries.
"""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, np, signed  # isort: skip

from noughts.rules.grid import cells_of
from noughts.rules.player import Player
from noughts.rules.ultimate import FULL, HAS_LINE, SMALL, UltimatePosition, Variant

__all__ = [
    "ANY",
    "CAPTURED",
    "CLOSED",
    "COUNT",
    "DRAWN",
    "FORCED",
    "GOES_ON",
    "LINE",
    "LINES",
    "LOST",
    "NTH",
    "SIDE",
    "STATE_SIZE",
    "VARIANT",
    "WON",
    "State",
    "blank_states",
    "can_still_win",
    "copy",
    "count_empty",
    "empty_cells",
    "is_in_reach",
    "legal_moves",
    "play",
    "position_of",
    "reach",
    "reach_after",
    "state_of",
]

State = NDArray[np.uint16]

CAPTURED, CLOSED, FORCED, SIDE, VARIANT, STATE_SIZE = 18, 20, 21, 22, 23, 24
ANY = 9

GOES_ON, DRAWN, WON, LOST = 0, 1, 2, 3
"""The result of a move for the side that made it; only in `MOST_BOARDS` may a move lose."""

_OPEN, _MOST_BOARDS = Variant.OPEN.value, Variant.MOST_BOARDS.value

LINE = np.array(HAS_LINE, np.bool_)
LINES = np.array([len(list(SMALL.lines_in(mask))) for mask in range(512)], np.uint8)
"""Whether there is a line in a set of cells or boards, and how many there are."""

COUNT = np.array([mask.bit_count() for mask in range(512)], np.uint8)
NTH = np.array([(cells_of(mask) + [0] * 9)[:9] for mask in range(512)], np.uint8)
"""The n-th cell of a set of cells."""


def blank_states(*shape: int) -> State:
    """Return an array for one position, or for an array of them with the given shape."""
    return np.zeros((*shape, STATE_SIZE), np.uint16)


def state_of(position: UltimatePosition) -> State:
    """Return a position as a row of integers."""
    state = blank_states()
    for board in range(9):
        state[board] = position.x >> 9 * board & FULL
        state[9 + board] = position.o >> 9 * board & FULL
    state[CAPTURED : CAPTURED + 2] = position.captured
    state[CLOSED] = position.closed
    state[FORCED] = ANY if position.forced is None else position.forced
    state[SIDE] = position.turn is Player.O
    state[VARIANT] = position.variant.value
    return state


def position_of(state: State) -> UltimatePosition:
    """Return the position that a row of integers stands for."""
    words = [int(word) for word in state]
    x, o = (sum(words[9 * side + b] << 9 * b for b in range(9)) for side in (0, 1))
    both = sum(1 << b for b in range(9) if HAS_LINE[words[b]] and HAS_LINE[words[9 + b]])
    forced = None if words[FORCED] == ANY else words[FORCED]
    return UltimatePosition.unchecked(x, o, forced, Variant(words[VARIANT]), both & words[CAPTURED])


@bare_kernel
def copy(source: State, target: State) -> None:
    """Copy a position."""
    for i in range(STATE_SIZE):
        target[i] = source[i]


@bare_kernel
def empty_cells(state: State, board: int) -> int:
    """Return the empty cells of a board."""
    return FULL & ~(state[board] | state[9 + board])


@bare_kernel
def count_empty(state: State) -> int:
    """Return the number of empty cells in boards that are still open."""
    count = 0
    for board in range(9):
        if not state[CLOSED] >> board & 1:
            count += signed(COUNT[empty_cells(state, board)])
    return count


@bare_kernel
def play(state: State, move: int) -> int:
    """Make a legal move and return its result; after the end no board is forced."""
    side = state[SIDE]
    board, cell = move // 9, move % 9
    marks = state[9 * side + board] | 1 << cell
    state[9 * side + board] = marks
    state[SIDE] = 1 - side
    bit = 1 << board
    is_full = marks | state[9 - 9 * side + board] == FULL
    is_captured = LINE[marks] and not (state[CAPTURED] | state[CAPTURED + 1]) & bit
    if is_captured:
        state[CAPTURED + side] |= bit
    if is_full or (is_captured and not state[VARIANT] & _OPEN):
        state[CLOSED] |= bit
    state[FORCED] = ANY if state[CLOSED] >> cell & 1 else cell
    if is_captured and LINE[state[CAPTURED + side]]:
        state[FORCED] = ANY
        return WON
    if state[CLOSED] != FULL:
        return GOES_ON
    if state[VARIANT] & _MOST_BOARDS:
        lead = signed(COUNT[state[CAPTURED + side]]) - signed(COUNT[state[CAPTURED + 1 - side]])
        if lead != 0:
            return WON if lead > 0 else LOST
    return DRAWN


@bare_kernel
def is_in_reach(state: State, side: int, board: int) -> bool:
    """Return whether a side has captured a board or could still capture it."""
    bit = 1 << board
    if state[CAPTURED + side] & bit:
        return True
    if (state[CLOSED] | state[CAPTURED + 1 - side]) & bit:
        return False
    return LINE[FULL & ~state[9 - 9 * side + board]]


@bare_kernel
def reach(state: State, side: int) -> int:
    """Return the boards in a side's reach; a side without a line of them can no longer win."""
    if state[VARIANT] & _MOST_BOARDS:
        return FULL
    boards = 0
    for board in range(9):
        boards |= is_in_reach(state, side, board) << board
    return boards


@bare_kernel
def reach_after(before: int, state: State, side: int, board: int) -> int:
    """Return the boards in a side's reach after a move in one of them."""
    return before if is_in_reach(state, side, board) else before & ~(1 << board)


@bare_kernel
def can_still_win(state: State, side: int) -> bool:
    """Return whether some way of filling the boards lets a side win."""
    return LINE[reach(state, side)]


@bare_kernel
def legal_moves(state: State, moves: NDArray[np.int32]) -> int:
    """Write the legal moves of an unfinished game in ascending order and return their number."""
    count = 0
    forced = state[FORCED]
    first, last = (0, 8) if forced == ANY else (forced, forced)
    for board in range(first, last + 1):
        if state[CLOSED] >> board & 1:
            continue
        empty = empty_cells(state, board)
        for n in range(COUNT[empty]):
            moves[count] = 9 * board + NTH[empty, n]
            count += 1
    return count
