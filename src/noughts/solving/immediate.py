"""Wins, losses and draws that the next three plies decide, on a board of any size, in Python.

The marks are shifted onto each other, for all lines at once, as in `rules/grid.py`. With
m[i] = marks >> i*step, bit s of m[0] & m[1] & m[3] says: of the line of four that starts in
cell s, all but the cell s + 2*step are marked.
"""

from __future__ import annotations

from noughts.rules.grid import Direction, Grid
from noughts.rules.player import Player
from noughts.rules.position import GridPosition
from noughts.values import Solution, Value

__all__ = ["completions", "forks", "sides", "solve_immediate"]


def solve_immediate(position: GridPosition) -> Solution:
    """Return what a line now or two threats at once decide, and who can still make a line.

    >>> print(solve_immediate(GridPosition.parse("4x4x3:..../.XX./..../OO..")))
    X wins in 1 ply
    """
    if position.outcome is not None:
        return Solution.finished(position)
    grid = position.grid
    mine, theirs, empty = sides(position)
    if completions(grid, mine, empty):
        return Solution(position, Value.WIN, Value.WIN, 1)
    blocks = completions(grid, theirs, empty)
    if blocks & (blocks - 1):
        return Solution(position, Value.LOSS, Value.LOSS, 2)  # only one of two can be blocked
    double = forks(grid, mine, empty)
    if double & blocks if blocks else double:
        return Solution(position, Value.WIN, Value.WIN, 3)
    at_least = Value.LOSS if grid.has_line(theirs | empty) else Value.DRAW
    at_most = Value.WIN if grid.has_line(mine | empty) else Value.DRAW
    return Solution(position, at_least, at_most)


def sides(position: GridPosition) -> tuple[int, int, int]:
    """Return the cells of the side to move, of the other side, and the empty ones."""
    mine, theirs = position.x, position.o
    if position.turn is Player.O:
        mine, theirs = theirs, mine
    return mine, theirs, position.grid.full & ~(mine | theirs)


def completions(grid: Grid, marks: int, empty: int) -> int:
    """Return the empty cells in which one more mark completes a line."""
    if marks.bit_count() < grid.k - 1:
        return 0
    found = 0
    for direction in grid.directions:
        shifted, behind = _shifted(direction, marks, grid.k)
        before = direction.starts
        for i in range(grid.k):
            found |= (before & behind[i]) << i * direction.step
            before &= shifted[i]
    return found & empty


def forks(grid: Grid, marks: int, empty: int) -> int:
    """Return the empty cells in which one more mark makes two completions at once."""
    if marks.bit_count() < grid.k - 2:
        return 0
    once = twice = 0
    for direction in grid.directions:
        step = direction.step
        shifted, behind = _shifted(direction, marks, grid.k)
        free, _ = _shifted(direction, empty, grid.k)
        makes: dict[int, int] = {}  # from a distance to the cells that threaten that far away
        before = direction.starts
        for i in range(grid.k - 1):
            between = before & free[i]
            for j in range(i + 1, grid.k):
                if not between:
                    break
                both = between & behind[j] & free[j]
                makes[j - i] = makes.get(j - i, 0) | both << i * step
                makes[i - j] = makes.get(i - j, 0) | both << j * step
                between &= shifted[j]
            before &= shifted[i]
        for cells in makes.values():
            twice |= once & cells
            once |= cells
    return twice


def _shifted(direction: Direction, mask: int, k: int) -> tuple[list[int], list[int]]:
    """Return the mask shifted by 0 to k - 1 steps, and for each what all later ones share."""
    shifted = [mask >> i * direction.step for i in range(k)]
    behind = [direction.starts] * k
    for i in range(k - 2, -1, -1):
        behind[i] = behind[i + 1] & shifted[i + 1]
    return shifted, behind
