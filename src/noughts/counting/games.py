"""Counting games without playing any, by a sweep.

Until one side has a line, any order of the marks is a game. So let F(x, o) be the number of
boards with x X's and o O's and **no line for either**. The games still running after d moves
are then

    A(d) = F(x, o) * x! * o!        with x = ceil(d/2) and o = floor(d/2),

each of them goes on in cells - d ways, and those that do not run after d + 1 moves were won
by that move: A(d) * (cells - d) - A(d + 1). The games that run when the board is full are
the draws. The same holds below any position, with the empty cells for the board.
"""

from __future__ import annotations

from math import factorial

from noughts.counting.line_free import line_free_counts
from noughts.counting.problem import MarkCounts, Problem, upright
from noughts.counting.results import GameCounts
from noughts.counting.runner import Runner
from noughts.rules.player import Player
from noughts.rules.position import GridPosition

__all__ = ["finished_game", "games_of_problem", "sweep_games"]


def sweep_games(position: GridPosition, runner: Runner) -> GameCounts:
    """Count the games from a position on.

    >>> sweep_games(GridPosition.start("4x4x3"), Runner()).total
    1281016086768
    """

    def subject() -> str:
        return f"games of {position.text}"

    if position.outcome:
        runner.run(subject, [])  # so that a checkpoint is written here, too
        return finished_game(position)
    problem = Problem.of_position(upright(position))
    empty = problem.size
    (line_free,) = line_free_counts([problem], (empty + 1) // 2, subject, runner)
    return games_of_problem(line_free, empty, x_moves_first=position.turn is Player.X)


def finished_game(position: GridPosition) -> GameCounts:
    """Return the one game that has ended already."""
    outcome = position.outcome
    assert outcome is not None
    return GameCounts(
        x_wins=int(outcome.winner is Player.X),
        o_wins=int(outcome.winner is Player.O),
        draws=int(outcome.winner is None),
        by_length={0: 1},
    )


def games_of_problem(line_free: MarkCounts, empty: int, *, x_moves_first: bool) -> GameCounts:
    """Return the games on `empty` cells, given the line-free markings by x and o."""

    def running(moves: int) -> int:
        """Return how many games are still running after this number of moves."""
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
