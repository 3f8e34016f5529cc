"""Counting breadth first over distinct positions: all boards with d marks, then with d + 1.

Beside each position stands the number of games that lead to it. Positions are listed, so this
is for boards of up to some twenty cells. It is the plainest of the methods, and checks what the
sweeps say about games, positions and endings.

With `up_to_symmetry` one position stands for its orbit, and moves that a symmetry of the
position maps to each other are one move. So the games counted are those that stay different
when the board may be turned after every move: **moves identified at each step**.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from noughts.kernels import NDArray, np  # isort: skip  - says which extra is missing

from noughts.counting.results import EndingCounts, GameCounts, PositionCounts
from noughts.errors import LimitExceeded
from noughts.limits import human_size
from noughts.rules.player import Player, Verdict
from noughts.rules.position import GridPosition

__all__ = ["list_endings", "list_games", "list_positions"]

MAX_CELLS = 32  # both masks of a position fit into a machine word
MAX_EMPTY = 20  # and so do 20! games

Words = NDArray[np.uint64]
_BYTES_PER_CHILD = 56  # key, count, and what sorting them takes


@dataclass(frozen=True)
class _Layer:
    """What one more mark leads to.

    Positions and games are counted by how they are after it: running, or with an outcome.
    """

    marks: int
    running: int
    boards: dict[Verdict, int]
    games: dict[Verdict, int]


def list_games(position: GridPosition, memory: int, *, up_to_symmetry: bool = False) -> GameCounts:
    """Count the games from a position on, with up to `memory` bytes for the positions."""
    begin = (position.x | position.o).bit_count()
    wins = dict.fromkeys((Verdict.X_WINS, Verdict.O_WINS, Verdict.DRAW), 0)
    by_length: dict[int, int] = {}
    for layer in _layers(position, memory, up_to_symmetry):
        for verdict, count in layer.games.items():
            wins[verdict] += count
            if count:
                length = layer.marks - begin
                by_length[length] = by_length.get(length, 0) + count
    return GameCounts(
        x_wins=wins[Verdict.X_WINS],
        o_wins=wins[Verdict.O_WINS],
        draws=wins[Verdict.DRAW],
        by_length=by_length,
    )


def list_positions(
    position: GridPosition, memory: int, *, up_to_symmetry: bool = False
) -> PositionCounts:
    """Count the distinct positions from one on, itself included, by listing them."""
    return PositionCounts(
        {
            layer.marks: layer.running + sum(layer.boards.values())
            for layer in _layers(position, memory, up_to_symmetry)
            if layer.running + sum(layer.boards.values())
        }
    )


def list_endings(
    position: GridPosition, memory: int, *, up_to_symmetry: bool = False
) -> EndingCounts:
    """Count the distinct finished boards from a position on, by listing them."""
    by_outcome: dict[Verdict, dict[int, int]] = {
        verdict: {} for verdict in (Verdict.X_WINS, Verdict.O_WINS, Verdict.DRAW)
    }
    for layer in _layers(position, memory, up_to_symmetry):
        for verdict, count in layer.boards.items():
            if count:
                by_outcome[verdict][layer.marks] = count
    return EndingCounts(by_outcome)


def _layers(position: GridPosition, memory: int, up_to_symmetry: bool) -> Iterator[_Layer]:
    """Yield the layers from a position on, the position itself first."""
    grid = position.grid
    cells = grid.cells
    marks = (position.x | position.o).bit_count()
    if cells > MAX_CELLS or cells - marks > MAX_EMPTY:
        most = f"{MAX_EMPTY} empty of {MAX_CELLS} cells"
        raise LimitExceeded(f"positions are listed up to {most}, not {cells - marks} of {cells}")
    if position.outcome:
        ended = {position.outcome.verdict: 1}
        yield _Layer(marks, 0, ended, ended)
        return
    yield _Layer(marks, 1, {}, {})
    permutations = [s.permutation(grid.rows, grid.cols) for s in grid.symmetries]
    lines = [[np.uint64(mask) for mask in grid.masks_through(cell)] for cell in range(cells)]
    low = np.uint64((1 << cells) - 1)
    keys = np.array([position.x << cells | position.o], np.uint64)  # X above O
    counts = np.ones(1, np.uint64)
    if up_to_symmetry:
        keys = _canonical(keys, permutations, cells)
    x_moves = position.turn is Player.X
    while len(keys):
        children = len(keys) * (cells - marks)
        if children * _BYTES_PER_CHILD > memory:
            need = human_size(children * _BYTES_PER_CHILD)
            raise LimitExceeded(f"listing {children:,} positions needs {need} of memory")
        won: list[tuple[Words, Words]] = []
        running: list[tuple[Words, Words]] = []
        stabilisers = (
            [(p, _permute(keys, p, cells) == keys) for p in permutations] if up_to_symmetry else []
        )
        for cell in range(cells):
            own_bit = np.uint64(1 << (cell + cells if x_moves else cell))
            taken = np.uint64(1 << cell | 1 << (cell + cells))
            free = keys & taken == 0
            for image, leaves_alone in stabilisers:
                if image[cell] < cell:  # that cell stands for this one
                    free &= ~leaves_alone
            after, ways = keys[free] | own_bit, counts[free]
            own = after >> np.uint64(cells) if x_moves else after & low
            has_line = np.zeros(len(after), bool)
            for line in lines[cell]:
                has_line |= own & line == line
            won.append((after[has_line], ways[has_line]))
            running.append((after[~has_line], ways[~has_line]))
        marks += 1
        won_keys, won_counts = _merge(won, permutations if up_to_symmetry else [], cells)
        keys, counts = _merge(running, permutations if up_to_symmetry else [], cells)
        verdict = Verdict.X_WINS if x_moves else Verdict.O_WINS
        boards, games = {verdict: len(won_keys)}, {verdict: int(won_counts.sum())}
        if marks == cells:
            boards[Verdict.DRAW], games[Verdict.DRAW] = len(keys), int(counts.sum())
            keys = keys[:0]
        yield _Layer(marks, len(keys), boards, games)
        x_moves = not x_moves


def _merge(
    parts: list[tuple[Words, Words]], permutations: list[tuple[int, ...]], cells: int
) -> tuple[Words, Words]:
    """Return the distinct keys among the parts, and the sum of the counts of each."""
    keys = np.concatenate([part for part, _ in parts])
    counts = np.concatenate([part for _, part in parts])
    if not len(keys):
        return keys, counts
    if permutations:
        keys = _canonical(keys, permutations, cells)
    order = np.argsort(keys)
    keys, counts = keys[order], counts[order]
    first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
    return keys[first], np.add.reduceat(counts, first)


def _permute(keys: Words, permutation: tuple[int, ...], cells: int) -> Words:
    """Return keys with all cells moved."""
    moved = np.zeros_like(keys)
    for cell, image in enumerate(permutation):
        for above in (0, cells):
            moved |= (keys >> np.uint64(cell + above) & np.uint64(1)) << np.uint64(image + above)
    return moved


def _canonical(keys: Words, permutations: list[tuple[int, ...]], cells: int) -> Words:
    """Return for each key the least of its orbit."""
    least = keys
    for permutation in permutations:
        least = np.minimum(least, _permute(keys, permutation, cells))
    return least
