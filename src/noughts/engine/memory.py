"""What a search remembers of positions, shared by all threads without locks.

A position's hash has two halves. The first says where its entry is, the second is compared, so
one position is taken for another once in 2**64 questions. What is stored is the second half
combined with the facts: if two threads write an entry at the same time, the halves do not
fit together and nobody believes them.

An entry's word of facts::

    bits 0-15   value + 2**15        bits 32-33  which bound the value is; 0: no entry
    bits 16-31  depth                bits 34-44  best move + 1, or 0

Slots 2i and 2i+1 belong together: the deeper entry keeps the first, the other takes the newest.
Both are in one line of the processor's cache.
"""

from __future__ import annotations

from noughts.kernels import NDArray, aligned_zeros, bare_kernel, np  # isort: skip

__all__ = [
    "AT_LEAST",
    "AT_MOST",
    "EXACT",
    "NOTHING",
    "NO_MOVE",
    "Hash",
    "Memory",
    "new_memory",
    "recall",
    "remember",
]

NOTHING, AT_LEAST, AT_MOST, EXACT = 0, 1, 2, 3
NO_MOVE = -1
ENTRY_BYTES = 16
_OFFSET = 1 << 15
_CHECK, _FACTS = 0, 1

Hash = NDArray[np.int64]
"""The two halves of a position's hash."""

Memory = NDArray[np.int64]
"""A hash table of positions: a row for each slot."""


def new_memory(slots: int) -> Memory:
    """Return an empty memory with so many slots, a power of two; it is taken as it fills."""
    return aligned_zeros((slots, 2), np.int64)


@bare_kernel
def recall(memory: Memory, key: Hash) -> tuple[int, int, int, int]:
    """Return what is known of a position: bound, value, depth and best move."""
    first = key[0] & (len(memory) - 2)
    for slot in range(first, first + 2):
        facts = memory[slot, _FACTS]
        if memory[slot, _CHECK] == key[1] ^ facts and facts != 0:
            bound, value = facts >> 32 & 3, (facts & 0xFFFF) - _OFFSET
            return bound, value, facts >> 16 & 0xFFFF, (facts >> 34) - 1
    return NOTHING, 0, 0, NO_MOVE


@bare_kernel
def remember(memory: Memory, key: Hash, bound: int, value: int, depth: int, move: int) -> None:
    """Keep what was found out about a position."""
    facts = (value + _OFFSET) | depth << 16 | bound << 32 | (move + 1) << 34
    slot = key[0] & (len(memory) - 2)
    kept = memory[slot, _FACTS]
    if kept >> 16 & 0xFFFF > depth and memory[slot, _CHECK] != key[1] ^ kept:
        slot += 1
    memory[slot, _FACTS] = facts
    memory[slot, _CHECK] = key[1] ^ facts
