"""Every text form, read and written; nothing here knows rules.

=============  ==================================  =======================================
what           form                                example
=============  ==================================  =======================================
grid           ROWSxCOLSxK                         ``4x4x3`` (see `Grid.parse`)
board          rows of X, O and ``.``              ``XX./OO./...``
grid board     the same behind its grid            ``3x3x3:XX./OO./...``
grid move      column letter, row number from top  ``b2``; or the cell number, ``4``
Ultimate line  to move; owners; nine boards        ``O;@........;X.OO...../...``
Ultimate FEN   nine rows; to move; forced board    ``9/9/9/9/4X4/9/9/9/9 O e``
Ultimate move  board letter, cell letter           ``ae``; or board*9+cell, ``4``
=============  ==================================  =======================================

Readers work on plain ints (masks) and raise `NotationError` with the offending character's
index, so that callers can point at it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from noughts.drawing import LETTERS
from noughts.errors import NotationError, brief, require_text
from noughts.rules.grid import Grid

__all__ = [
    "UltimateFields",
    "cell_name",
    "fen_length",
    "read_cell",
    "read_marks",
    "read_ultimate_fen",
    "read_ultimate_line",
    "read_ultimate_move",
    "ultimate_move_name",
    "write_marks",
    "write_ultimate_fen",
    "write_ultimate_line",
]

# -- boards ------------------------------------------------------------------------------

_ALLOWED = "XO. 0"  # a space also reads as empty and a zero as O


def _binary_digits(ones: str) -> bytes:
    """Return a table for `bytes.translate`: these marks are 1, others 0, and the rest no digit."""
    table = bytearray(b"?" * 256)
    for mark in _ALLOWED:
        table[ord(mark)] = ord("1" if mark in ones else "0")
    return bytes(table)


_X_DIGITS = _binary_digits("X")
_O_DIGITS = _binary_digits("O0")


def read_marks(board: str | Sequence[str]) -> tuple[int, int, int, int]:
    """Read rows of marks, joined by ``/`` or a sequence of strings; return rows, cols, x, o.

    >>> read_marks("X.O/.X.")
    (2, 3, 17, 4)
    """
    # Converting all cells at once by way of binary digits is what makes large boards and
    # long lists of small ones quick. What is no mark is no digit either, so `int` refuses it;
    # only when something is off do we look for the place.
    rows = board.split("/") if isinstance(board, str) else board
    try:
        digits = "".join(rows)[::-1].encode()  # cell 0 is the lowest bit, so it comes last
        x, o = int(digits.translate(_X_DIGITS), 2), int(digits.translate(_O_DIGITS), 2)
        cols = len(rows[0])
    except (TypeError, LookupError, ValueError):
        raise _board_fault(board) from None
    for row in rows:
        if len(row) != cols:
            raise _board_fault(board)
    return len(rows), cols, x, o


def _board_fault(board: object) -> NotationError:
    """Return the error that names what is wrong with a board that was not readable."""
    if isinstance(board, str):
        text, rows = board, board.split("/")
    elif isinstance(board, Sequence) and not isinstance(board, (bytes, bytearray)):
        rows = list(board)
        for number, row in enumerate(rows, 1):
            if not isinstance(row, str):
                return NotationError(f"row {number} must be a string, not {brief(row)}")
        text = "/".join(rows)
    else:
        return NotationError(f"a board is text or a list of strings, not {brief(board)}")
    if not rows or rows == [""]:
        return NotationError("the board is empty", text)
    for number, (row, offset) in enumerate(zip(rows, _offsets(rows, 0), strict=True), 1):
        for index, char in enumerate(row):
            if char not in _ALLOWED:
                where = f"row {number}, column {index + 1}"
                message = f"{where}: {char!r} is not a mark; use X, O and '.'"
                return NotationError(message, text, offset + index)
        if len(row) != len(rows[0]):
            message = f"row {number} has {_cells(len(row))}, but row 1 has {len(rows[0])}"
            return NotationError(message, text, offset)
    return NotationError("row 1 has no cells", text, 0)


def _cells(count: int) -> str:
    return f"{count} cell" if count == 1 else f"{count} cells"


def write_marks(x: int, o: int, rows: int, cols: int) -> list[str]:
    """Return the rows of a board; the inverse of `read_marks`.

    >>> write_marks(17, 4, 2, 3)
    ['X.O', '.X.']
    """
    size = rows * cols
    x_digits, o_digits = format(x, f"0{size}b"), format(o, f"0{size}b")
    text = "".join(map(_MARK_OF_DIGITS.__getitem__, zip(x_digits, o_digits, strict=True)))[::-1]
    return [text[start : start + cols] for start in range(0, size, cols)]


_MARK_OF_DIGITS = {("0", "0"): ".", ("1", "0"): "X", ("0", "1"): "O"}


# -- moves on a grid ---------------------------------------------------------------------


def column_name(col: int) -> str:
    """Return the letters of a column: a to z, then aa, ab and so on.

    >>> column_name(0), column_name(25), column_name(26)
    ('a', 'z', 'aa')
    """
    letters = ""
    col += 1
    while col:
        col, last = divmod(col - 1, 26)
        letters = chr(ord("a") + last) + letters
    return letters


def cell_name(grid: Grid, cell: int) -> str:
    """Return the name of a cell: column letter and row number from the top.

    >>> cell_name(Grid(3, 3, 3), 4)
    'b2'
    """
    row, col = divmod(grid.require_cell(cell), grid.cols)
    return f"{column_name(col)}{row + 1}"


def read_cell(grid: Grid, text: str) -> int:
    """Read a cell's name (``b2``) or number (``4``).

    >>> read_cell(Grid(3, 3, 3), "b2"), read_cell(Grid(3, 3, 3), "4")
    (4, 4)
    """
    require_text(text, "a move")
    digits_at = next((i for i, char in enumerate(text) if not "a" <= char <= "z"), len(text))
    letters, digits = text[:digits_at], text[digits_at:]
    number = _read_number(digits)
    if number is None:
        example = cell_name(grid, grid.cells // 2)
        message = f"a move is a cell name like {example} or a cell number, not {brief(text)}"
        raise NotationError(message, text, _first_non_digit(text, digits_at))
    if not letters:
        if number >= grid.cells:
            message = f"cell {brief(number)} is outside a {grid} board: 0 to {grid.cells - 1}"
            raise NotationError(message, text, 0)
        return number
    col = 0
    for letter in letters[:20]:  # more letters than any board needs; just outside is enough
        col = col * 26 + ord(letter) - ord("a") + 1
    if col > grid.cols:
        last = column_name(grid.cols - 1)
        name = letters if len(letters) <= 20 else f"{letters[:17]}..."
        message = f"column {name} is outside a {grid} board: columns a to {last}"
        raise NotationError(message, text, 0)
    if not 1 <= number <= grid.rows:
        message = f"row {brief(number)} is outside a {grid} board: rows 1 to {grid.rows}"
        raise NotationError(message, text, digits_at)
    return (number - 1) * grid.cols + col - 1


def _read_number(text: str) -> int | None:
    """Return a plain decimal number: ASCII digits, no sign, no leading zero; else None."""
    if text.isascii() and text.isdigit() and len(text) < 20 and (text[0] != "0" or text == "0"):
        return int(text)
    return None


def _first_non_digit(text: str, start: int) -> int:
    """Return the index of the first character from `start` that is not an ASCII digit."""
    return next((i for i in range(start, len(text)) if text[i] not in "0123456789"), start)


# -- Ultimate ----------------------------------------------------------------------------
#
# A move is board*9 + cell; boards and cells are lettered alike, row by row:
#
#     a b c        "ae" is the centre cell of the top left board,
#     d e f        cell 4 of board 0, so move 4.
#     g h i

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
    number = _read_number(text)
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

    `owners` has nine characters: X, O, ``#`` (drawn) or ``.``; it is None where the text
    did not say, and may be ``@`` for a forced board whose owner the text hides.
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
    x, o = _read_nine_rows(text, rows, _offsets(rows, boards_at), "board")
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

    Nine rows of the 9x9 picture from the top, runs of empty cells as digits; the player to
    move; the forced board's letter or ``-``; and, where the variant needs it, nine owners.
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
    offsets = _offsets(short_rows, 0)
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

    A board's rows hold no digit but 0, while a FEN's do unless all 81 cells are marked.

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


def _offsets(rows: list[str], start: int) -> list[int]:
    """Return where each of the rows, joined by single characters, begins."""
    offsets = []
    for row in rows:
        offsets.append(start)
        start += len(row) + 1
    return offsets


def _read_nine_rows(text: str, rows: list[str], offsets: list[int], what: str) -> tuple[int, int]:
    """Read nine rows of nine marks; `offsets` says where in `text` each of them begins."""
    for number, (row, offset) in enumerate(zip(rows, offsets, strict=True), 1):
        for index, char in enumerate(row):
            if char not in _ALLOWED:
                message = f"{what} {number}: {char!r} is not a mark; use X, O and '.'"
                raise NotationError(message, text, offset + index)
        if len(row) != 9:
            raise NotationError(f"{what} {number} has {_cells(len(row))}, not 9", text, offset)
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
