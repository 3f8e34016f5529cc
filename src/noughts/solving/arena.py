"""What the searches share: the board's geometry, and the working space of a search.

Searches are about two **roles**: the *attacker*, who wants a line, and the *defender*, who is
content with any other end. Either may be X. A position is the set of cells of each role.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

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
    "Masks",
    "Workspace",
    "arena_of",
    "enter",
    "hash_root",
    "new_workspace",
    "place",
    "prepare",
    "visit",
]

MAX_CELLS = 64
ATTACKER, DEFENDER = 0, 1
HOLDS, WINS, UNKNOWN, STOPPED, OPEN = 0, 1, 2, 3, 4
"""Results, from the attacker's point of view. OPEN: a node whose moves are being tried."""

NODES, LIMIT, PAIRS, STOP = 0, 1, 2, 3  # in a workspace's `counters`

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


class Workspace(NamedTuple):
    """What one search writes while it runs; the first index is the ply."""

    hashes: Masks  # [ply, symmetry]
    attacking: Masks  # [ply, i]: lines without the defender's marks
    attacking_count: NDArray[np.int64]
    defending: Masks  # [ply, i]: lines without the attacker's marks
    defending_count: NDArray[np.int64]
    side: NDArray[np.int64]  # [ply]: who is to move
    moves: NDArray[np.int64]  # [ply]: the number of moves that the attacker has left
    tempo: NDArray[np.int64]  # [ply]: the number of free moves that the defender has had
    deadline: NDArray[np.int64]  # [ply]: the node at which to give up
    begin: NDArray[np.int64]  # [ply]: the nodes before this one
    attacker: Masks  # [ply]: the attacker's cells, and the defender's
    defender: Masks
    todo: Masks  # [ply]: moves still to be tried
    guard: Masks  # [ply]: see `attack` and `defence`
    state: NDArray[np.int64]  # [ply]: likewise
    cell: NDArray[np.int64]  # [ply]: the move being tried
    zone: Masks  # [ply]: the relevance zone, the cells that a result relies on
    best: NDArray[np.int64]  # [ply]: the move that settled it, or -1
    score: NDArray[np.float64]  # [ply, cell]: the order of moves, highest first
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
    work.best[1] = -1  # a search that is stopped at once must not answer with the last one's move
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
    """List the lines that are still open to either side; few are left deep in a search."""
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
