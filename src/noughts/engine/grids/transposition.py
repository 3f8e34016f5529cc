"""What the search remembers of positions, shared by all threads without locks.

A position's hash has two halves. The first says where its entry is, the second is compared, so
one position is taken for another once in 2**64 questions. What is stored is the second half
combined with the facts: if two threads write an entry at the same time, the halves do not
fit together and nobody believes them.

An entry's word of facts::

    bits 0-15   value + 2**15        bits 24-25  which bound the value is; 0: no entry
    bits 16-23  depth                bits 26-36  best move + 1, or 0

Slots 2i and 2i+1 belong together: the deeper entry keeps the first, the other takes the newest.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.engine.grids.board import NOWHERE, Board

__all__ = ["AT_LEAST", "AT_MOST", "EXACT", "NOTHING", "Memory", "new_memory", "recall", "remember"]

NOTHING, AT_LEAST, AT_MOST, EXACT = 0, 1, 2, 3
_SLOTS = 1 << 21  # 32 MiB, taken as they are written
_OFFSET = 1 << 15


class Memory(NamedTuple):
    """A hash table of positions."""

    check: NDArray[np.int64]
    facts: NDArray[np.int64]


def new_memory() -> Memory:
    """Return an empty memory."""
    return Memory(np.zeros(_SLOTS, np.int64), np.zeros(_SLOTS, np.int64))


@bare_kernel
def recall(memory: Memory, board: Board) -> tuple[int, int, int, int]:
    """Return what is known of a position: bound, value, depth and best move."""
    first = board.hash[0] & (len(memory.facts) - 2)
    for slot in range(first, first + 2):
        facts = memory.facts[slot]
        if memory.check[slot] == board.hash[1] ^ facts and facts != 0:
            bound, value = facts >> 24 & 3, (facts & 0xFFFF) - _OFFSET
            return bound, value, facts >> 16 & 0xFF, (facts >> 26) - 1
    return NOTHING, 0, 0, NOWHERE


@bare_kernel
def remember(memory: Memory, board: Board, bound: int, value: int, depth: int, move: int) -> None:
    """Keep what was found out about a position."""
    facts = (value + _OFFSET) | depth << 16 | bound << 24 | (move + 1) << 26
    slot = board.hash[0] & (len(memory.facts) - 2)
    kept = memory.facts[slot]
    if kept >> 16 & 0xFF > depth and memory.check[slot] != board.hash[1] ^ kept:
        slot += 1
    memory.facts[slot] = facts
    memory.check[slot] = board.hash[1] ^ facts
