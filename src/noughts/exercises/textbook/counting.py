"""How many games there are, without playing each of them: two steps from playing to counting.

`count_by_levels` looks at every position once, however many orders of moves lead to it.
`count_games` looks at no position either. Until one side has a line, any order of the marks is a
game, so factorials count the orders, and only the boards without a line are left to count.
`line_free` does that cell by cell, and counts together all boards that go on in the same ways.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import factorial

Lines = list[list[int]]
Boards = Counter[tuple[int, int, int, int]]  # open lines of X and of O, number of X's and of O's

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, and both diagonals downwards


def count_by_levels(rows: int = 4, cols: int = 4, k: int = 3) -> int:
    """Return how many games there are, by positions with 0 marks, 1 mark, 2 marks and so on.

    >>> count_by_levels(3, 3, 3)
    255168
    """
    cells = rows * cols
    lines = all_lines(rows, cols, k)
    level = Counter({"." * cells: 1})  # position: how many orders of moves lead to it
    total = 0
    for depth in range(cells):
        player = "XO"[depth % 2]
        following: Counter[str] = Counter()
        for board, orders in level.items():
            for cell in range(cells):
                if board[cell] != ".":
                    continue
                after = board[:cell] + player + board[cell + 1 :]
                if has_line_through(after, cell, lines) or depth + 1 == cells:
                    total += orders
                else:
                    following[after] += orders
        level = following
    return total


def count_games(rows: int = 4, cols: int = 4, k: int = 3) -> int:
    """Return how many games there are, from the numbers of boards without a line.

    >>> count_games(3, 3, 3)
    255168
    """
    cells = rows * cols
    boards = line_free(rows, cols, k)

    def running(moves: int) -> int:
        """Return how many games go on after this number of moves: boards times orders."""
        x, o = (moves + 1) // 2, moves // 2
        return boards[x, o] * factorial(x) * factorial(o)

    won = 0
    for moves in range(cells):
        won += running(moves) * (cells - moves) - running(moves + 1)
    return won + running(cells)


def line_free(rows: int, cols: int, k: int) -> Counter[tuple[int, int]]:
    """Return how many boards with x X's and o O's have no line, by (x, o)."""
    lines = all_lines(rows, cols, k)
    boards = Counter({(0, 0, 0, 0): 1})
    for cell in range(rows * cols):
        boards = mark(boards, cell, lines)
    return Counter({(x, o): amount for (_, _, x, o), amount in boards.items()})


def mark(boards: Boards, cell: int, lines: Lines) -> Boards:
    """Leave the cell empty, or mark it X or O, on all boards on which the cells before are marked.

    All that matters later is which unfinished lines are all X so far, and which are all O: two
    bit masks, with a bit for each line. Boards that agree in both, and in the number of X's and
    of O's, are counted together.
    """
    first = mask_of(line[0] == cell for line in lines)
    last = mask_of(line[-1] == cell for line in lines)
    others = ~mask_of(cell in line for line in lines)
    after: Boards = Counter()
    for (x_open, o_open, x, o), amount in boards.items():
        after[x_open & others, o_open & others, x, o] += amount  # empty
        if not (x_open | first) & last:
            after[x_open | first, o_open & others, x + 1, o] += amount  # X
        if not (o_open | first) & last:
            after[x_open & others, o_open | first, x, o + 1] += amount  # O
    return after


def mask_of(bits: Iterable[bool]) -> int:
    """Return the number with these bits, the lowest first."""
    return sum(bit << place for place, bit in enumerate(bits))


def has_line_through(board: str, cell: int, lines: Lines) -> bool:
    """Return whether the mark on `cell` is part of a line that is all the player's."""
    return any(cell in line and all(board[o] == board[cell] for o in line) for line in lines)


def all_lines(rows: int, cols: int, k: int) -> Lines:
    """Return every line of k cells; cells are numbered row by row, and each line begins above."""
    lines = []
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                last_row, last_col = row + (k - 1) * down, col + (k - 1) * right
                if last_row < rows and 0 <= last_col < cols:
                    lines.append([(row + i * down) * cols + col + i * right for i in range(k)])
    return lines
