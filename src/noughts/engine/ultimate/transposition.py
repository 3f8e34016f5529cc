"""The transposition table of endgames, which all threads share without locks.

A position is found by two independent 64-bit hashes of all that matters: captured boards, forced
board, side to move, and the marks in the boards that are still open. Two positions would have to
agree in 128 bits to be confused. An entry stores both hashes combined with the facts: if two
threads write the same entry at once, it matches no position (Hyatt and Mann 2002)::

    [ hash 0 ^ facts | hash 1 ^ facts | facts: score, kind of bound, best move ]
"""

from __future__ import annotations

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.ultimate.board import CAPTURED, CLOSED, FORCED, SIDE, VARIANT, State

__all__ = [
    "AT_LEAST",
    "AT_MOST",
    "EXACT",
    "MAX_SCORE",
    "NO_ENTRY",
    "Table",
    "hash_state",
    "new_table",
    "probe",
    "store",
]

MAX_SCORE = 100
"""No score is further from 0."""

NO_ENTRY, EXACT, AT_LEAST, AT_MOST = range(4)

_random = np.random.default_rng(20261116)
_CELL_KEYS = _random.integers(1 << 63, size=(2, 18, 512), dtype=np.uint64) * np.uint64(
    2
) + np.uint64(1)
_CAPTURED_KEYS = _random.integers(1 << 63, size=(2, 2, 512), dtype=np.uint64) * np.uint64(2)
_FORCED_KEYS = _random.integers(1 << 63, size=(2, 4, 10), dtype=np.uint64) * np.uint64(2)

Table = NDArray[np.uint64]


def new_table(slots: int = 1 << 20) -> Table:
    """Return an empty table; the number of slots is a power of two."""
    return np.zeros((slots, 3), np.uint64)


@bare_kernel
def probe(table: Table, key: NDArray[np.uint64]) -> tuple[int, int, int]:
    """Return the score, kind of bound and best move; NO_ENTRY and -1 if there are none."""
    entry = table[key[0] & np.uint64(len(table) - 1)]
    fact = entry[2]
    if fact == 0 or entry[0] ^ fact != key[0] or entry[1] ^ fact != key[1]:
        return 0, NO_ENTRY, -1
    known = int(fact)
    return (known >> 16) - MAX_SCORE, known >> 8 & 255, known & 255


@bare_kernel
def store(table: Table, key: NDArray[np.uint64], score: int, bound: int, move: int) -> None:
    """Store the result of searching a position, in place of the old entry."""
    entry = table[key[0] & np.uint64(len(table) - 1)]
    fact = np.uint64(score + MAX_SCORE << 16 | bound << 8 | move)
    entry[0] = key[0] ^ fact
    entry[1] = key[1] ^ fact
    entry[2] = fact


@bare_kernel
def hash_state(state: State, key: NDArray[np.uint64]) -> None:
    """Write the two hashes of a position."""
    for half in range(2):
        word = _FORCED_KEYS[half, state[VARIANT], state[FORCED]]
        word ^= (
            _CAPTURED_KEYS[half, 0, state[CAPTURED]] ^ _CAPTURED_KEYS[half, 1, state[CAPTURED + 1]]
        )
        word ^= np.uint64(state[SIDE])
        for board in range(9):
            if not state[CLOSED] >> board & 1:
                word ^= (
                    _CELL_KEYS[half, board, state[board]]
                    ^ _CELL_KEYS[half, 9 + board, state[9 + board]]
                )
        key[half] = word
