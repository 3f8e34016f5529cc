"""What the searches share: the board's geometry, a memory of positions, and working space.

Searches are about two **roles**: the *attacker*, who wants a line, and the *defender*, who is
content with any other end. Either may be X. A position is the set of each one's cells.

The memory is a hash table of positions up to symmetry. A position has one hash for each of
the board's symmetries, all kept up to date move by move; the least of them is the position's
key, and the symmetry it belongs to maps the position, and the cells stored with it, to and
from the form in which it is stored. Both sets are stored in full, so an entry is never taken
for another position's.

An entry's word of facts::

    bits 0-1  whose turn, 1 or 2; 0: no entry     bits 24-31  tempo (see `attack`)
    bits 8-15  first fact                         bits 32-63  the work that went into it
    bits 16-23 second fact
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.rules.grid import Grid
from noughts.solving.bits import EMPTY, bit_of

__all__ = [
    "ATTACKER",
    "DEFENDER",
    "HOLDS",
    "LIMIT",
    "MAX_CELLS",
    "NODES",
    "OPEN",
    "PAIRS",
    "STOP",
    "STOPPED",
    "UNKNOWN",
    "WINS",
    "Arena",
    "Memory",
    "Workspace",
    "arena_of",
    "enter",
    "filled",
    "grown",
    "hash_root",
    "image",
    "new_memory",
    "new_workspace",
    "place",
    "prepare",
    "recall",
    "remember",
    "visit",
]

MAX_CELLS = 64
ATTACKER, DEFENDER = 0, 1
HOLDS, WINS, UNKNOWN, STOPPED, OPEN = 0, 1, 2, 3, 4
"""Results, from the attacker's point of view. OPEN: a node whose moves are being tried."""

NODES, LIMIT, PAIRS, STOP = 0, 1, 2, 3  # in a workspace's `counters`
_SIDE_KEY = np.uint64(0x9E3779B97F4A7C15)
_BYTE = np.uint64(255)
_EIGHT, _SIXTEEN, _TWENTY_FOUR = np.uint64(8), np.uint64(16), np.uint64(24)
_THIRTY_TWO = np.uint64(32)
_SIDE_BITS = np.uint64(3)
_MOST_WORK = 0xFFFFFFFF
_ENTRY_BYTES = 32
_LINE_WORDS = 8  # in a line of the cache

Masks = NDArray[np.uint64]


class Arena(NamedTuple):
    """A grid as kernels see it."""

    cells: int
    full: np.uint64
    lines: Masks
    keys: Masks  # [symmetry, role, cell]: what a mark adds to the hash
    images: Masks  # [symmetry, byte, value]: where eight cells go
    inverse: NDArray[np.int64]
    weights: NDArray[np.float64]  # 2**-n by n, the weight of a line with n cells to go
    slopes: NDArray[np.float64]  # 1.7**-n: these find a good defence sooner, by experiment
    nearness: NDArray[np.float64]  # [cell]: to the middle; decides between equal cells only


class Memory(NamedTuple):
    """The hash table; slots 2i and 2i+1 belong together."""

    attacker: Masks
    defender: Masks
    zone: Masks
    facts: Masks


class Workspace(NamedTuple):
    """What one search writes while it runs; the first index is the ply."""

    hashes: Masks  # [ply, symmetry]
    attacking: Masks  # [ply, i]: lines without the defender's marks
    attacking_count: NDArray[np.int64]
    defending: Masks  # [ply, i]: lines without the attacker's marks
    defending_count: NDArray[np.int64]
    side: NDArray[np.int64]  # [ply]: who is to move
    moves: NDArray[np.int64]  # [ply]: how many moves the attacker has left
    tempo: NDArray[np.int64]  # [ply]: how many free moves the defender has had
    deadline: NDArray[np.int64]  # [ply]: the node at which to give up
    begin: NDArray[np.int64]  # [ply]: the nodes before this one
    attacker: Masks  # [ply]: the attacker's cells, and the defender's
    defender: Masks
    todo: Masks  # [ply]: moves still to be tried
    guard: Masks  # [ply]: see `attack` and `defence`
    state: NDArray[np.int64]  # [ply]: likewise
    cell: NDArray[np.int64]  # [ply]: the move being tried
    zone: Masks  # [ply]: the cells that a result relies on
    best: NDArray[np.int64]  # [ply]: the move that settled it, or -1
    score: NDArray[np.float64]  # [ply, cell]: how promising a move looks
    weight: NDArray[np.float64]  # [ply, cell]: what a cell adds to the attacker's potential
    partner: Masks  # [cell]
    free: Masks  # [i]: what `drawing` works on, and its weights by line and by cell
    line_weight: NDArray[np.float64]
    cell_weight: NDArray[np.float64]
    pairs: NDArray[np.int64]  # [i, 2]
    counters: NDArray[np.int64]  # nodes, their limit, pairs, whether to stop


@lru_cache(maxsize=32)
def arena_of(grid: Grid) -> Arena:
    """Return the arena of a grid."""
    cells = grid.cells
    lines = np.array(grid.line_masks, np.uint64)
    symmetries = grid.symmetries
    images = np.zeros((len(symmetries), 8, 256), np.uint64)
    rng = np.random.default_rng(20_221_004)  # any fixed seed: runs can be repeated
    own_keys = rng.integers(1, 2**64, (2, max(cells, 1)), np.uint64)
    keys = np.zeros((len(symmetries), 2, cells), np.uint64)
    for s, symmetry in enumerate(symmetries):
        to = symmetry.permutation(grid.rows, grid.cols)
        keys[s] = own_keys[:, list(to)]
        for byte in range(8):
            for value in range(256):
                images[s, byte, value] = sum(
                    1 << to[byte * 8 + bit]
                    for bit in range(8)
                    if value >> bit & 1 and byte * 8 + bit < cells
                )
    inverse = np.array([symmetries.index(symmetry.inverse) for symmetry in symmetries], np.int64)
    # Rounded up where a float could not hold the sum exactly; a potential may be overestimated.
    weights = np.array([2.0 ** -min(n, 40) for n in range(MAX_CELLS + 1)])
    slopes = np.array([1.7**-n for n in range(MAX_CELLS + 1)])
    return Arena(
        cells, np.uint64(grid.full), lines, keys, images, inverse, weights, slopes, _nearness(grid)
    )


def _nearness(grid: Grid) -> NDArray[np.float64]:
    """Return how near the middle every cell is, in numbers small against the weight of a line."""
    rows, cols = np.indices((grid.rows, grid.cols))
    steps = abs(2 * rows - grid.rows + 1) + abs(2 * cols - grid.cols + 1)
    return -1e-13 * steps.ravel().astype(np.float64)


def new_memory(size: int) -> Memory:
    """Return an empty memory that takes at most `size` bytes.

    Two entries fill a line of the processor's cache, so that to look a position up is to fetch
    one line: its words lie side by side, and the four arrays are the columns of one table.
    """
    words = 4 * _slots(size)
    room = np.zeros(words + _LINE_WORDS, np.uint64)
    start = -(room.ctypes.data // 8) % _LINE_WORDS
    return Memory(*room[start : start + words].reshape(-1, 4).T)


def grown(arena: Arena, memory: Memory, size: int) -> Memory:
    """Return a memory that holds the same and takes at most `size` bytes, if that is more."""
    return memory if _slots(size) <= len(memory.facts) else filled(arena, memory, size)


def filled(arena: Arena, entries: Memory, size: int) -> Memory:
    """Return a memory that takes at most `size` bytes and holds these entries, if they fit."""
    memory = new_memory(size)
    _move_all(arena, entries, memory)
    return memory


def _slots(size: int) -> int:
    """Return the number of entries, a power of two, that fit into so many bytes."""
    return 1 << max(10, (max(size, 1) // _ENTRY_BYTES).bit_length() - 1)


def new_workspace(arena: Arena) -> Workspace:
    """Return the working space for one search."""
    plies = 2 * arena.cells + 4  # a search may pass for the defender, so plies exceed the cells
    lines = max(len(arena.lines), 1)
    symmetries = len(arena.inverse)
    return Workspace(
        hashes=np.zeros((plies, symmetries), np.uint64),
        attacking=np.zeros((plies, lines), np.uint64),
        attacking_count=np.zeros(plies, np.int64),
        defending=np.zeros((plies, lines), np.uint64),
        defending_count=np.zeros(plies, np.int64),
        side=np.zeros(plies, np.int64),
        moves=np.zeros(plies, np.int64),
        tempo=np.zeros(plies, np.int64),
        deadline=np.zeros(plies, np.int64),
        begin=np.zeros(plies, np.int64),
        attacker=np.zeros(plies, np.uint64),
        defender=np.zeros(plies, np.uint64),
        todo=np.zeros(plies, np.uint64),
        guard=np.zeros(plies, np.uint64),
        state=np.zeros(plies, np.int64),
        cell=np.zeros(plies, np.int64),
        zone=np.zeros(plies, np.uint64),
        best=np.full(plies, -1, np.int64),
        score=np.zeros((plies, MAX_CELLS)),
        weight=np.zeros((plies, MAX_CELLS)),
        partner=np.zeros(MAX_CELLS, np.uint64),
        free=np.zeros(lines, np.uint64),
        line_weight=np.zeros(lines),
        cell_weight=np.zeros(MAX_CELLS),
        pairs=np.zeros((lines, 2), np.int64),
        counters=np.zeros(4, np.int64),
    )


def prepare(
    arena: Arena, work: Workspace, attacker: int, defender: int, side: int, limit: int
) -> None:
    """Set the workspace up for a search that begins at ply 1 and visits at most `limit` nodes."""
    count = len(arena.lines)
    work.attacking[0, :count] = work.defending[0, :count] = arena.lines
    work.attacking_count[0] = work.defending_count[0] = count
    work.side[1], work.tempo[1] = side, 0
    work.attacker[1], work.defender[1] = attacker, defender
    hash_root(arena, work)
    work.counters[NODES], work.counters[LIMIT] = 0, limit


@bare_kernel
def hash_root(arena: Arena, work: Workspace) -> None:
    """Write the hashes of the position at ply 1."""
    for s in range(len(arena.inverse)):
        key = EMPTY
        for cell in range(arena.cells):
            if work.attacker[1] & bit_of(cell) != EMPTY:
                key ^= arena.keys[s, ATTACKER, cell]
            if work.defender[1] & bit_of(cell) != EMPTY:
                key ^= arena.keys[s, DEFENDER, cell]
        work.hashes[1, s] = key


# -- moves -------------------------------------------------------------------------------


@bare_kernel
def place(arena: Arena, work: Workspace, ply: int, cell: int) -> None:
    """Write the next ply's position after a move; -1 is a pass."""
    side = work.side[ply]
    work.cell[ply] = cell
    work.side[ply + 1] = 1 - side
    work.moves[ply + 1] = work.moves[ply]
    work.tempo[ply + 1] = work.tempo[ply]
    work.attacker[ply + 1] = work.attacker[ply]
    work.defender[ply + 1] = work.defender[ply]
    if cell < 0:
        for s in range(len(arena.inverse)):
            work.hashes[ply + 1, s] = work.hashes[ply, s]
        return
    for s in range(len(arena.inverse)):
        work.hashes[ply + 1, s] = work.hashes[ply, s] ^ arena.keys[s, side, cell]
    if side == ATTACKER:
        work.attacker[ply + 1] |= bit_of(cell)
        work.moves[ply + 1] -= 1
    else:
        work.defender[ply + 1] |= bit_of(cell)


@bare_kernel
def visit(work: Workspace, ply: int) -> bool:
    """Count a node and get it ready; return False if the search has to stop here."""
    if work.counters[NODES] >= work.counters[LIMIT] or work.counters[STOP] != 0:
        return False
    work.counters[NODES] += 1
    work.best[ply] = -1
    work.begin[ply] = work.counters[NODES]
    work.state[ply] = 0
    enter(work, ply)
    return True


@bare_kernel
def enter(work: Workspace, ply: int) -> None:
    """Keep the lines that are still open to either side; few are left deep in a search."""
    a, d = work.attacker[ply], work.defender[ply]
    count = 0
    for i in range(work.attacking_count[ply - 1]):
        line = work.attacking[ply - 1, i]
        if line & d == EMPTY:
            work.attacking[ply, count] = line
            count += 1
    work.attacking_count[ply] = count
    count = 0
    for i in range(work.defending_count[ply - 1]):
        line = work.defending[ply - 1, i]
        if line & a == EMPTY:
            work.defending[ply, count] = line
            count += 1
    work.defending_count[ply] = count


# -- memory ------------------------------------------------------------------------------


@bare_kernel
def image(arena: Arena, s: int, mask: np.uint64) -> np.uint64:
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
def _slot(memory: Memory, work: Workspace, ply: int, s: int) -> int:
    key = work.hashes[ply, s]
    if work.side[ply] == DEFENDER:
        key ^= _SIDE_KEY
    return signed(key & np.uint64(len(memory.facts) - 2))


@bare_kernel
def _find(arena: Arena, memory: Memory, work: Workspace, ply: int, s: int) -> int:
    """Return the slot of a position, or -1."""
    side = work.side[ply]
    first = _slot(memory, work, ply, s)
    a, d = image(arena, s, work.attacker[ply]), image(arena, s, work.defender[ply])
    for slot in range(first, first + 2):
        if (
            memory.facts[slot] & _SIDE_BITS == np.uint64(side + 1)
            and memory.attacker[slot] == a
            and memory.defender[slot] == d
        ):
            return slot
    return -1


@bare_kernel
def _move_all(arena: Arena, memory: Memory, larger: Memory) -> None:
    """Copy every entry to where it belongs in another memory."""
    for slot in range(len(memory.facts)):
        facts = memory.facts[slot]
        if facts == EMPTY:
            continue
        key = EMPTY  # stored positions are those whose own hash is the least of their images
        for cell in range(arena.cells):
            bit = bit_of(cell)
            if memory.attacker[slot] & bit:
                key ^= arena.keys[0, ATTACKER, cell]
            if memory.defender[slot] & bit:
                key ^= arena.keys[0, DEFENDER, cell]
        if facts & _SIDE_BITS == np.uint64(DEFENDER + 1):
            key ^= _SIDE_KEY
        to = signed(key & np.uint64(len(larger.facts) - 2))
        if larger.facts[to] != EMPTY:
            to += 1
        larger.attacker[to] = memory.attacker[slot]
        larger.defender[to] = memory.defender[slot]
        larger.zone[to] = memory.zone[slot]
        larger.facts[to] = facts


@bare_kernel
def recall(
    arena: Arena, memory: Memory, work: Workspace, ply: int
) -> tuple[int, int, int, np.uint64]:
    """Return both facts, the tempo and the zone of a position; the facts are 0 if unknown."""
    s = _least(work, ply)
    slot = _find(arena, memory, work, ply, s)
    if slot < 0:
        return 0, 0, 0, EMPTY
    facts = memory.facts[slot]
    return (
        signed(facts >> _EIGHT & _BYTE),
        signed(facts >> _SIXTEEN & _BYTE),
        signed(facts >> _TWENTY_FOUR & _BYTE),
        image(arena, arena.inverse[s], memory.zone[slot]),
    )


@bare_kernel
def remember(
    arena: Arena, memory: Memory, work: Workspace, ply: int,
    first: int, second: int, tempo: int, zone: np.uint64,
) -> None:  # fmt: skip
    """Keep facts about a position; of two that want a place, the one with less work goes."""
    s = _least(work, ply)
    effort = work.counters[NODES] - work.begin[ply]
    slot = _find(arena, memory, work, ply, s)
    if slot < 0:
        slot = _slot(memory, work, ply, s)
        if memory.facts[slot] >> _THIRTY_TWO > np.uint64(effort):
            slot += 1
        memory.attacker[slot] = image(arena, s, work.attacker[ply])
        memory.defender[slot] = image(arena, s, work.defender[ply])
    memory.zone[slot] = image(arena, s, zone)
    memory.facts[slot] = (
        np.uint64(work.side[ply] + 1)
        | np.uint64(first) << _EIGHT
        | np.uint64(second) << _SIXTEEN
        | np.uint64(tempo) << _TWENTY_FOUR
        | np.uint64(min(effort, _MOST_WORK)) << _THIRTY_TWO
    )
