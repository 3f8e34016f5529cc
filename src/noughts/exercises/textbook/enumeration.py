"""Every game on a grid, by recursion and backtracking.

A game is the list of its moves from the empty board to a win or a full board. Each call of
`play` stands for a position: it tries every free cell in turn, places a mark, goes on from
there, and takes the mark back. There is one board, and after every call it is as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator

Moves = tuple[int, ...]
Lines = list[list[int]]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, and both diagonals downwards


def games(rows: int = 4, cols: int = 4, k: int = 3) -> Iterator[Moves]:
    """Yield every game as a tuple of cells, in lexicographic order.

    >>> next(games(3, 3, 3))
    (0, 1, 2, 3, 4, 5, 6)
    """
    board = ["."] * (rows * cols)
    lines = lines_through(rows, cols, k)
    yield from play(board, (), lines)


def play(board: list[str], moves: Moves, lines: list[Lines]) -> Iterator[Moves]:
    """Yield every game that begins with these moves, which are on the board."""
    player = "XO"[len(moves) % 2]
    for cell in range(len(board)):
        if board[cell] != ".":
            continue
        board[cell] = player  # place
        if wins(board, cell, lines):
            yield (*moves, cell)  # win
        elif len(moves) + 1 == len(board):
            yield (*moves, cell)  # draw
        else:
            yield from play(board, (*moves, cell), lines)
        board[cell] = "."  # undo


def count_games(rows: int = 4, cols: int = 4, k: int = 3) -> int:
    """Return how many games there are, by the same recursion.

    >>> count_games(2, 2, 2)
    24
    """
    board = ["."] * (rows * cols)
    lines = lines_through(rows, cols, k)
    return count(board, 0, lines)


def count(board: list[str], depth: int, lines: list[Lines]) -> int:
    """Return how many games there are from this board, on which there are `depth` marks."""
    player = "XO"[depth % 2]
    total = 0
    for cell in range(len(board)):
        if board[cell] != ".":
            continue
        board[cell] = player  # place
        if wins(board, cell, lines) or depth + 1 == len(board):
            total += 1
        else:
            total += count(board, depth + 1, lines)
        board[cell] = "."  # undo
    return total


def wins(board: list[str], cell: int, lines: list[Lines]) -> bool:
    """Return whether the mark on `cell` completes a line: only lines through it can be new."""
    player = board[cell]
    for line in lines[cell]:  # check
        if all(board[other] == player for other in line):
            return True
    return False


def lines_through(rows: int, cols: int, k: int) -> list[Lines]:
    """Return for each cell the lines of k cells through it; cells are numbered row by row."""
    through: list[Lines] = [[] for _ in range(rows * cols)]
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                last_row, last_col = row + (k - 1) * down, col + (k - 1) * right
                if last_row < rows and 0 <= last_col < cols:
                    line = [(row + i * down) * cols + col + i * right for i in range(k)]
                    for cell in line:
                        through[cell].append(line)
    return through
