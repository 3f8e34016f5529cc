"""Verdicts that know fewer boards than the textbook form, and are quicker for it.

`noughts.exercises.textbook.verdict` judges any board and k. These two are written for less, so
they are the harder yardsticks: good code of their kind, with no needless work.
"""

from __future__ import annotations

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip


def wins(board: list[str], mark: str) -> bool:
    """Return whether a row, column or diagonal of an n x n board is all `mark`."""
    size = range(len(board))
    return (
        any(all(board[row][col] == mark for col in size) for row in size)
        or any(all(board[row][col] == mark for row in size) for col in size)
        or all(board[i][i] == mark for i in size)
        or all(board[i][-1 - i] == mark for i in size)
    )


def state(board: list[str]) -> str:
    """Return the verdict on an n x n board with n in a row."""
    x_count = sum(row.count("X") for row in board)
    o_count = sum(row.count("O") for row in board)
    if x_count - o_count not in (0, 1):
        return "invalid"
    x_wins, o_wins = wins(board, "X"), wins(board, "O")
    if (x_wins and o_wins) or (x_wins and x_count == o_count) or (o_wins and x_count > o_count):
        return "invalid"
    if x_wins:
        return "X_wins"
    if o_wins:
        return "O_wins"
    if x_count + o_count == len(board) ** 2:
        return "draw"
    return "X_turn" if x_count == o_count else "O_turn"


def state_3x3(board: list[str]) -> str:
    """Return the verdict on a 3x3 board: one pass over the eight lines, written for speed.

    It is much quicker than `state` because it knows no other size and believes its input.
    """
    cells = "".join(board)
    x_count, o_count = cells.count("X"), cells.count("O")
    if x_count - o_count not in (0, 1):
        return "invalid"
    x_wins = o_wins = False
    for a, b, c in LINES:
        if cells[a] == cells[b] == cells[c]:
            if cells[a] == "X":
                x_wins = True
            elif cells[a] == "O":
                o_wins = True
    if (x_wins and (o_wins or x_count == o_count)) or (o_wins and x_count > o_count):
        return "invalid"
    if x_wins:
        return "X_wins"
    if o_wins:
        return "O_wins"
    if x_count + o_count == 9:
        return "draw"
    return "X_turn" if x_count == o_count else "O_turn"
