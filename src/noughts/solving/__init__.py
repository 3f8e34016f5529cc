"""Perfect play on grids: values, best lines and proofs.

>>> print(solve("3x3x3"))
a draw

::

    solve, analyse   the best way to an answer: a table, minimax or the solver
    immediate        what the next three plies decide, on boards of any size
    minimax          tiny boards, in pure Python
    tables           the value of every position of a small board, in a file; `retrograde`
                     computes them, `ranking` says where each position is
    solver           larger boards: `question` is what is known, `deepening` the drivers of the
                     searches, `variation` the principal variation, `checkpoints` their files
    searches         the searches of one grid with their transposition tables; the compiled
                     parts are `attack`, `defence`, `pairing` and `guide`, on the data of
                     `arena`, `bits` and `transposition`
    proofs           writes proofs; `verify` checks them and shares nothing with the searches,
                     `proof_format` reads their files
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Unpack

from noughts.errors import LimitExceeded, whole_number
from noughts.limits import LimitParts, Limits, limits_of
from noughts.rules.game import Game
from noughts.rules.grid import Grid, grid_named
from noughts.rules.parsing import position_of
from noughts.rules.position import GridPosition
from noughts.solving import minimax
from noughts.solving.tables import table_of
from noughts.values import Analysis, MoveValue, Solution, Value, best_first

if TYPE_CHECKING:
    from noughts.solving.solver import SearchProgress, Solver

__all__ = [
    "MAX_CELLS",
    "Analysis",
    "MoveValue",
    "Solution",
    "Value",
    "analyse",
    "is_instant",
    "solve",
    "solver_for",
    "table_of",
]

MAX_CELLS = 64
"""The cells of the largest board that the solver takes."""


def solve(
    where: GridPosition | Game[Any] | Grid | str,
    limits: Limits | None = None,
    *,
    distance: bool = True,
    checkpoint: Path | str | None = None,
    on_progress: Callable[[SearchProgress], None] | None = None,
    on_notice: Callable[[str], None] | None = None,
    stop: Event | None = None,
    solver: Solver | None = None,
    **parts: Unpack[LimitParts],
) -> Solution:
    """Return the value of a position, the plies to the end and a line of best play.

    A table of the grid is used where one is installed. Boards of up to nine cells are searched
    in pure Python, larger ones by compiled kernels within the limits, which may be given one by
    one, like ``seconds=5``. `Solver.solve` explains the options. A checkpoint is written in
    any case. Without a `solver`, the one that was used last goes on from there.

    >>> solution = solve("3x3x3:XX./OO./...")
    >>> print(solution, solution.line)
    X wins in 1 ply (2,)
    """
    position = _grid_position(where)
    limits = limits_of(limits, **parts)
    solution = _known(position)
    if solution is None:
        solver = solver or solver_for(position.grid, limits.memory)
        return solver.solve(
            position,
            limits,
            distance=distance,
            checkpoint=checkpoint,
            on_progress=on_progress,
            on_notice=on_notice,
            stop=stop,
        )
    if checkpoint is not None:
        from noughts.solving.checkpoints import open_checkpoint

        open_checkpoint(checkpoint, position)
    return solution


def analyse(
    where: GridPosition | Game[Any] | Grid | str,
    limits: Limits | None = None,
    on_moves: Callable[[list[MoveValue]], None] | None = None,
    *,
    on_notice: Callable[[str], None] | None = None,
    stop: Event | None = None,
    solver: Solver | None = None,
) -> Analysis:
    """Return what `solve` does, and the value of every legal move.

    Where that takes a while, `on_moves` is called after each move with what is known so far.

    >>> analyse("3x3x3:X../.O./..X").labels
    {1: 'D', 3: 'D', 5: 'D', 7: 'D', 2: 'L4', 6: 'L4'}
    """
    position = _grid_position(where)
    if position.outcome is not None:
        return Analysis.finished(position)
    table = table_of(position.grid)
    if table is not None:
        moves = [MoveValue.proved(move, *known) for move, known in table.moves(position).items()]
        return Analysis(position, best_first(moves), table.solution(position).line)
    if position.grid.cells <= minimax.MAX_CELLS:
        return minimax.analyse(position)
    limits = limits_of(limits)
    solver = solver or solver_for(position.grid, limits.memory)
    return solver.analyse(position, limits, on_moves, on_notice=on_notice, stop=stop)


def is_instant(grid: Grid | str) -> bool:
    """Return whether every value on a grid is known at once, without a search."""
    grid = grid_named(grid)
    return grid.cells <= minimax.MAX_CELLS or table_of(grid) is not None


def solver_for(grid: Grid | str, memory: int) -> Solver:
    """Return a solver of the grid: the one that was used last, so that it goes on from there."""
    return _solver_for(grid_named(grid), whole_number(memory, "memory", least=1))


@lru_cache(maxsize=1)
def _solver_for(grid: Grid, memory: int) -> Solver:
    from noughts.solving.solver import Solver  # it needs numpy

    return Solver(grid, memory)


def _grid_position(where: GridPosition | Game[Any] | Grid | str) -> GridPosition:
    position = position_of(where)
    if not isinstance(position, GridPosition):
        raise LimitExceeded(f"only grids can be solved, not {position.game}")
    return position


def _known(position: GridPosition) -> Solution | None:
    """Return the solution of a position that takes no search by the kernels."""
    if position.outcome is not None:
        return Solution.finished(position)
    table = table_of(position.grid)
    if table is not None:
        return table.solution(position)
    if position.grid.cells <= minimax.MAX_CELLS:
        return minimax.analyse(position).solution
    return None
