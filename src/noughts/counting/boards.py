"""Counting distinct boards: positions and endings, also up to symmetry.

**Positions.** While neither side has a line, every board with x = o or x = o + 1 is reached by some
game: its marks in any order. So the unfinished positions are line-free boards, and a sweep
counts them by (x, o); the full ones are the draws.

**Won boards.** A board is won by X if O has no line, X has some, and all of X's lines share a
cell. Call I the set of cells that they all contain. It is a run of neighbouring cells, or one
cell: lines in one direction overlap in a run, and lines in two directions meet in one cell. A
run has one cell more than it has pairs of neighbours, so

    won boards  =  sum over cells c of W({c})  -  sum over neighbours c, d of W({c, d}),

where W(T) counts the boards that have a line and all of whose lines contain T: every board
adds 1 if I is not empty, and 0 if it is. W(T) is a difference of two sweeps: forbid X all lines
except those around T, minus forbid X all lines. For O the same holds with the sides swapped.

**Up to symmetry.** Burnside: the number of classes is the average, over all symmetries, of the
number of boards that a symmetry leaves alone. Such boards are markings of its cycles of cells,
so the same sweeps count them, with cycles for variables.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from noughts.counting.burnside import average_by_key
from noughts.counting.line_free import line_free_counts
from noughts.counting.problem import MarkCounts, Problem, upright
from noughts.counting.results import EndingCounts, PositionCounts
from noughts.counting.runner import Runner
from noughts.rules.grid import Grid
from noughts.rules.player import Verdict
from noughts.rules.position import GridPosition
from noughts.rules.symmetry import Symmetry

__all__ = ["sweep_endings", "sweep_positions"]


def sweep_positions(grid: Grid, runner: Runner, *, up_to_symmetry: bool = False) -> PositionCounts:
    """Count the distinct positions that games reach, the empty board and endings included.

    >>> sweep_positions(Grid(3, 3, 3), Runner()).total
    5478
    """
    boards = _count(grid, "positions", up_to_symmetry, runner)
    by_marks = {
        marks: count + boards.x_wins[marks] + boards.o_wins[marks]
        for marks, count in boards.running.items()
    }
    return PositionCounts({marks: count for marks, count in by_marks.items() if count})


def sweep_endings(grid: Grid, runner: Runner, *, up_to_symmetry: bool = False) -> EndingCounts:
    """Count the distinct finished boards: won by X, won by O, drawn.

    >>> endings = sweep_endings(Grid(3, 3, 3), Runner())
    >>> endings.total, endings.x_wins, endings.o_wins, endings.draws
    (958, 626, 316, 16)
    """
    boards = _count(grid, "endings", up_to_symmetry, runner)
    full = max(boards.running)
    by_outcome = {
        Verdict.X_WINS: boards.x_wins,
        Verdict.O_WINS: boards.o_wins,
        Verdict.DRAW: {full: boards.running[full]},
    }
    return EndingCounts({v: {m: n for m, n in part.items() if n} for v, part in by_outcome.items()})


@dataclass(frozen=True)
class _Boards:
    """Boards by number of marks: without a line (full ones included), won by X, won by O."""

    running: dict[int, int]
    x_wins: dict[int, int]
    o_wins: dict[int, int]


def _count(grid: Grid, of: str, up_to_symmetry: bool, runner: Runner) -> _Boards:
    """Count boards of every kind, averaged over the symmetries in question."""
    subject = f"{of} of {grid}{' up to symmetry' if up_to_symmetry else ''}"
    grid = upright(GridPosition.start(grid)).grid
    group = grid.symmetries if up_to_symmetry else (Symmetry.IDENTITY,)
    limit = (grid.cells + 1) // 2
    parts = [_FixedBoards.of(grid, symmetry) for symmetry in group]
    problems = [problem for part in parts for problem in part.problems]
    tables = iter(line_free_counts(problems, limit, lambda: subject, runner))
    counted = [part.count([next(tables) for _ in part.problems]) for part in parts]

    return _Boards(
        average_by_key([boards.running for boards in counted]),
        average_by_key([boards.x_wins for boards in counted]),
        average_by_key([boards.o_wins for boards in counted]),
    )


@dataclass(frozen=True)
class _FixedBoards:
    """What it takes to count the boards that a symmetry leaves alone.

    The first problem is the line-free boards; the others allow X the lines around a set of
    cells, and come with the factor that each has in the sum above.
    """

    grid: Grid
    problems: tuple[Problem, ...]
    factors: tuple[int, ...]

    @classmethod
    def of(cls, grid: Grid, symmetry: Symmetry) -> _FixedBoards:
        permutation = symmetry.permutation(grid.rows, grid.cols)
        cells = {frozenset({cell}) for line in grid.lines for cell in line}
        neighbours = {frozenset(pair) for line in grid.lines for pair in itertools.pairwise(line)}
        sets = {
            **_classes(grid, permutation, cells),
            **{pair: -size for pair, size in _classes(grid, permutation, neighbours).items()},
        }
        around: list[frozenset[int]] = [frozenset(), *sets]
        problems = (Problem.of_grid(grid, cells).folded(permutation) for cells in around)
        return cls(grid, tuple(problems), tuple(sets.values()))

    def count(self, tables: list[MarkCounts]) -> _Boards:
        """Put the answers to the problems together."""
        line_free, *allowed = tables

        def won(winner: int, loser: int) -> int:
            base = line_free[winner][loser]
            return sum(
                factor * (table[winner][loser] - base)
                for factor, table in zip(self.factors, allowed, strict=True)
            )

        marks = range(self.grid.cells + 1)
        return _Boards(
            running={d: line_free[(d + 1) // 2][d // 2] for d in marks},
            x_wins={d: won((d + 1) // 2, d // 2) if d % 2 else 0 for d in marks},
            o_wins={d: won(d // 2, d // 2) if d % 2 == 0 else 0 for d in marks},
        )


def _classes(
    grid: Grid, permutation: tuple[int, ...], sets: set[frozenset[int]]
) -> dict[frozenset[int], int]:
    """Return one of each class of sets that give the same count, with the class's size.

    A symmetry of the grid that commutes with the one in question maps the boards which that
    leaves alone to each other, so sets that it maps to each other have the same count.
    """
    images = [symmetry.permutation(grid.rows, grid.cols) for symmetry in grid.symmetries]
    commuting = [
        image
        for image in images
        if all(image[there] == permutation[image[here]] for here, there in enumerate(permutation))
    ]
    sizes: dict[frozenset[int], int] = {}
    for cells in sets:
        orbit = (sorted(image[cell] for cell in cells) for image in commuting)
        least = frozenset(min(orbit))
        sizes[least] = sizes.get(least, 0) + 1
    return sizes
