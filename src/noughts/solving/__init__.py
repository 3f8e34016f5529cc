"""Perfect play on grids: values, best lines and proofs.

>>> from noughts import GridPosition
>>> print(solve(GridPosition.start("3x3x3")))
a draw
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition
from noughts.solving import minimax
from noughts.solving.limits import Limits, Report
from noughts.solving.tables import Table, find_table, tables_folder
from noughts.solving.values import (
    Analysis,
    MoveValue,
    Solution,
    Value,
    analysis_of,
    finished,
    value_of_move,
)

if TYPE_CHECKING:
    from noughts.solving.solver import Solver

__all__ = ["Analysis", "Limits", "MoveValue", "Report", "Solution", "Value", "analyse", "solve"]


def solve(position: GridPosition, limits: Limits | None = None) -> Solution:
    """Return the value of a position, the plies to the end and a line of best play.

    A table of the grid is used where one is installed. Boards of up to nine cells are looked
    through in pure Python, larger ones searched by compiled kernels within the limits.

    >>> solution = solve(GridPosition.parse("XX./OO./..."))
    >>> print(solution, solution.line)
    X wins in 1 ply (2,)
    """
    if position.outcome is not None:
        return finished(position)
    table = _table(position.grid, tables_folder())
    if table is not None:
        return table.solution(position)
    if position.grid.cells <= minimax.MAX_CELLS:
        return minimax.analyse(position).solution
    return _solver(position.grid, limits or Limits()).solve(position)


def analyse(
    position: GridPosition,
    limits: Limits | None = None,
    tell: Callable[[list[MoveValue]], None] | None = None,
) -> Analysis:
    """Return what `solve` does, and the value of every legal move.

    Where that takes a while, `tell` hears after each move what is known so far.

    >>> analysis = analyse(GridPosition.parse("X../.O./..X"))
    >>> analysis.labels
    {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    if position.outcome is not None:
        return Analysis(finished(position), ())
    table = _table(position.grid, tables_folder())
    if table is not None:
        moves = [
            value_of_move(move, table.solution(position.play_unchecked(move)))
            for move in position.legal_moves
        ]
        line = table.solution(position).line
        return analysis_of(position, moves, lambda *_: line)
    if position.grid.cells <= minimax.MAX_CELLS:
        return minimax.analyse(position)
    return _solver(position.grid, limits or Limits()).analyse(position, tell)


@lru_cache(maxsize=8)
def _table(grid: Grid, folder: Path) -> Table | None:
    """Return the table of a grid that is installed in the folder, checked once."""
    return find_table(grid)


def _solver(grid: Grid, limits: Limits) -> Solver:
    """Return the solver that was asked last, so that a game's next question is quicker."""
    solver = _solver_within(grid, limits.memory)
    solver.limits = limits
    return solver


@lru_cache(maxsize=1)
def _solver_within(grid: Grid, memory: int) -> Solver:
    from noughts.solving.solver import Solver

    return Solver(grid, Limits(memory=memory))
