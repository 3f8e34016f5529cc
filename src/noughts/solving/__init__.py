"""Perfect play on grids: values, best lines and proofs.

>>> from noughts import GridPosition
>>> print(solve(GridPosition.start("3x3x3")))
a draw
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from noughts.limits import Limits
from noughts.rules.grid import Grid
from noughts.rules.position import GridPosition
from noughts.solving import minimax
from noughts.solving.limits import Limits as SolverLimits
from noughts.solving.limits import Report
from noughts.solving.tables import Table, find_table, tables_folder
from noughts.values import (
    Analysis,
    MoveValue,
    Solution,
    Value,
    best_first,
)

if TYPE_CHECKING:
    from noughts.solving.solver import Solver

__all__ = [
    "MAX_CELLS",
    "Analysis",
    "MoveValue",
    "Report",
    "Solution",
    "Value",
    "analyse",
    "is_instant",
    "solve",
]

MAX_CELLS = 64
"""The cells of the largest board that the solver takes."""


def solve(position: GridPosition, limits: SolverLimits | None = None) -> Solution:
    """Return the value of a position, the plies to the end and a line of best play.

    A table of the grid is used where one is installed. Boards of up to nine cells are looked
    through in pure Python, larger ones searched by compiled kernels within the limits.

    >>> solution = solve(GridPosition.parse("XX./OO./..."))
    >>> print(solution, solution.line)
    X wins in 1 ply (2,)
    """
    if position.outcome is not None:
        return Solution.finished(position)
    table = _table(position.grid, tables_folder())
    if table is not None:
        return table.solution(position)
    if position.grid.cells <= minimax.MAX_CELLS:
        return minimax.analyse(position).solution
    return _solver(position.grid, limits or SolverLimits()).solve(position)


def analyse(
    position: GridPosition,
    limits: Limits | None = None,
    on_moves: Callable[[list[MoveValue]], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
) -> Analysis:
    """Return what `solve` does, and the value of every legal move.

    Where that takes a while, `on_moves` gets after each move what is known so far.

    >>> analysis = analyse(GridPosition.parse("X../.O./..X"))
    >>> analysis.labels
    {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    if position.outcome is not None:
        return Analysis.finished(position)
    table = _table(position.grid, tables_folder())
    if table is not None:
        moves = [
            MoveValue.after(move, table.solution(position.play_unchecked(move)))
            for move in position.legal_moves
        ]
        return Analysis(position, best_first(moves), table.solution(position).line)
    if position.grid.cells <= minimax.MAX_CELLS:
        return minimax.analyse(position)
    limits = limits or Limits()
    within = SolverLimits(limits.seconds, limits.nodes, max(limits.memory, 1 << 20))
    if on_notice is not None:
        within = replace(within, notice=on_notice)
    return _solver(position.grid, within).analyse(position, on_moves)


def is_instant(grid: Grid) -> bool:
    """Return whether every value on a grid is known at once, without a search."""
    return grid.cells <= minimax.MAX_CELLS or _table(grid, tables_folder()) is not None


@lru_cache(maxsize=8)
def _table(grid: Grid, folder: Path) -> Table | None:
    """Return the table of a grid that is installed in the folder, checked once."""
    return find_table(grid)


def _solver(grid: Grid, limits: SolverLimits) -> Solver:
    """Return the solver that was asked last, so that a game's next question is quicker."""
    solver = _solver_within(grid, limits.memory)
    solver.limits = limits
    return solver


@lru_cache(maxsize=1)
def _solver_within(grid: Grid, memory: int) -> Solver:
    from noughts.solving.solver import Solver

    return Solver(grid, SolverLimits(memory=memory))
