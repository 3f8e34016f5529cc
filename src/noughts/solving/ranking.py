r"""Where a table keeps each position of a small board, and what the byte there says.

Every board with as many X as O, or one X more, has a byte of its own, found by arithmetic
alone. The boards with n marks are one layer; in it come the sets of n marked cells, and in
each of those the choices of the n // 2 cells among them that are O's::

    the table    layer 0 | layer 1 | ...    | layer n |    ... | layer of the full boards
                                          /             \
    layer n                   set 0 | set 1 | ... | set C(cells, n) - 1
                                    /       \
    set 1                    choice 0 | ... | choice C(n, n // 2) - 1

Sets of equal size are ranked in ascending order of their masks (the combinatorial number
system): the rank of {a < b < c < ...} is C(a, 1) + C(b, 2) + C(c, 3) + ... For the O's the
marked cells are numbered anew from 0, so that they are a set of the same kind::

    cells       0 1 2 3 4      the marked cells {0, 2, 3, 4} have rank 0 + 1 + 1 + 1 = 3,
    marks       X . O X O      the O's {1, 3} among them rank 1 + 3 = 4;
    numbered    0   1 2 3      so the board is number 3 * C(4, 2) + 4 = 22 in layer 4

The byte is the number of plies to the end with best play, which also says who wins: the side
to move makes the odd ones, so an odd number is its win and an even one its loss. 0 is a game
that the other side has just won::

    0, 2, 4, ...  loss in that number of plies         254  draw
    1, 3, 5, ...  win in that number of plies          255  no game leads there
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate
from math import comb

from noughts.errors import LimitExceeded, brief
from noughts.rules.grid import Grid, cells_of

__all__ = [
    "DRAW",
    "MAX_CELLS",
    "NO_GAME",
    "layer_sizes",
    "layer_starts",
    "place_of",
    "rank",
    "require_small",
]

MAX_CELLS = 16
"""The largest boards with a table, 9.7 MiB; 20 cells would take 707."""

DRAW, NO_GAME = 254, 255


@lru_cache(maxsize=MAX_CELLS + 1)
def layer_sizes(cells: int) -> tuple[int, ...]:
    """Return how many boards there are with 0, 1, 2, ... marks.

    >>> layer_sizes(3), sum(layer_sizes(16))
    ((1, 3, 6, 3), 10165779)
    """
    return tuple(comb(cells, marks) * comb(marks, marks // 2) for marks in range(cells + 1))


@lru_cache(maxsize=MAX_CELLS + 1)
def layer_starts(cells: int) -> tuple[int, ...]:
    """Return where each layer begins, and at last where all of them end.

    >>> layer_starts(3)
    (0, 1, 4, 10, 13)
    """
    return tuple(accumulate(layer_sizes(cells), initial=0))


def require_small(grid: Grid) -> Grid:
    """Return a grid if it can have a table, else raise."""
    if grid.cells > MAX_CELLS:
        cells = brief(grid.cells)
        raise LimitExceeded(f"tables are for boards of up to {MAX_CELLS} cells; {grid} has {cells}")
    return grid


def rank(mask: int) -> int:
    """Return how many sets of the same size have a lesser mask.

    >>> [rank(mask) for mask in (0b0011, 0b0101, 0b0110, 0b1001)]
    [0, 1, 2, 3]
    """
    return sum(comb(cell, place) for place, cell in enumerate(cells_of(mask), 1))


def place_of(cells: int, x: int, o: int) -> int:
    """Return where the byte of a board is; its counts of X and O must be those of a game.

    >>> place_of(5, 0b01001, 0b10100) - layer_starts(5)[4]
    22
    """
    marked = cells_of(x | o)
    marks = len(marked)
    among = sum(1 << number for number, cell in enumerate(marked) if o >> cell & 1)
    return layer_starts(cells)[marks] + rank(x | o) * comb(marks, marks // 2) + rank(among)
