"""The sweep in pure Python; `test_problem` and `test_games` check its numbers."""

from __future__ import annotations

from itertools import product
from math import factorial

import pytest

from noughts import Grid
from noughts.counting import count
from noughts.counting.problem import Problem
from noughts.counting.sweep import TooManyStates, sweep


def test_both_sides_are_alike() -> None:
    """On an empty grid, swapping the sides or transposing the grid changes nothing."""
    for rows, cols, k in ((3, 4, 3), (4, 3, 3), (4, 4, 3), (3, 5, 2)):
        size = rows * cols
        counts = sweep(Problem.of_grid(Grid(rows, cols, k)), size)
        assert counts == [list(column) for column in zip(*counts, strict=True)]
        assert counts == sweep(Problem.of_grid(Grid(cols, rows, k)), size)


def test_every_tiny_grid_by_two_methods() -> None:
    """Single rows and lines longer than the board are among them."""
    for rows, cols, k in product(range(1, 8), range(1, 8), range(1, 5)):
        if rows * cols <= 6:
            grid = Grid(rows, cols, k)
            assert count(grid) == count(grid, method="positions"), grid


def test_without_lines_every_order_is_a_draw() -> None:
    for rows, cols, k in ((2, 3, 9), (3, 4, 5), (4, 4, 17), (1, 20, 21)):
        counts = count(Grid(rows, cols, k))
        assert (counts.x_wins, counts.o_wins, counts.draws) == (0, 0, factorial(rows * cols))


def test_more_states_than_allowed() -> None:
    """A sweep stops at once, and not before its limit on states is exceeded."""
    problem = Problem.of_grid(Grid(3, 3, 3))
    allowed = 1
    while True:
        try:
            counts = sweep(problem, 5, most_states=allowed)
            break
        except TooManyStates:
            allowed += 1
    assert 10 < allowed < 500
    assert counts == sweep(problem, 5)
    with pytest.raises(TooManyStates):
        sweep(Problem((), frozenset(), frozenset()), 5, most_states=0)
