"""Positions and moves of Ultimate as text; nothing here knows rules.

========  ==================================  =======================================
what      form                                example
========  ==================================  =======================================
line      to move; owners; nine boards        ``O;@........;X.OO...../...``
FEN       nine rows; to move; forced board    ``9/9/9/9/4X4/9/9/9/9 O e``
move      board letter, cell letter           ``ae``; or board*9+cell, ``4``
========  ==================================  =======================================

A move is board*9 + cell. Boards and cells are lettered alike, row by row::

    a b c        "ae" is the centre cell of the top left board,
    d e f        cell 4 of board 0, so move 4.
    g h i
"""

from __future__ import annotations

import re
from typing import NamedTuple

from noughts.drawing import LETTERS
from noughts.errors import NotationError, brief, require_text
from noughts.rules.grid_notation import (
    MARKS,
    count_of_cells,
    offsets_of,
    read_marks,
    read_number,
    write_marks,
)

__all__ = [
    "UltimateFields",
    "fen_length",
    "picture_cell",
    "read_ultimate_fen",
    "read_ultimate_line",
    "read_ultimate_move",
    "ultimate_move_name",
    "write_ultimate_fen",
    "write_ultimate_line",
]

_BOARD_COUNT = 9
_ULTIMATE_CELLS = 81


def ultimate_move_name(move: int) -> str:
    """Return the two-letter name of an Ultimate move.

    >>> ultimate_move_name(4), ultimate_move_name(80)
    ('ae', 'ii')
    """
    board, cell = divmod(move, 9)
    return LETTERS[board] + LETTERS[cell]


def read_ultimate_move(text: str) -> int:
    """Read an Ultimate move in two letters (``ae``) or as a number from 0 to 80.

    >>> read_ultimate_move("ae"), read_ultimate_move("80")
    (4, 80)
    """
    require_text(text, "a move")
    number = read_number(text)
    if number is not None:
        if number >= _ULTIMATE_CELLS:
            raise NotationError(f"move {brief(number)} is not one of 0 to 80", text, 0)
        return number
    for index, char in enumerate(text[:2]):
        if char not in LETTERS:
            what = "board" if index == 0 else "cell"
            raise NotationError(f"{char!r} is not a {what}: a to i", text, index)
    if len(text) != 2:
        message = f"an Ultimate move is two letters like ae, or 0 to 80, not {brief(text)}"
        raise NotationError(message, text, min(len(text), 2))
    return LETTERS.index(text[0]) * 9 + LETTERS.index(text[1])


class UltimateFields(NamedTuple):
    """An Ultimate position as it was read or is to be written; nothing in it is checked.

    `owners` has nine characters: X, O, ``#`` (drawn) or ``.``, and ``@`` for a forced board,
    whose owner the text does not give. It is None if the text has no owners.
    """

    turn: str
    forced: int | None
    x: int
    o: int
    owners: str | None


def read_ultimate_line(text: str) -> UltimateFields:
    """Read the position line ``O;@........;X.OO...../........./...``.

    The nine boards come in order, each cell by cell. In the owners' field ``@`` marks the
    forced board; a forced board that is captured already (variant `open`) is written as
    its owner in lower case.
    """
    require_text(text, "an Ultimate position")
    parts = text.split(";")
    if len(parts) != 3:
        message = f"an Ultimate position is PLAYER;OWNERS;BOARDS, but this has {len(parts)} fields"
        raise NotationError(message, text)
    turn, owners, boards = parts
    if turn not in ("X", "O"):
        raise NotationError(f"the player to move is X or O, not {brief(turn)}", text, 0)
    owners_at, boards_at = len(turn) + 1, len(turn) + len(owners) + 2
    forced = None
    plain = ""
    for index, char in enumerate(owners):
        if char not in "XO#.@xo":
            message = f"{char!r} is not an owner; use X, O, '#', '.' and '@'"
            raise NotationError(message, text, owners_at + index)
        if char in "@xo":
            if forced is not None:
                raise NotationError("two boards are marked as forced", text, owners_at + index)
            forced = index
        plain += char.upper()
    if len(owners) != _BOARD_COUNT:
        raise NotationError(f"there are nine owners, not {len(owners)}", text, owners_at)
    rows = boards.split("/")
    x, o = _read_nine_rows(text, rows, offsets_of(rows, boards_at), "board")
    return UltimateFields(turn, forced, x, o, plain)


def write_ultimate_line(fields: UltimateFields) -> str:
    """Return the position line; the inverse of `read_ultimate_line`."""
    owners = list(fields.owners or "")
    if fields.forced is not None:
        owner = owners[fields.forced]
        owners[fields.forced] = "@" if owner == "." else owner.lower()
    boards = write_marks(fields.x, fields.o, 9, 9)
    return f"{fields.turn};{''.join(owners)};{'/'.join(boards)}"


def read_ultimate_fen(text: str) -> UltimateFields:
    """Read the FEN-like form ``9/9/9/9/4X4/9/9/9/9 O e``.

    The fields are nine rows of the 9x9 picture from the top, with runs of empty cells as
    digits; the player to move; the forced board's letter or ``-``; and, if the variant needs
    them, nine owners.
    """
    require_text(text, "an Ultimate position")
    fields = text.split(" ")
    if len(fields) not in (3, 4):
        message = "an Ultimate position is PLAYER;OWNERS;BOARDS, or the FEN: ROWS PLAYER FORCED"
        raise NotationError(message, text)
    picture, turn, forced_name = fields[:3]
    turn_at = len(picture) + 1
    if turn not in ("X", "O"):
        raise NotationError(f"the player to move is X or O, not {brief(turn)}", text, turn_at)
    forced_at = turn_at + len(turn) + 1
    if len(forced_name) != 1 or forced_name not in LETTERS + "-":
        message = f"the forced board is a to i or '-', not {brief(forced_name)}"
        raise NotationError(message, text, forced_at)
    owners = fields[3] if len(fields) == 4 else None
    if owners is not None:
        owners_at = forced_at + len(forced_name) + 1
        for index, char in enumerate(owners):
            if char not in "XO#.":
                message = f"{char!r} is not an owner; use X, O, '#' and '.'"
                raise NotationError(message, text, owners_at + index)
        if len(owners) != _BOARD_COUNT:
            raise NotationError(f"there are nine owners, not {len(owners)}", text, owners_at)
    short_rows = picture.split("/")
    offsets = offsets_of(short_rows, 0)
    rows = [
        "".join(_expand(text, char, offset + index) for index, char in enumerate(row))
        for row, offset in zip(short_rows, offsets, strict=True)
    ]
    x, o = _read_nine_rows(text, rows, offsets, "row")
    forced = None if forced_name == "-" else LETTERS.index(forced_name)
    return UltimateFields(turn, forced, _from_picture(x), _from_picture(o), owners)


_FEN_WORDS = re.compile(
    r"(?:ultimate[a-z-]*:)?([^\s;:]*/[^\s;:]*)(?: [^\s,]+){0,2}(?: [XO#.]{9}(?!\S))?"
)


def fen_length(text: str) -> int:
    """Return how long the FEN at the beginning of a text is, or 0 if there is none.

    The rows of a board have no digit except 0; those of a FEN have one unless all 81 cells
    are marked.

    >>> fen_length("9/9/9/9/4X4/9/9/9/9 O e ea"), fen_length("XX./OO./... c1")
    (23, 0)
    """
    match = _FEN_WORDS.match(text)
    if match is None:
        return 0
    has_runs = any(char in "123456789" for char in match[1])
    is_full = len(match[1]) == 89 and match.end() > match.end(1)
    return match.end() if has_runs or is_full else 0


def write_ultimate_fen(fields: UltimateFields) -> str:
    """Return the FEN-like form; the inverse of `read_ultimate_fen`."""
    rows = []
    for row in write_marks(_to_picture(fields.x), _to_picture(fields.o), 9, 9):
        shortened = row
        for run in range(9, 0, -1):
            shortened = shortened.replace("." * run, str(run))
        rows.append(shortened)
    forced = "-" if fields.forced is None else LETTERS[fields.forced]
    owners = "" if fields.owners is None else f" {fields.owners}"
    return f"{'/'.join(rows)} {fields.turn} {forced}{owners}"


def _expand(text: str, char: str, offset: int) -> str:
    """Return the cells that one character of a FEN row stands for."""
    if char in "123456789":
        return "." * int(char)
    if char in "XO":
        return char
    raise NotationError(f"{char!r} is not a mark or a run of empty cells", text, offset)


def _read_nine_rows(text: str, rows: list[str], offsets: list[int], what: str) -> tuple[int, int]:
    """Read nine rows of nine marks that begin at these offsets of `text`."""
    for number, (row, offset) in enumerate(zip(rows, offsets, strict=True), 1):
        for index, char in enumerate(row):
            if char not in MARKS:
                message = f"{what} {number}: {char!r} is not a mark; use X, O and '.'"
                raise NotationError(message, text, offset + index)
        if len(row) != 9:
            raise NotationError(
                f"{what} {number} has {count_of_cells(len(row))}, not 9", text, offset
            )
    if len(rows) != 9:
        raise NotationError(f"there are {len(rows)} {what}s, not 9", text, offsets[0])
    _, _, x, o = read_marks(rows)
    return x, o


# The picture numbers cells by row of the 9x9 drawing, moves by board and cell. The two
# numberings swap the middle two of four base-3 digits, so the mapping is its own inverse:
#
#     move     = big row | big col | small row | small col
#     picture  = big row | small row | big col | small col
_PICTURE_CELL = tuple(
    (move // 27 * 3 + move // 3 % 3) * 9 + move // 9 % 3 * 3 + move % 3
    for move in range(_ULTIMATE_CELLS)
)


def picture_cell(move: int) -> int:
    """Return the cell of the 9x9 picture, row by row, for an Ultimate move; and back."""
    return _PICTURE_CELL[move]


def _to_picture(mask: int) -> int:
    return sum(1 << _PICTURE_CELL[move] for move in range(_ULTIMATE_CELLS) if mask >> move & 1)


_from_picture = _to_picture
