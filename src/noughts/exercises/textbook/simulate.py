"""Replay a list of moves on 3x3: bad moves are rejected, and the list goes on.

A move is ``row,col,player``. Turn order is not enforced. Comparing with the three digits as
text refuses all that only looks like a number: signs, spaces, leading zeros, other scripts.
"""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = ("0", "1", "2")
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip


def simulate(moves: Sequence[str]) -> list[str]:
    """Return ``[bits, winner, row0, row1, row2]``, with a bit 1 for every accepted move.

    >>> simulate(["0,0,X", "0,0,O", "1,1,O"])
    ['101', 'None', 'X..', '.O.', '...']
    """
    board = ["."] * 9
    bits = []
    winner = "None"
    for move in moves:
        if winner != "None":
            bits.append("0")  # reject: the game is won
        elif not is_legal(board, move):
            bits.append("0")
        else:
            row, col, player = move.split(",")
            cell = 3 * int(row) + int(col)
            board[cell] = player  # place
            bits.append("1")  # accept
            if has_line(board, player):
                winner = player  # win
    rows = ["".join(board[start : start + 3]) for start in (0, 3, 6)]
    return ["".join(bits), winner, *rows]


def is_legal(board: list[str], move: str) -> bool:
    """Return whether the text is a move, and its cell is free."""
    parts = move.split(",")
    if len(parts) != 3:
        return False  # reject: a move has three parts, row,col,player
    row, col, player = parts
    if row not in DIGITS or col not in DIGITS:
        return False  # reject: row and column must be 0, 1 or 2
    if player not in ("X", "O"):
        return False  # reject: the player must be X or O
    if board[3 * int(row) + int(col)] != ".":
        return False  # reject: the cell is taken
    return True


def has_line(board: list[str], player: str) -> bool:
    """Return whether the player has three in a row."""
    return any(board[a] == board[b] == board[c] == player for a, b, c in LINES)
