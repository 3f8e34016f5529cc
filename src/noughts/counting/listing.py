"""Listing every game by backtracking over one mutable board."""

from __future__ import annotations

from collections.abc import Iterator

from noughts.rules.grid import Grid

__all__ = ["games"]


def games(grid: Grid) -> Iterator[tuple[int, ...]]:
    """Yield every game on the grid in lexicographic order, as tuples of cells.

    A game is the whole list of moves from the empty board to a win or a full board. The
    memory used does not grow, however many games there are.

    >>> from itertools import islice
    >>> list(islice(games(Grid(3, 3, 3)), 2))
    [(0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 7, 6, 8)]
    >>> sum(1 for _ in games(Grid(2, 2, 2)))
    24
    """
    cells = grid.cells
    lines_through = [
        tuple(sum(1 << c for c in line) for line in grid.lines_through(cell))
        for cell in range(cells)
    ]
    # The recursion is spelled out as a loop over its own stack, the moves themselves: it
    # can be as deep as the board is large, and a generator pays for every level it nests.
    moves: list[int] = []
    marks = [0, 0]  # of X and of O
    cell = 0  # the next candidate for the move at hand
    while True:
        while cell < cells and (marks[0] | marks[1]) >> cell & 1:
            cell += 1
        if cell < cells:
            side = len(moves) & 1
            moves.append(cell)
            marks[side] |= 1 << cell
            won = any(marks[side] & line == line for line in lines_through[cell])
            if not won and len(moves) < cells:
                cell = 0
                continue
            yield tuple(moves)
        elif not moves:
            return
        # Undo the last move exactly and go on with the cell after it.
        cell = moves.pop()
        marks[len(moves) & 1] ^= 1 << cell
        cell += 1
