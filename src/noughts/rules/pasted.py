"""Texts as people have them, brought into the form that noughts writes.

=============================  =======================================================
links to the page              ``http://127.0.0.1:8000/?game=3x3x3+b2``, ``#game=3x3x3+b2&x=person``
numbered moves                 ``3x3x3 1. b2 a1 2. c3``, ``1) b2 2) a1``
capitals, and another x        ``ULTIMATE EE EA``, ``4×4×3 B2``
moves without a start          ``b2 a1`` on 3x3x3, ``ee ea`` at Ultimate
a board on several lines       rows of marks, with or without spaces, bars and lattice
a list, as LeetCode has it     ``["XOX","O O","XOX"]``, ``[["X","O"],["O","X"]]``
=============================  =======================================================

Nothing is guessed about what is wrong: a text that is none of these stays as it is, and the
reader that gets it says what it expected. Each character knows where it came from, so that a
fault is pointed at in the text that was pasted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes

from noughts.errors import NotationError

__all__ = ["Pasted", "pasted", "read_again"]

T = TypeVar("T")


class Pasted(NamedTuple):
    """A text in the form that noughts writes, and where each of its characters came from."""

    text: str
    origins: tuple[int, ...]
    whole: str  # what was pasted

    def blame(self, error: NotationError) -> NotationError:
        """Return the error about this text as one about what was pasted."""
        offset = error.offset
        if offset is not None:
            inside = offset < len(self.origins)
            offset = self.origins[offset] if inside else len(self.whole.rstrip())
        return NotationError(error.message, self.whole, offset)


def read_again(
    text: str, fault: NotationError, read: Callable[[str], T], *, is_board: bool = False
) -> T:
    """Read a text that could not be read as one that was pasted from elsewhere.

    Raises the first fault if it is none. What noughts writes itself never comes here.
    """
    found = pasted(text, is_board=is_board)
    if found.text == text:
        raise fault
    try:
        return read(found.text)
    except NotationError as error:
        raise found.blame(error) from None


def pasted(text: str, *, is_board: bool = False) -> Pasted:
    """Return a text in the form that noughts writes; in a board there are no moves to look for.

    >>> pasted("1. B2 a1 2. c3").text
    '3x3x3 b2 a1 c3'
    >>> pasted('["XOX","O O","XOX"]').text
    'XOX/O.O/XOX'
    >>> pasted("http://127.0.0.1:8000/#game=4x4x3+b2+%7C+a1&panel=game").text
    '4x4x3 b2 | a1'
    """
    marked = _of_link(list(zip(text, range(len(text)), strict=True)))
    board = _board(marked)
    if board is not None:
        marked = board
    elif is_board:
        marked = _plain_name(marked)
    else:
        marked = _with_start(list(_plain_words(marked)))
    return Pasted("".join(c for c, _ in marked), tuple(at for _, at in marked), text)


_Marked = list[tuple[str, int]]  # characters, each with its place in what was pasted


def _string(marked: _Marked) -> str:
    return "".join(char for char, _ in marked)


# -- links -------------------------------------------------------------------------------


def _of_link(marked: _Marked) -> _Marked:
    """Return a text with the game of a link to the page, decoded, in place of the link."""
    text = _string(marked)
    field = re.search(r"[?#](?:[^?#\s]*&)?game=([^&#\s]*)\S*", text)
    if field is None:
        return marked
    start = field.start()
    if text[:start] and not text[start - 1].isspace():
        start -= len(text[:start].split()[-1])
    decoded: _Marked = []
    for part in re.finditer(r"(?:%[0-9A-Fa-f]{2})+|.", field[1]):
        found = part.group()
        if len(found) > 1:
            found = unquote_to_bytes(found).decode("utf-8", "replace")
        at = marked[field.start(1) + part.start()][1]
        decoded += [(" " if char == "+" else char, at) for char in found]
    return marked[:start] + decoded + marked[field.end() :]


# -- boards ------------------------------------------------------------------------------

_QUOTED = re.compile(r"""(["'])(.*?)\1""")
_LATTICE = re.compile(r"(?=.*[+┼╋])[\s|+│┼┃╋=\-_─━]+|\s*(?:[=─━]{2,}|-{2,}|_{2,})\s*")
_ROW = re.compile(r"[\sXOxo.0_·\-|│┃]+")
_SAME = str.maketrans({"x": "X", "o": "O", " ": ".", "_": ".", "-": ".", "·": "."})


def _board(marked: _Marked) -> _Marked | None:
    """Return a board that is a list, or drawn on several lines; None if it is neither."""
    text = _string(marked)
    rows = _listed_rows(text) if text.lstrip()[:1] == "[" else _drawn_rows(text)
    if rows is None:
        return None
    board: _Marked = []
    for row in rows:
        if board:
            board.append(("/", board[-1][1]))
        board += [(text[at].translate(_SAME), marked[at][1]) for at in row]
    return board


def _listed_rows(text: str) -> list[list[int]] | None:
    """Return the places of the cells in each row of a list of strings, or of a list of lists."""
    if _QUOTED.sub("", text).translate(dict.fromkeys(map(ord, "[], \n\r\t;"))):
        return None
    strings = list(_QUOTED.finditer(text))
    lists = list(re.finditer(r"\[[^\[\]]*\]", text))
    if text.count("[") == 1:
        return [list(range(*row.span(2))) for row in strings] or None
    return [
        [
            at
            for cell in strings
            if inner.start() < cell.start() < inner.end()
            for at in range(*cell.span(2))
        ]
        for inner in lists
    ] or None


def _drawn_rows(text: str) -> list[list[int]] | None:
    """Return the places of the cells in each row of a board that is drawn on several lines."""
    drawn = list(re.finditer(r"[^\r\n]+", text))
    lines = [line for line in drawn if not _LATTICE.fullmatch(line[0])]
    if any("-" in line[0] or "_" in line[0] for line in lines):
        lines = drawn  # strokes are empty cells
    width = max((len(line[0]) for line in lines if line[0].strip()), default=0)
    lines = [line for line in lines if line[0].strip() or len(line[0]) == width]
    if len(lines) < 2 or not all(_ROW.fullmatch(line[0]) for line in lines):
        return None
    if any(re.search(r"[|│┃]", line[0]) for line in lines):
        return [_between_bars(line) for line in lines]
    indent = min(len(line[0]) - len(line[0].lstrip()) for line in lines if line[0].strip())
    rows = [list(range(line.start() + indent, line.end())) for line in lines]
    # Is a space the gap between two marks, or an empty cell? It is a gap if there is one behind
    # every mark, and empty cells have a sign of their own. Without such signs a square is a square.
    cells = ["".join(text[at] for at in row) for row in rows]
    has_gaps = all(len(row) % 2 and not row[1::2].strip() for row in cells)
    has_signs = not any(" " in row[::2] for row in cells)
    is_square = all(len(row) == len(rows) for row in cells)
    return [row[::2] for row in rows] if has_gaps and (has_signs or not is_square) else rows


def _between_bars(line: re.Match[str]) -> list[int]:
    """Return the places of the cells of a row whose cells have bars between them."""
    parts = list(re.finditer(r"[^|│┃]+", line.group()))
    places = []
    for part in parts:
        marks = [at for at, char in enumerate(part.group()) if not char.isspace()]
        inner = marks or [len(part.group()) // 2]
        places += [line.start() + part.start() + at for at in inner]
    return places


# -- words -------------------------------------------------------------------------------

_NUMBER = re.compile(r"[1-9]\d*(?:\.+|\))(?=$|[A-Za-z])")
_NAME = re.compile(r"(?:\d+[xX×]\d+[xX×]\d+|ultimate[-a-z]*)(?=$|:)", re.IGNORECASE)
_MOVE = re.compile(r"[A-Za-z]{1,2}\d+|[A-Ia-i]{2}")


def _plain_name(marked: _Marked) -> _Marked:
    """Return a text whose grid, if it begins with one, is written as usual."""
    name = _NAME.match(_string(marked))
    small = name.end() if name else 0
    return [*((_small(char), at) for char, at in marked[:small]), *marked[small:]]


def _small(char: str) -> str:
    return char.lower().replace("×", "x")


def _plain_words(marked: _Marked) -> Iterator[tuple[str, int]]:
    """Yield the characters of words without the numbers of moves, and without capitals."""
    text = _string(marked)
    end = 0
    for word in re.finditer(r"[^\s,]+", text):
        yield from marked[end : word.start()]
        end = word.end()
        number = _NUMBER.match(word.group())
        begin = word.start() + (number.end() if number else 0)
        rest = text[begin:end]
        if not rest:  # the number of a move goes, with the space behind it
            end += len(text[end:]) - len(text[end:].lstrip())
            continue
        name = _NAME.match(rest)
        small = name.end() if name else len(rest) if _MOVE.fullmatch(rest) else 0
        for char, at in marked[begin : begin + small]:
            yield _small(char), at
        yield from marked[begin + small : end]
    yield from marked[end:]


def _with_start(marked: _Marked) -> _Marked:
    """Put the game in front of moves that come without one."""
    first = next((word for word in re.split(r"[\s,]+", _string(marked)) if word), "")
    if not _MOVE.fullmatch(first):
        return marked
    start = "ultimate" if first.isalpha() else "3x3x3"
    return [*((char, 0) for char in f"{start} "), *marked]
