"""Boards and moves of a grid as text; nothing here knows rules.

==========  ==================================  ====================================
what        form                                example
==========  ==================================  ====================================
grid        ROWSxCOLSxK                         ``4x4x3`` (see `Grid.parse`)
board       rows of X, O and ``.``              ``XX./OO./...``
with grid   the same behind its grid            ``3x3x3:XX./OO./...``
move        column letter, row number from top  ``b2``; or the cell number, ``4``
==========  ==================================  ====================================

Readers return masks and cell numbers. They raise `NotationError` with the index of the
character that cannot be read, so that a caller can point at it.
"""

from __future__ import annotations

from collections.abc import Sequence

from noughts.errors import NotationError, brief, require_text
from noughts.rules.grid import Grid

__all__ = [
    "MARKS",
    "cell_name",
    "column_name",
    "count_of_cells",
    "offsets_of",
    "read_cell",
    "read_marks",
    "read_number",
    "write_marks",
]

MARKS = "XO. 0"
"""What a cell may be written as: a space also reads as empty and a zero as O."""


def _binary_digits(ones: str) -> bytes:
    """Return a table for `bytes.translate`: these marks become 1, other marks 0, the rest ``?``."""
    table = bytearray(b"?" * 256)
    for mark in MARKS:
        table[ord(mark)] = ord("1" if mark in ones else "0")
    return bytes(table)


_X_DIGITS = _binary_digits("X")
_O_DIGITS = _binary_digits("O0")


def read_marks(board: str | Sequence[str]) -> tuple[int, int, int, int]:
    """Read rows of marks, joined by ``/`` or a sequence of strings; return rows, cols, x, o.

    >>> read_marks("X.O/.X.")
    (2, 3, 17, 4)
    """
    # All cells are converted at once, as binary digits: that is quick on large boards and for
    # long lists of small ones. A character that is not a mark becomes "?", which `int` refuses;
    # only then is its place looked for.
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
    for number, (row, offset) in enumerate(zip(rows, offsets_of(rows, 0), strict=True), 1):
        for index, char in enumerate(row):
            if char not in MARKS:
                where = f"row {number}, column {index + 1}"
                message = f"{where}: {char!r} is not a mark; use X, O and '.'"
                return NotationError(message, text, offset + index)
        if len(row) != len(rows[0]):
            message = f"row {number} has {count_of_cells(len(row))}, but row 1 has {len(rows[0])}"
            return NotationError(message, text, offset)
    return NotationError("row 1 has no cells", text, 0)


def count_of_cells(count: int) -> str:
    """Return a number of cells in words."""
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


def offsets_of(rows: list[str], start: int) -> list[int]:
    """Return where each of the rows, joined by single characters, begins."""
    offsets = []
    for row in rows:
        offsets.append(start)
        start += len(row) + 1
    return offsets


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
    number = read_number(digits)
    if number is None:
        example = cell_name(grid, grid.cells // 2)
        message = f"a move is a cell name like {example} or a cell number, not {brief(text)}"
        # Behind a column's letters a number is missing; other words are wrong as a whole.
        is_column = len(letters) < 3 and _column(letters) < grid.cols
        is_word = not digits and not is_column
        raise NotationError(message, text, 0 if is_word else _first_non_digit(text, digits_at))
    if not letters:
        if number >= grid.cells:
            message = f"cell {brief(number)} is outside a {grid} board: 0 to {grid.cells - 1}"
            raise NotationError(message, text, 0)
        return number
    col = _column(letters[:20])  # more letters than any board needs; just outside is enough
    if col >= grid.cols:
        last = column_name(grid.cols - 1)
        name = letters if len(letters) <= 20 else f"{letters[:17]}..."
        message = f"column {name} is outside a {grid} board: columns a to {last}"
        raise NotationError(message, text, 0)
    if not 1 <= number <= grid.rows:
        message = f"row {brief(number)} is outside a {grid} board: rows 1 to {grid.rows}"
        raise NotationError(message, text, digits_at)
    return (number - 1) * grid.cols + col


def _column(letters: str) -> int:
    """Return the number of a column from 0, by its letters; -1 for none."""
    col = 0
    for letter in letters:
        col = col * 26 + ord(letter) - ord("a") + 1
    return col - 1


def read_number(text: str) -> int | None:
    """Return a plain decimal number: ASCII digits, no sign, no leading zero; else None."""
    if text.isascii() and text.isdigit() and len(text) < 20 and (text[0] != "0" or text == "0"):
        return int(text)
    return None


def _first_non_digit(text: str, start: int) -> int:
    """Return the index of the first character from `start` that is not an ASCII digit."""
    return next((i for i in range(start, len(text)) if text[i] not in "0123456789"), start)
