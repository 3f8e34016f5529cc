"""Counting games without walking them.

Until somebody has a line, any order of the marks is a game. So let F(x, o) be the number of
boards with x X's and o O's and **no line for either**. The games still running after d moves
are then

    A(d) = F(x, o) * x! * o!        with x = ceil(d/2) and o = floor(d/2),

each of them goes on in cells - d ways, and those that do not run after d + 1 moves were won
by that move: A(d) * (cells - d) - A(d + 1). The games that run when the board is full are
the draws.

F is counted by sweeping over the cells once. All that matters of the cells swept so far is
which lines that are begun and not finished are all X, and which are all O: two bit masks,
the state. Boards that agree in the state are merged::

    swept    . X X O | .         a line is begun when its first cell is swept,
             O X . _ | .         forgotten after its last,
             _ _ _ _ | .         and completing it is refused.

Beside each state stands how many boards have it, by x and o: a polynomial in two variables,
packed into one Python int with a field of fixed width per coefficient. Adding polynomials is
adding ints, and placing a mark is one shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import factorial

from noughts.rules.grid import Grid

__all__ = ["GameCounts", "count_games", "count_line_free_boards"]


@dataclass(frozen=True, slots=True)
class GameCounts:
    """How many games a grid has, by outcome and by length.

    A game is the ordered list of moves from the empty board to a win or a full board.
    """

    x_wins: int
    o_wins: int
    draws: int
    by_length: dict[int, int]

    @property
    def total(self) -> int:
        """All games."""
        return self.x_wins + self.o_wins + self.draws


def count_games(grid: Grid) -> GameCounts:
    """Return the number of games on a grid.

    >>> counts = count_games(Grid(3, 3, 3))
    >>> counts.total, counts.x_wins, counts.o_wins, counts.draws
    (255168, 131184, 77904, 46080)
    >>> count_games(Grid(4, 4, 3)).total
    1281016086768
    """
    line_free = count_line_free_boards(grid)
    cells = grid.cells

    def running(d: int) -> int:
        x, o = (d + 1) // 2, d // 2
        return line_free[x, o] * factorial(x) * factorial(o)

    draws = running(cells)
    by_length = {
        d: running(d - 1) * (cells - d + 1) - running(d) + (draws if d == cells else 0)
        for d in range(1, cells + 1)
    }
    return GameCounts(
        x_wins=sum(count for d, count in by_length.items() if d % 2) - draws * (cells % 2),
        o_wins=sum(count for d, count in by_length.items() if not d % 2) - draws * (1 - cells % 2),
        draws=draws,
        by_length={d: count for d, count in by_length.items() if count},
    )


def count_line_free_boards(grid: Grid) -> dict[tuple[int, int], int]:
    """Return how many drawings have x X's and o O's and no line for either, by (x, o).

    >>> counts = count_line_free_boards(Grid(1, 2, 2))
    >>> counts[0, 0], counts[1, 0], counts[1, 1], counts[2, 0]
    (1, 2, 2, 0)
    """
    cells = grid.cells
    begun, finished, through = [0] * cells, [0] * cells, [0] * cells
    for number, line in enumerate(grid.lines):
        begun[min(line)] |= 1 << number
        finished[max(line)] |= 1 << number
        for cell in line:
            through[cell] |= 1 << number

    field = (3**cells).bit_length()  # no coefficient exceeds the number of all drawings
    x_shift, o_shift = field * (cells + 1), field
    states: dict[tuple[int, int], int] = {(0, 0): 1}
    for cell in range(cells):
        begin, finish, touch = begun[cell], finished[cell], ~through[cell]
        after: dict[tuple[int, int], int] = {}
        for (all_x, all_o), boards in states.items():
            still_x, still_o = all_x & touch, all_o & touch  # what any other mark leaves
            with_x, with_o = all_x | begin, all_o | begin
            moves = [((still_x, still_o), boards)]
            if not with_x & finish:
                moves.append(((with_x, still_o), boards << x_shift))
            if not with_o & finish:
                moves.append(((still_x, with_o), boards << o_shift))
            for state, more in moves:
                after[state] = after.get(state, 0) + more
        states = after
    (packed,) = states.values()  # every line is finished, so one state is left
    coefficient = (1 << field) - 1
    return {
        (x, o): packed >> (x * x_shift + o * o_shift) & coefficient
        for x in range(cells + 1)
        for o in range(cells + 1)
    }
