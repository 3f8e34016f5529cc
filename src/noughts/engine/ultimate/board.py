"""The rules of Ultimate, compiled.

A position is a row of small integers, so that a move is a few look-ups and a copy is one cache
line or two::

     0 .. 8    X's marks in board 0 .. 8, nine bits each
     9 .. 17   O's
    18, 19     the boards that X and that O captured
    20         the boards where nobody may play any more
    21         the forced board, or ANY
    22         the side to move, 0 for X and 1 for O
    23         the variant's flags

Whether nine bits have a line, how many are set and which is the n-th are looked up in tables of
512 entries.
"""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, kernel, np, wrapping  # isort: skip

from noughts.errors import whole_number
from noughts.rules.grid import cells_of
from noughts.rules.perft import MAX_DEPTH
from noughts.rules.player import Player
from noughts.rules.ultimate import FULL, HAS_LINE, UltimatePosition, Variant

__all__ = [
    "ANY",
    "CAPTURED",
    "CLOSED",
    "DRAWN",
    "FORCED",
    "GOES_ON",
    "LOST",
    "SIDE",
    "STATE_SIZE",
    "VARIANT",
    "WON",
    "State",
    "can_still_win",
    "copy",
    "count_empty",
    "empty_cells",
    "is_dead",
    "legal_moves",
    "perft",
    "play",
    "playout",
    "position_of",
    "state_of",
]

State = NDArray[np.int32]

CAPTURED, CLOSED, FORCED, SIDE, VARIANT, STATE_SIZE = 18, 20, 21, 22, 23, 24
ANY = 9

GOES_ON, DRAWN, WON, LOST = 0, 1, 2, 3
"""What a move leads to, seen from the side that made it; only `MOST_BOARDS` may lose by moving."""

_OPEN, _MOST_BOARDS = Variant.OPEN.value, Variant.MOST_BOARDS.value

_LINE = np.array(HAS_LINE, np.bool_)
_COUNT = np.array([mask.bit_count() for mask in range(512)], np.int32)
_NTH = np.array([(cells_of(mask) + [0] * 9)[:9] for mask in range(512)], np.int32)
"""The n-th cell of a set of cells."""


def state_of(position: UltimatePosition) -> State:
    """Return a position as a row of integers."""
    state = np.zeros(STATE_SIZE, np.int32)
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
    return UltimatePosition(x, o, forced, Variant(words[VARIANT]), both & words[CAPTURED])


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
            count += _COUNT[empty_cells(state, board)]
    return count


@bare_kernel
def play(state: State, move: int) -> int:
    """Make a legal move and return what it leads to; after the end no board is forced."""
    side = state[SIDE]
    board, cell = move // 9, move % 9
    marks = state[9 * side + board] | 1 << cell
    state[9 * side + board] = marks
    state[SIDE] = 1 - side
    bit = 1 << board
    is_full = marks | state[9 - 9 * side + board] == FULL
    is_captured = _LINE[marks] and not (state[CAPTURED] | state[CAPTURED + 1]) & bit
    if is_captured:
        state[CAPTURED + side] |= bit
    if is_full or (is_captured and not state[VARIANT] & _OPEN):
        state[CLOSED] |= bit
    state[FORCED] = ANY if state[CLOSED] >> cell & 1 else cell
    if is_captured and _LINE[state[CAPTURED + side]]:
        state[FORCED] = ANY
        return WON
    if state[CLOSED] != FULL:
        return GOES_ON
    if state[VARIANT] & _MOST_BOARDS:
        lead = _COUNT[state[CAPTURED + side]] - _COUNT[state[CAPTURED + 1 - side]]
        if lead != 0:
            return WON if lead > 0 else LOST
    return DRAWN


@bare_kernel
def can_still_win(state: State, side: int) -> bool:
    """Return whether some way of filling the boards lets a side win."""
    if state[VARIANT] & _MOST_BOARDS:
        return True
    within_reach = state[CAPTURED + side]
    for board in range(9):
        is_lost = (state[CLOSED] | state[CAPTURED + 1 - side]) >> board & 1
        if not is_lost and _LINE[FULL & ~state[9 - 9 * side + board]]:
            within_reach |= 1 << board
    return _LINE[within_reach]


@bare_kernel
def is_dead(state: State) -> bool:
    """Return whether neither side can win any more."""
    return (
        _COUNT[state[CLOSED]] > 2  # with fewer it hardly ever is, and need not be seen
        and not can_still_win(state, 0)
        and not can_still_win(state, 1)
    )


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
        for n in range(_COUNT[empty]):
            moves[count] = 9 * board + _NTH[empty, n]
            count += 1
    return count


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
def random_move(state: State, seed: NDArray[np.uint64]) -> int:
    """Return one of the legal moves, each as likely as the others."""
    forced = state[FORCED]
    if forced != ANY:
        empty = empty_cells(state, forced)
        return 9 * forced + _NTH[empty, random_word(seed) * int(_COUNT[empty]) >> 31]
    total = 0
    for board in range(9):
        if not state[CLOSED] >> board & 1:
            total += int(_COUNT[empty_cells(state, board)])
    n = random_word(seed) * total >> 31
    for board in range(9):
        if not state[CLOSED] >> board & 1:
            empty = empty_cells(state, board)
            if n < _COUNT[empty]:
                return 9 * board + _NTH[empty, n]
            n -= _COUNT[empty]
    return -1


@bare_kernel
def playout(state: State, seed: NDArray[np.uint64]) -> float:
    """Play an unfinished game to its end at random; return the result for the side to move."""
    first = state[SIDE]
    while True:
        side = state[SIDE]
        result = play(state, random_move(state, seed))
        if result != GOES_ON:
            score = 0.5 if result == DRAWN else 1.0 if result == WON else 0.0
            return score if side == first else 1.0 - score


@kernel
def _count_sequences(states: NDArray[np.int32], moves: NDArray[np.int32], depth: int) -> int:
    """Walk every sequence of moves from states[0]; a ply is a row, as kernels cannot recurse."""
    total = 0
    left = np.zeros(depth + 1, np.int64)
    ply = 0
    left[0] = legal_moves(states[0], moves[0])
    if depth == 1:
        return left[0]
    while ply >= 0:
        if left[ply] == 0:
            ply -= 1
            continue
        left[ply] -= 1
        copy(states[ply], states[ply + 1])
        if play(states[ply + 1], moves[ply, left[ply]]) != GOES_ON:
            continue
        count = legal_moves(states[ply + 1], moves[ply + 1])
        if ply + 2 == depth:
            total += count
        else:
            ply += 1
            left[ply] = count
    return total


def perft(position: UltimatePosition, depth: int) -> int:
    """Return the number of sequences of exactly `depth` legal moves, as `noughts.perft` does.

    >>> perft(UltimatePosition.start(), 4)
    55080
    """
    whole_number(depth, "depth", most=MAX_DEPTH)
    if depth == 0 or position.outcome:
        return int(depth == 0)
    states = np.zeros((depth + 1, STATE_SIZE), np.int32)
    states[0] = state_of(position)
    with wrapping():
        return int(_count_sequences(states, np.zeros((depth + 1, 81), np.int32), depth))
