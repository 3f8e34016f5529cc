"""Games up to symmetry, in two meanings that are easily confused.

**Orbits of whole games**: two games are the same if one symmetry maps every move of the first
to the same move of the second. By Burnside's lemma the number of classes is the average, over
all symmetries, of the number of games that a symmetry leaves alone; and those are the games
played only on cells that it does not move. On 3x3 there are 31,896.

**Moves identified at each step**: whenever the position has a symmetry, moves that it maps to
each other count as one, and the board may be turned after every move. On 3x3 there are 26,830.
"""

from __future__ import annotations

from typing import Literal, get_args

from noughts.counting.boards import burnside
from noughts.counting.games import games_of_problem
from noughts.counting.problem import Problem, upright
from noughts.counting.results import GameCounts
from noughts.counting.sweeper import line_free_counts
from noughts.counting.tasks import Resources
from noughts.errors import NotationError, brief
from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition

__all__ = ["Meaning", "count_games_up_to_symmetry"]

Meaning = Literal["orbits", "moves"]


def count_games_up_to_symmetry(
    grid: Grid | str, meaning: Meaning = "orbits", resources: Resources | None = None
) -> GameCounts:
    """Count the games on a grid up to rotation and reflection.

    >>> count_games_up_to_symmetry("3x3x3").total
    31896
    """
    start = GridPosition.start(grid)
    resources = resources or Resources()
    if meaning not in get_args(Meaning):
        raise NotationError(f"a meaning is orbits or moves, not {brief(meaning)}")
    if meaning == "moves":
        from noughts.counting.layers import count_by_layers

        return count_by_layers(start, resources, up_to_symmetry=True)
    return _count_orbits(upright(start).grid, f"games of {start.grid} up to symmetry", resources)


def _count_orbits(grid: Grid, subject: str, resources: Resources) -> GameCounts:
    """Average over the symmetries the games played on cells that they do not move."""
    everything = Problem.of_grid(grid)
    problems = []
    for symmetry in grid.symmetries:
        permutation = symmetry.permutation(grid.rows, grid.cols)
        still = [cell for cell, image in enumerate(permutation) if cell == image]
        problems.append(everything.restricted(still))
    tables = line_free_counts(problems, (grid.cells + 1) // 2, subject, resources)
    parts = []
    for problem, table in zip(problems, tables, strict=True):
        counts = games_of_problem(table, problem.size, x_moves_first=True)
        if problem.size < grid.cells:
            counts = _without_draws(counts, problem.size)
        parts.append(counts)
    lengths = sorted(set().union(*(part.by_length for part in parts)))
    by_length = {n: burnside([part.by_length.get(n, 0) for part in parts]) for n in lengths}
    return GameCounts(
        x_wins=burnside([part.x_wins for part in parts]),
        o_wins=burnside([part.o_wins for part in parts]),
        draws=burnside([part.draws for part in parts]),
        by_length={n: count for n, count in by_length.items() if count},
    )


def _without_draws(counts: GameCounts, full: int) -> GameCounts:
    """Leave out what fills only a part of the board: that is not the end of a game."""
    by_length = {n: count - counts.draws * (n == full) for n, count in counts.by_length.items()}
    return GameCounts(counts.x_wins, counts.o_wins, 0, by_length)
