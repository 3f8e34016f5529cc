"""The transposition table, which all threads share without locks.

A position's hash has two halves. The first selects the entry, the second is compared, so one
position is taken for another once in 2**64 probes. An entry stores the second half combined
with its facts: if two threads write the same entry at once, the two words do not fit together
and the entry is ignored (Hyatt and Mann 2002).

The word of facts::

    bits 0-15   value + 2**15        bits 24-25  which bound the value is; 0: no entry
    bits 16-23  depth                bits 26-36  best move + 1, or 0

Slots 2i and 2i+1 form a bucket: the first keeps the deeper entry, the second the newest.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.grids.board import NOWHERE, Board

__all__ = [
    "AT_LEAST",
    "AT_MOST",
    "EXACT",
    "NO_ENTRY",
    "TranspositionTable",
    "new_table",
    "probe",
    "store",
]

NO_ENTRY, AT_LEAST, AT_MOST, EXACT = 0, 1, 2, 3
_SLOTS = 1 << 21  # 32 MiB, which the system allocates as they are written
_OFFSET = 1 << 15


class TranspositionTable(NamedTuple):
    """The entries: two words for each slot."""

    check: NDArray[np.int64]
    facts: NDArray[np.int64]


def new_table() -> TranspositionTable:
    """Return an empty table."""
    return TranspositionTable(np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS, np.int64))


@bare_kernel
def probe(table: TranspositionTable, board: Board) -> tuple[int, int, int, int]:
    """Return the kind of bound, value, depth and best move stored for a position."""
    first = board.hash[0] & (len(table.facts) - 2)
    for slot in range(first, first + 2):
        facts = table.facts[slot]
        if table.check[slot] == board.hash[1] ^ facts and facts != 0:
            bound, value = facts >> 24 & 3, (facts & 0xFFFF) - _OFFSET
            return bound, value, facts >> 16 & 0xFF, (facts >> 26) - 1
    return NO_ENTRY, 0, 0, NOWHERE


@bare_kernel
def store(
    table: TranspositionTable, board: Board, bound: int, value: int, depth: int, move: int
) -> None:
    """Store the result of searching a position."""
    facts = (value + _OFFSET) | depth << 16 | bound << 24 | (move + 1) << 26
    slot = board.hash[0] & (len(table.facts) - 2)
    kept = table.facts[slot]
    if kept >> 16 & 0xFF > depth and table.check[slot] != board.hash[1] ^ kept:
        slot += 1
    table.facts[slot] = facts
    table.check[slot] = board.hash[1] ^ facts
