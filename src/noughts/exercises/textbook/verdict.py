"""The verdict on a drawn board of any size: whose turn, who won, draw or invalid.

A board is valid if some game leads to it. X begins, turns alternate, and play stops at the
first completed line. So the last move completed every line that there is: the lines belong
to the side that moved last, and they share the cell of that move.
"""

from __future__ import annotations

from collections.abc import Sequence

Lines = list[list[int]]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down, and both diagonals downwards


def valid(board: Sequence[str], k: int = 3) -> bool:
    """Return whether some game leads to this board (LeetCode 794).

    >>> valid(["XOX", " X ", "   "]), valid(["XOX", "O O", "XOX"])
    (False, True)
    """
    return state(board, k) != "invalid"


def state(board: Sequence[str], k: int = 3) -> str:
    """Return ``X_turn``, ``O_turn``, ``X_wins``, ``O_wins``, ``draw`` or ``invalid``.

    >>> state(["XXX", "OO.", "..."]), state(["OO.", "...", "..."])
    ('X_wins', 'invalid')
    """
    cells = "".join(board)
    x_count, o_count = cells.count("X"), cells.count("O")
    lines = all_lines(len(board), len(board[0]), k)
    x_lines = full_lines(cells, "X", lines)
    o_lines = full_lines(cells, "O", lines)

    if x_count - o_count not in (0, 1):  # check: X begins and turns alternate
        return "invalid"
    if x_lines and o_lines:  # check: only one side has a line
        return "invalid"
    if x_lines and x_count == o_count:  # check: O does not move after X has won
        return "invalid"
    if o_lines and x_count > o_count:  # check: X does not move after O has won
        return "invalid"
    if no_common_cell(x_lines or o_lines):  # check: one last move completes all lines
        return "invalid"

    if x_lines:
        return "X_wins"  # win
    if o_lines:
        return "O_wins"  # win
    if x_count + o_count == len(cells):
        return "draw"  # draw
    return "X_turn" if x_count == o_count else "O_turn"


def full_lines(cells: str, player: str, lines: Lines) -> Lines:
    """Return the lines on which all marks are the player's."""
    full = []
    for line in lines:
        if all(cells[cell] == player for cell in line):
            full.append(line)
    return full


def no_common_cell(lines: Lines) -> bool:
    """Return whether there are lines, but no cell that lies on all of them."""
    return bool(lines) and not set(lines[0]).intersection(*lines)


def all_lines(rows: int, cols: int, k: int) -> Lines:
    """Return every line of k cells; cells are numbered row by row."""
    lines = []
    for row in range(rows):
        for col in range(cols):
            for down, right in DIRECTIONS:
                last_row, last_col = row + (k - 1) * down, col + (k - 1) * right
                if last_row < rows and 0 <= last_col < cols:
                    lines.append([(row + i * down) * cols + col + i * right for i in range(k)])
    return lines
