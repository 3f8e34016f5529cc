"""What learners are shown, written down cell by cell from the pure rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from noughts import GridPosition, UltimatePosition, Verdict

__all__ = ["code_of", "mask_of", "planes_of"]


def planes_of(position: Any, side: int | None = None) -> np.ndarray[Any, Any]:
    """Return what a side sees, by default the one to move: rows, columns, planes."""
    side = "XO".index(position.turn) if side is None else side
    if isinstance(position, GridPosition):
        grid = position.grid
        planes = np.zeros((grid.rows, grid.cols, 3), np.int8)
        for cell in range(grid.cells):
            mark = position.board[cell]
            row, col = divmod(cell, grid.cols)
            planes[row, col, 0] = mark == "XO"[side]
            planes[row, col, 1] = mark == "OX"[side]
            planes[row, col, 2] = cell in position.legal_moves
        return planes
    assert isinstance(position, UltimatePosition)
    planes = np.zeros((9, 9, 5), np.int8)
    legal = position.legal_moves
    owners = position.owners
    for board in range(9):
        for cell in range(9):
            move = 9 * board + cell
            mark = "X" if position.x >> move & 1 else "O" if position.o >> move & 1 else "."
            planes[board, cell] = [
                mark == "XO"[side],
                mark == "OX"[side],
                owners[board] == "XO"[side],
                owners[board] == "OX"[side],
                move in legal,
            ]
    return planes


def mask_of(position: Any) -> list[bool]:
    """Return whether each action is legal."""
    legal = position.legal_moves
    return [action in legal for action in range(position.size)]


def code_of(position: Any) -> int:
    """Return what the position is, as its verdict's place in ``list(Verdict)``."""
    verdict = position.outcome.verdict if position.outcome else f"{position.turn}_turn"
    return [each.value for each in Verdict].index(verdict)
