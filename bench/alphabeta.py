"""A plain solver, the way one would write it first: alpha-beta with a table, compiled.

Positions are kept in a hash table up to nothing, moves are tried from the centre outwards, and
wins are looked for one move ahead. It is what the benchmark of the solver compares with.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from noughts import Grid

njit: Any = import_module("numba").njit

UNKNOWN = 2
_LOWER, _UPPER = 1, 2


@njit  # type: ignore[untyped-decorator, unused-ignore]
def _search(
    mover: np.uint64,
    other: np.uint64,
    alpha: int,
    beta: int,
    order: NDArray[np.uint64],
    lines: NDArray[np.uint64],
    starts: NDArray[np.int64],
    movers: NDArray[np.uint64],
    others: NDArray[np.uint64],
    bounds: NDArray[np.int8],
    nodes: NDArray[np.int64],
) -> int:
    """Return 1, 0 or -1 for the side to move, or 2 if the nodes are used up."""
    nodes[0] += 1
    if nodes[0] > nodes[1]:
        return 2
    occupied = mover | other
    for i in range(len(order)):
        if occupied & order[i] == np.uint64(0):
            own = mover | order[i]
            for j in range(starts[i], starts[i + 1]):
                if own & lines[j] == lines[j]:
                    return 1
    key = mover * np.uint64(0x9E3779B97F4A7C15) ^ other * np.uint64(0xC2B2AE3D27D4EB4F)
    slot = np.int64((key ^ key >> np.uint64(29)) & np.uint64(len(movers) - 1))
    if movers[slot] == mover and others[slot] == other:
        known = int(bounds[slot])
        value, kind = known % 4 - 1, known // 4
        if kind & 1 and value >= beta:
            return value
        if kind & 2 and value <= alpha:
            return value
        if kind == 3:
            return value
    best = -1
    low = alpha
    is_full = True
    for i in range(len(order)):
        if occupied & order[i] == np.uint64(0):
            is_full = False
            value = _search(
                other,
                mover | order[i],
                -beta,
                -low,
                order,
                lines,
                starts,
                movers,
                others,
                bounds,
                nodes,
            )
            if value == 2:
                return 2
            best = max(best, -value)
            low = max(low, best)
            if low >= beta:
                break
    if is_full:
        return 0
    kind = 3 if alpha < best < beta else 1 if best >= beta else 2
    movers[slot], others[slot], bounds[slot] = mover, other, kind * 4 + best + 1
    return best


def solve(grid: Grid, limit: int) -> tuple[int, int]:
    """Return the value of the empty board for X (2: not found) and the nodes that it took."""
    middle = ((grid.rows - 1) / 2, (grid.cols - 1) / 2)
    cells = sorted(
        range(grid.cells),
        key=lambda c: abs(c // grid.cols - middle[0]) + abs(c % grid.cols - middle[1]),
    )
    order = np.array([1 << cell for cell in cells], np.uint64)
    through = [grid.masks_through(cell) for cell in cells]
    starts = np.cumsum([0, *map(len, through)]).astype(np.int64)
    lines = np.array([mask for masks in through for mask in masks] or [0], np.uint64)
    slots = 1 << 22
    table = np.zeros(slots, np.uint64), np.zeros(slots, np.uint64), np.zeros(slots, np.int8)
    nodes = np.array([0, limit], np.int64)
    zero = np.uint64(0)
    value = _search(zero, zero, -1, 1, order, lines, starts, *table, nodes)
    return int(value), int(nodes[0])
