"""Games up to symmetry, in two meanings that are easily confused.

**Orbits of whole games**: two games are the same if one symmetry maps every move of the first
to the same move of the second. By Burnside's lemma the number of classes is the average, over
all symmetries, of the number of games that a symmetry leaves alone; and those are the games
played only on cells that it does not move. On 3x3 there are 31,896.

**Moves identified at each step**: whenever the position has a symmetry, moves that it maps to
each other count as one, and the board may be turned after every move. On 3x3 there are 26,830.
"""

from __future__ import annotations

from typing import Literal

from noughts.counting.games import count_games, games_of_problem
from noughts.counting.problem import Problem
from noughts.counting.results import GameCounts
from noughts.counting.sweeper import line_free_counts
from noughts.counting.tasks import Resources
from noughts.rules.grid import Grid
from noughts.rules.position import Position
from noughts.rules.symmetry import Symmetry

__all__ = ["Meaning", "count_games_up_to_symmetry"]

Meaning = Literal["orbits", "moves"]


def count_games_up_to_symmetry(
    grid: Grid, meaning: Meaning = "orbits", resources: Resources | None = None
) -> GameCounts:
    """Count the games on a grid up to rotation and reflection.

    >>> count_games_up_to_symmetry(Grid(3, 3, 3)).total
    31896
    """
    resources = resources or Resources()
    if meaning == "moves":
        from noughts.counting.layers import count_by_layers

        return count_by_layers(Position.start(grid), resources, up_to_symmetry=True)
    parts = [
        count_games(grid, resources=resources)
        if symmetry is Symmetry.IDENTITY
        else _games_left_alone(grid, symmetry, resources)
        for symmetry in grid.symmetries
    ]

    def average(numbers: list[int]) -> int:
        mean, rest = divmod(sum(numbers), len(parts))
        assert not rest, "Burnside must divide"
        return mean

    return GameCounts(
        x_wins=average([part.x_wins for part in parts]),
        o_wins=average([part.o_wins for part in parts]),
        draws=average([part.draws for part in parts]),
        by_length={
            n: average([part.by_length.get(n, 0) for part in parts]) for n in parts[0].by_length
        },
    )


def _games_left_alone(grid: Grid, symmetry: Symmetry, resources: Resources) -> GameCounts:
    """Count the games whose every move is on a cell that the symmetry does not move.

    Such a game cannot fill the board, so it ends with a line.
    """
    permutation = symmetry.permutation(grid.rows, grid.cols)
    still = {cell for cell, image in enumerate(permutation) if cell == image}
    problem = Problem.of_grid(grid).restricted(still)
    limit = (problem.size + 1) // 2
    (line_free,) = line_free_counts([problem], limit, f"games of {grid} on {still}", resources)
    counts = games_of_problem(line_free, problem.size, x_moves_first=True)
    full = {problem.size: counts.draws}  # not games: the rest of the board is empty
    by_length = {n: count - full.get(n, 0) for n, count in counts.by_length.items()}
    return GameCounts(counts.x_wins, counts.o_wins, 0, by_length)
