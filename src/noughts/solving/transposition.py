"""The transposition table: what searches proved about positions, up to symmetry.

A position has one hash for each of the board's symmetries, all kept up to date move by move
(`arena.place`); the least of them is the position's key, and the symmetry it belongs to maps
the position, and the cells stored with it, to and from the form in which it is stored. Both
sides' cells are stored in full, so an entry is never taken for another position's.

An entry's word of facts::

    bits 0-1  whose turn, 1 or 2; 0: no entry     bits 24-31  tempo (see `attack`)
    bits 8-15  first fact                         bits 32-63  the work that went into it
    bits 16-23 second fact

What the two facts mean is said in `attack` and `defence`. Each search has a table of its own
for each attacker. Of two entries in a bucket, the one that took less work is replaced.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import bare_kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.solving.arena import (
    ATTACKER,
    DEFENDER,
    NODES,
    UNKNOWN,
    Arena,
    Masks,
    Workspace,
)
from noughts.solving.bits import EMPTY, ONE, bit_of

__all__ = ["TranspositionTable", "are_sound", "filled", "grown", "new_table", "probe", "store"]

_SIDE_KEY = np.uint64(0x9E3779B97F4A7C15)
_BYTE = np.uint64(255)
_EIGHT, _SIXTEEN, _TWENTY_FOUR = np.uint64(8), np.uint64(16), np.uint64(24)
_THIRTY_TWO = np.uint64(32)
_SIDE_BITS = np.uint64(3)
_MOST_WORK = 0xFFFFFFFF
_ENTRY_BYTES = 32
_LINE_WORDS = 8  # in a line of the cache


class TranspositionTable(NamedTuple):
    """The entries, a column for each word; slots 2i and 2i+1 make a bucket."""

    attacker: Masks
    defender: Masks
    zone: Masks
    facts: Masks


def new_table(size: int) -> TranspositionTable:
    """Return an empty table that takes at most `size` bytes.

    Two entries fill a line of the processor's cache, so that probing a position fetches
    one line: its words lie side by side, and the four arrays are columns of one block.
    """
    words = 4 * _slots(size)
    room = np.zeros(words + _LINE_WORDS, np.uint64)
    start = -(room.ctypes.data // 8) % _LINE_WORDS
    return TranspositionTable(*room[start : start + words].reshape(-1, 4).T)


def grown(arena: Arena, table: TranspositionTable, size: int) -> TranspositionTable:
    """Return a table that holds the same and takes at most `size` bytes, if that is more."""
    return table if _slots(size) <= len(table.facts) else filled(arena, table, size)


def filled(arena: Arena, entries: TranspositionTable, size: int) -> TranspositionTable:
    """Return a table that takes at most `size` bytes and holds these entries, if they fit."""
    table = new_table(size)
    _copy_all(arena, entries, table)
    return table


def are_sound(arena: Arena, table: TranspositionTable, *, is_attack: bool) -> bool:
    """Return whether every entry means something, so that a search can work with it.

    The searches do not look: a cell beyond the board, or one that is taken, would lead them
    astray. Whether the facts are true cannot be seen.
    """
    facts = table.facts
    first, second = (facts >> shift & _BYTE for shift in (_EIGHT, _SIXTEEN))
    marks = table.attacker | table.defender
    is_sound = table.attacker & table.defender == EMPTY
    is_sound &= (marks | table.zone) & ~np.uint64(arena.full) == EMPTY
    is_sound &= marks & table.zone == EMPTY
    is_sound &= ((facts & _BYTE) - ONE) < np.uint64(2)
    cells = np.uint64(arena.cells)
    is_sound &= (facts >> _TWENTY_FOUR & _BYTE) <= cells
    if is_attack:
        is_sound &= (first <= cells) & (second <= cells) & ((first == EMPTY) | (first > second))
    else:
        is_sound &= (first - ONE <= np.uint64(UNKNOWN)) & (second <= np.uint64(64))
    return bool((is_sound | (facts == EMPTY)).all())


def _slots(size: int) -> int:
    """Return the number of entries, a power of two, that fit into `size` bytes."""
    return 1 << max(10, (max(size, 1) // _ENTRY_BYTES).bit_length() - 1)


@bare_kernel
def _image(arena: Arena, s: int, mask: np.uint64) -> np.uint64:
    """Return where a symmetry takes a set of cells."""
    result = EMPTY
    for byte in range(8):
        result |= arena.images[s, byte, signed(mask & _BYTE)]
        mask >>= _EIGHT
    return result


@bare_kernel
def _least(work: Workspace, ply: int) -> int:
    """Return the symmetry under which the position's hash is least."""
    best = 0
    for s in range(1, work.hashes.shape[1]):
        if work.hashes[ply, s] < work.hashes[ply, best]:
            best = s
    return best


@bare_kernel
def _slot(table: TranspositionTable, work: Workspace, ply: int, s: int) -> int:
    key = work.hashes[ply, s]
    if work.side[ply] == DEFENDER:
        key ^= _SIDE_KEY
    return signed(key & np.uint64(len(table.facts) - 2))


@bare_kernel
def _find(arena: Arena, table: TranspositionTable, work: Workspace, ply: int, s: int) -> int:
    """Return the slot of a position, or -1."""
    side = work.side[ply]
    first = _slot(table, work, ply, s)
    a, d = _image(arena, s, work.attacker[ply]), _image(arena, s, work.defender[ply])
    for slot in range(first, first + 2):
        if (
            table.facts[slot] & _SIDE_BITS == np.uint64(side + 1)
            and table.attacker[slot] == a
            and table.defender[slot] == d
        ):
            return slot
    return -1


@bare_kernel
def _copy_all(arena: Arena, table: TranspositionTable, larger: TranspositionTable) -> None:
    """Copy every entry to where it belongs in another table."""
    for slot in range(len(table.facts)):
        facts = table.facts[slot]
        if facts == EMPTY:
            continue
        key = EMPTY  # stored positions are those whose own hash is the least of their images
        for cell in range(arena.cells):
            bit = bit_of(cell)
            if table.attacker[slot] & bit:
                key ^= arena.keys[0, ATTACKER, cell]
            if table.defender[slot] & bit:
                key ^= arena.keys[0, DEFENDER, cell]
        if facts & _SIDE_BITS == np.uint64(DEFENDER + 1):
            key ^= _SIDE_KEY
        to = signed(key & np.uint64(len(larger.facts) - 2))
        if larger.facts[to] != EMPTY:
            to += 1
        larger.attacker[to] = table.attacker[slot]
        larger.defender[to] = table.defender[slot]
        larger.zone[to] = table.zone[slot]
        larger.facts[to] = facts


@bare_kernel
def probe(
    arena: Arena, table: TranspositionTable, work: Workspace, ply: int
) -> tuple[int, int, int, np.uint64]:
    """Return both facts, the tempo and the zone of a position; the facts are 0 if unknown."""
    s = _least(work, ply)
    slot = _find(arena, table, work, ply, s)
    if slot < 0:
        return 0, 0, 0, EMPTY
    facts = table.facts[slot]
    return (
        signed(facts >> _EIGHT & _BYTE),
        signed(facts >> _SIXTEEN & _BYTE),
        signed(facts >> _TWENTY_FOUR & _BYTE),
        _image(arena, arena.inverse[s], table.zone[slot]),
    )


@bare_kernel
def store(
    arena: Arena, table: TranspositionTable, work: Workspace, ply: int,
    first: int, second: int, tempo: int, zone: np.uint64,
) -> None:  # fmt: skip
    """Store facts about a position; if both slots are taken, the lesser work is replaced."""
    s = _least(work, ply)
    effort = work.counters[NODES] - work.begin[ply]
    slot = _find(arena, table, work, ply, s)
    if slot < 0:
        slot = _slot(table, work, ply, s)
        if table.facts[slot] >> _THIRTY_TWO > np.uint64(effort):
            slot += 1
        table.attacker[slot] = _image(arena, s, work.attacker[ply])
        table.defender[slot] = _image(arena, s, work.defender[ply])
    table.zone[slot] = _image(arena, s, zone)
    table.facts[slot] = (
        np.uint64(work.side[ply] + 1)
        | np.uint64(first) << _EIGHT
        | np.uint64(second) << _SIXTEEN
        | np.uint64(tempo) << _TWENTY_FOUR
        | np.uint64(min(effort, _MOST_WORK)) << _THIRTY_TWO
    )
