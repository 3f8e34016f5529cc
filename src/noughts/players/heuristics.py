"""How heavy the lines through a cell are: what decides where nothing is proved.

A line that still lacks n marks weighs 2**-n, whichever side it is open to. By Erdős and Selfridge,
a side that always takes the heaviest cell holds the other one if all lines together weigh less
than 1.
"""

from __future__ import annotations

from noughts.rules.grid import cells_of
from noughts.rules.position import GridPosition
from noughts.solving.immediate import sides

__all__ = ["by_weight", "candidates", "weights_of"]

_ALL_CELLS = 64  # on larger boards only cells near a mark are candidates
_NEARBY = 2


def weights_of(position: GridPosition) -> dict[int, float]:
    """Return the weight of every candidate: of the lines through it that are open to a side."""
    mine, theirs, _ = sides(position)
    weights = {}
    for cell in candidates(position):
        weight = 0.0
        for line in position.grid.lines_through(cell):
            own = sum(mine >> each & 1 for each in line)
            other = sum(theirs >> each & 1 for each in line)
            if not own or not other:
                weight += 2.0 ** (own + other - len(line))
                if not own and not other:
                    weight += 2.0 ** -len(line)  # either side may complete it
        weights[cell] = weight
    return weights


def candidates(position: GridPosition) -> list[int]:
    """Return the legal moves; on large boards only those near a mark, or near the centre.

    There always are some: as long as a cell is free, one of the free cells is next to a mark.
    """
    grid = position.grid
    if grid.cells <= _ALL_CELLS:
        return position.legal_moves
    taken = position.x | position.o
    near = set()
    for cell in cells_of(taken) or [grid.rows // 2 * grid.cols + grid.cols // 2]:
        row, col = divmod(cell, grid.cols)
        for near_row in range(max(row - _NEARBY, 0), min(row + _NEARBY + 1, grid.rows)):
            for near_col in range(max(col - _NEARBY, 0), min(col + _NEARBY + 1, grid.cols)):
                near.add(near_row * grid.cols + near_col)
    return sorted(cell for cell in near if not taken >> cell & 1)


def by_weight(position: GridPosition) -> list[int]:
    """Return the candidates, the heaviest first; of equals the most central."""
    grid = position.grid
    weights = weights_of(position)

    def key(cell: int) -> tuple[float, int, int]:
        row, col = divmod(cell, grid.cols)
        off_centre = abs(2 * row - grid.rows + 1) + abs(2 * col - grid.cols + 1)
        return -weights[cell], off_centre, cell

    return sorted(weights, key=key)
