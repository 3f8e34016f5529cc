"""A smaller board as a guide to the attacker's moves.

One column more does not make a board harder to win, but it adds moves to every position, and a
search that does not know which of them are good is lost in them::

    ┌───────────────────────────┬───┐     What wins on the left part is worth trying on the whole:
    │          4x9x4            │   │     there, a mark of the defender's in the last column is a
    │                           │   │     move lost, unless it helps the defender to a line.
    └───────────────────────────┴───┘
                          4x10x4

So where a search is long, the smaller board is searched first, and its transposition table says
which moves to try first on the larger one, at either end of it. The guide only orders moves: each
result is proved on the larger board.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.rules.grid import Grid
from noughts.solving.arena import (
    ATTACKER,
    WINS,
    Arena,
    Workspace,
    hash_root,
    place,
)
from noughts.solving.bits import EMPTY, bit_of
from noughts.solving.transposition import TranspositionTable, probe

__all__ = ["Guide", "advise", "placements", "smaller"]

_SURE = 100.0  # more than any score that lines give


class Guide(NamedTuple):
    """The search results of the smaller board, and where it lies on the larger one."""

    arena: Arena
    table: TranspositionTable
    work: Workspace  # to look positions up with
    cells: NDArray[np.int64]  # [placement, cell of the smaller board]: the cell of the larger one


def smaller(grid: Grid) -> Grid | None:
    """Return the grid with one column less, or one row if there are more rows; None if empty."""
    rows, cols = grid.rows, grid.cols
    if cols >= rows:
        cols -= 1
    else:
        rows -= 1
    return Grid(rows, cols, grid.k) if rows and cols else None


def placements(small: Grid, grid: Grid) -> NDArray[np.int64]:
    """Return where the cells of the smaller grid are on the larger one, for both of its ends."""
    cells = np.arange(grid.cells, dtype=np.int64).reshape(grid.rows, grid.cols)
    ends = cells[: small.rows, : small.cols], cells[-small.rows :, -small.cols :]
    return np.stack([end.ravel() for end in ends])


@bare_kernel
def advise(guide: Guide, work: Workspace, ply: int) -> None:
    """Raise the scores of the attacker's moves that win on the smaller board."""
    small = guide.work
    for placement in range(guide.cells.shape[0]):
        a = d = EMPTY
        for cell in range(guide.arena.cells):
            bit = bit_of(guide.cells[placement, cell])
            if work.attacker[ply] & bit != EMPTY:
                a |= bit_of(cell)
            if work.defender[ply] & bit != EMPTY:
                d |= bit_of(cell)
        small.side[1], small.attacker[1], small.defender[1] = ATTACKER, a, d
        hash_root(guide.arena, small)
        for cell in range(guide.arena.cells):
            if (a | d) & bit_of(cell) == EMPTY:
                place(guide.arena, small, 1, cell)
                known, _, _, _ = probe(guide.arena, guide.table, small, 2)
                if known == WINS + 1:
                    work.score[ply, guide.cells[placement, cell]] += _SURE
