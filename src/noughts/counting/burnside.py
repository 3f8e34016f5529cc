"""Counting games up to symmetry by Burnside's lemma: orbits of whole games.

Two games are the same if one symmetry maps every move of the first to the same move of the
second. The number of classes is the average, over all symmetries, of the number of games that
a symmetry leaves alone; and those are the games played only on cells that it does not move. On
3x3 there are 31,896 classes.

That is easily confused with **moves identified at each step** (`breadth_first`): whenever the
position has a symmetry, moves that it maps to each other count as one, and the board may be
turned after every move. On 3x3 that gives 26,830.
"""

from __future__ import annotations

from noughts.counting.games import games_of_problem
from noughts.counting.line_free import line_free_counts
from noughts.counting.problem import Problem, upright
from noughts.counting.results import GameCounts
from noughts.counting.runner import Runner
from noughts.errors import CountMismatch
from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition

__all__ = ["average", "average_by_key", "sweep_orbits"]


def average(left_alone: list[int]) -> int:
    """Return the number of classes, given how many things each symmetry leaves alone."""
    classes, rest = divmod(sum(left_alone), len(left_alone))
    if rest:
        raise CountMismatch(f"{sum(left_alone)} is not a multiple of {len(left_alone)} symmetries")
    return classes


def average_by_key(left_alone: list[dict[int, int]]) -> dict[int, int]:
    """Return the average by length or by marks; what is not there counts as 0."""
    keys = sorted(set().union(*left_alone))
    return {key: average([part.get(key, 0) for part in left_alone]) for key in keys}


def sweep_orbits(grid: Grid, runner: Runner) -> GameCounts:
    """Count the games on a grid up to rotation and reflection.

    >>> sweep_orbits(Grid(3, 3, 3), Runner()).total
    31896
    """
    subject = f"games of {grid} up to symmetry"
    grid = upright(GridPosition.start(grid)).grid
    everything = Problem.of_grid(grid)
    problems = []
    for symmetry in grid.symmetries:
        permutation = symmetry.permutation(grid.rows, grid.cols)
        still = [cell for cell, image in enumerate(permutation) if cell == image]
        problems.append(everything.restricted(still))
    tables = line_free_counts(problems, (grid.cells + 1) // 2, lambda: subject, runner)
    parts = []
    for problem, table in zip(problems, tables, strict=True):
        counts = games_of_problem(table, problem.size, x_moves_first=True)
        if problem.size < grid.cells:
            counts = _without_draws(counts, problem.size)
        parts.append(counts)
    by_length = average_by_key([part.by_length for part in parts])
    return GameCounts(
        x_wins=average([part.x_wins for part in parts]),
        o_wins=average([part.o_wins for part in parts]),
        draws=average([part.draws for part in parts]),
        by_length={n: count for n, count in by_length.items() if count},
    )


def _without_draws(counts: GameCounts, full: int) -> GameCounts:
    """Leave out games that fill only a part of the board: they have not ended."""
    by_length = {n: count - counts.draws * (n == full) for n, count in counts.by_length.items()}
    return GameCounts(counts.x_wins, counts.o_wins, 0, by_length)
