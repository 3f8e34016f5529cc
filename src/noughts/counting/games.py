"""Counting games, by three methods that share no counting code.

`frontier`, the default, walks no game. Until somebody has a line, any order of the marks is a
game. So let F(x, o) be the number of boards with x X's and o O's and **no line for either**.
The games still running after d moves are then

    A(d) = F(x, o) * x! * o!        with x = ceil(d/2) and o = floor(d/2),

each of them goes on in cells - d ways, and those that do not run after d + 1 moves were won
by that move: A(d) * (cells - d) - A(d + 1). The games that run when the board is full are
the draws. The same holds below any position, with the empty cells for the board.
"""

from __future__ import annotations

from math import factorial
from typing import Literal, get_args

from noughts.counting.problem import Problem, Table, upright
from noughts.counting.results import GameCounts
from noughts.counting.sweeper import line_free_counts
from noughts.counting.tasks import Resources
from noughts.errors import NotationError, brief
from noughts.rules.grid import Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition

__all__ = ["Method", "count_games"]

Method = Literal["frontier", "backtrack", "positions"]


def count_games(
    where: Grid | GridPosition | str,
    *,
    method: Method = "frontier",
    resources: Resources | None = None,
) -> GameCounts:
    """Return the number of games on a grid, or from a position on.

    A game is the ordered list of moves up to a win or a full board. From a finished position
    there is one game, of length 0.

    >>> counts = count_games("3x3x3")
    >>> counts.total, counts.x_wins, counts.o_wins, counts.draws
    (255168, 131184, 77904, 46080)
    >>> count_games("4x4x3").total
    1281016086768
    """
    position = start_of(where)
    resources = resources or Resources()
    if method not in get_args(Method):
        raise NotationError(
            f"a method is one of {', '.join(get_args(Method))}, not {brief(method)}"
        )
    if position.outcome:
        return _finished(position)
    if method == "frontier":
        return _by_frontier(position, resources)
    if method == "backtrack":
        from noughts.counting.walk import count_by_walking

        return count_by_walking(position, resources)
    from noughts.counting.layers import count_by_layers

    return count_by_layers(position, resources)


def start_of(where: Grid | GridPosition | str) -> GridPosition:
    """Return the position that a count or a listing starts from."""
    if isinstance(where, GridPosition):
        return where
    if isinstance(where, str) and (":" in where or "/" in where):
        return GridPosition.parse(where)
    return GridPosition.start(where)  # which refuses what is no grid


def _finished(position: GridPosition) -> GameCounts:
    """Return the one game that has ended already."""
    outcome = position.outcome
    assert outcome is not None
    return GameCounts(
        x_wins=int(outcome.winner is Player.X),
        o_wins=int(outcome.winner is Player.O),
        draws=int(outcome.winner is None),
        by_length={0: 1},
    )


def _by_frontier(position: GridPosition, resources: Resources) -> GameCounts:
    problem = Problem.of_position(upright(position))
    empty = problem.size
    limit = (empty + 1) // 2
    (line_free,) = line_free_counts([problem], limit, f"games of {position.text}", resources)
    return games_of_problem(line_free, empty, x_moves_first=position.turn is Player.X)


def games_of_problem(line_free: Table, empty: int, *, x_moves_first: bool) -> GameCounts:
    """Return the games on so many empty cells, given the line-free markings by x and o."""

    def running(moves: int) -> int:
        """Return how many games are still running after so many moves."""
        first, second = (moves + 1) // 2, moves // 2
        boards = line_free[first][second] if x_moves_first else line_free[second][first]
        return boards * factorial(first) * factorial(second)

    draws = running(empty)
    wins = {n: running(n - 1) * (empty - n + 1) - running(n) for n in range(1, empty + 1)}
    by_length = {n: count + (draws if n == empty else 0) for n, count in wins.items()}
    mover_wins = sum(count for n, count in wins.items() if n % 2)
    other_wins = sum(count for n, count in wins.items() if not n % 2)
    return GameCounts(
        x_wins=mover_wins if x_moves_first else other_wins,
        o_wins=other_wins if x_moves_first else mover_wins,
        draws=draws,
        by_length={n: count for n, count in by_length.items() if count},
    )
