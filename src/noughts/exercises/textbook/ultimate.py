"""Replay a list of moves of Ultimate tic-tac-toe: bad moves are rejected, and the list goes on.

A move is ``bigrow,bigcol,row,col,player``: a small board and a cell in it. Turn order is not
enforced. A small board that is won or full is closed. The cell of the last accepted move names
the small board to play in next, and if that one is closed, any open one will do.
"""

from __future__ import annotations

from collections.abc import Sequence

DIGITS = ("0", "1", "2")
LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6),
)  # fmt: skip


def simulate_ultimate(moves: Sequence[str]) -> list[str]:
    """Return ``[bits, winner, next, nine rows of nine]``, with a bit 1 for every accepted move.

    >>> simulate_ultimate(["0,0,1,2,X", "0,0,0,0,O"])[:5]
    ['10', 'None', '1,2', '.........', '..X......']
    """
    boards = [["."] * 9 for _ in range(9)]
    owners = ["."] * 9  # of each small board: X, O, "#" if it is full and not won, "." if open
    forced = None  # the small board that must be played in
    bits = []
    winner = "None"
    for move in moves:
        if winner != "None":
            bits.append("0")  # reject: the game is won
        elif not is_legal(boards, owners, forced, move):
            bits.append("0")
        else:
            big_row, big_col, row, col, player = move.split(",")
            board = 3 * int(big_row) + int(big_col)
            cell = 3 * int(row) + int(col)
            boards[board][cell] = player  # place
            bits.append("1")  # accept
            owners[board] = owner_of(boards[board], player)
            if has_line(owners, player):
                winner = player  # win
            forced = cell if owners[cell] == "." else None
    following = next_board(owners, forced, winner)
    return ["".join(bits), winner, following, *picture(boards)]


def is_legal(boards: list[list[str]], owners: list[str], forced: int | None, move: str) -> bool:
    """Return whether the text is a move, its board may be played in, and its cell is free."""
    parts = move.split(",")
    if len(parts) != 5:
        return False  # reject: a move has five parts, bigrow,bigcol,row,col,player
    big_row, big_col, row, col, player = parts
    if big_row not in DIGITS or big_col not in DIGITS:
        return False  # reject: the row and column of the board must be 0, 1 or 2
    if row not in DIGITS or col not in DIGITS:
        return False  # reject: the row and column of the cell must be 0, 1 or 2
    if player not in ("X", "O"):
        return False  # reject: the player must be X or O
    board = 3 * int(big_row) + int(big_col)
    if forced is not None and board != forced:
        return False  # reject: the last move forces another board
    if owners[board] != ".":
        return False  # reject: the board is closed
    if boards[board][3 * int(row) + int(col)] != ".":
        return False  # reject: the cell is taken
    return True


def owner_of(board: list[str], player: str) -> str:
    """Return the owner of an open small board in which the player has just moved."""
    if has_line(board, player):
        return player
    if "." not in board:
        return "#"
    return "."


def has_line(marks: list[str], player: str) -> bool:
    """Return whether the player has three in a row."""
    return any(marks[a] == marks[b] == marks[c] == player for a, b, c in LINES)


def next_board(owners: list[str], forced: int | None, winner: str) -> str:
    """Return the board to play in as ``r,c``, ``*`` for any, or ``None`` after the end."""
    if winner != "None" or "." not in owners:
        return "None"
    if forced is None:
        return "*"
    return f"{forced // 3},{forced % 3}"


def picture(boards: list[list[str]]) -> list[str]:
    """Return the nine small boards as nine rows of nine marks."""
    return [
        "".join(boards[row // 3 * 3 + col // 3][row % 3 * 3 + col % 3] for col in range(9))
        for row in range(9)
    ]
