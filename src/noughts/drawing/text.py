"""Boards as text: roomy where it fits the width, else compact, else one character a cell.

::

        a   b   c            a b c d            roomy and compact; the last move stands in
    1  [X]│ O │          1   X O . .            (round) and completed lines in [square]
       ───┼───┼───       2   .(X). .            brackets
    2     │[X]│ O        3   O . . .
       ───┼───┼───
    3     │   │[X]
"""

from __future__ import annotations

from dataclasses import dataclass

from noughts.drawing.diagram import Diagram

__all__ = ["draw_text"]


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """The characters of a style."""

    empty: str
    across: str
    down: str
    cross: str


_UNICODE = _Glyphs(empty="·", across="─", down="│", cross="┼")
_ASCII = _Glyphs(empty=".", across="-", down="|", cross="+")

_COLOURS = {"X": "\x1b[1;34m", "O": "\x1b[1;31m"}  # bold blue and red: readable on both grounds
_RESET = "\x1b[0m"


def draw_text(
    diagram: Diagram, *, ascii_only: bool = False, width: int = 80, colour: bool = False
) -> str:
    """Return the picture as lines of text, at most `width` wide where that is possible.

    >>> marks = "XO..X.O.."
    >>> print(draw_text(Diagram(3, 3, marks, "3x3x3, X to move", tuple("abc"), tuple("123"))))
        a   b   c
    1   X │ O │
       ───┼───┼───
    2     │ X │
       ───┼───┼───
    3   O │   │
    3x3x3, X to move
    """
    glyphs = _ASCII if ascii_only else _UNICODE
    if diagram.owners is not None:
        lines = _blocks(diagram, diagram.owners, glyphs)
    else:
        lines = _roomy(diagram, glyphs)
        if max(map(len, lines)) > width:
            lines = _compact(diagram, glyphs)
        if max(map(len, lines)) > width:
            lines = _dense(diagram, glyphs)
    picture = "\n".join(line.rstrip() for line in lines)
    if colour:
        for mark, code in _COLOURS.items():
            picture = picture.replace(mark, f"{code}{mark}{_RESET}")
    return f"{picture}\n{diagram.caption}"


def _cell(diagram: Diagram, cell: int, empty: str) -> str:
    mark = diagram.marks[cell]
    return diagram.values.get(cell, empty) if mark == "." else mark


def _value_width(diagram: Diagram) -> int:
    return max((len(label) for label in diagram.values.values()), default=1)


def _brackets(diagram: Diagram) -> dict[int, str]:
    """Return the pair of brackets for each cell that stands in some."""
    brackets = {}
    if diagram.last is not None:
        brackets[diagram.last] = "()"
    if diagram.owners is None:
        brackets |= {cell: "[]" for line in diagram.lines for cell in line}
    return brackets


def _row(diagram: Diagram, cells: range, empties: dict[int, str], width: int) -> str:
    """Return neighbouring cells in one row, one character apart, brackets where due."""
    brackets = _brackets(diagram)
    text = [" "]
    for cell in cells:
        content = _cell(diagram, cell, empties.get(cell, " "))
        pair = brackets.get(cell)
        if pair and width == 1:  # the brackets take the place of the spaces around
            text[-1:] = [pair[0], content, pair[1]]
        elif pair:
            text += [f"{pair[0]}{content}{pair[1]}".center(width), " "]
        else:
            text += [content.center(width), " "]
    return "".join(text)


def _roomy(diagram: Diagram, glyphs: _Glyphs) -> list[str]:
    width = max(_value_width(diagram), *map(len, diagram.col_labels))
    gutter = max(map(len, diagram.row_labels)) + 2
    rule = " " * gutter + glyphs.cross.join([glyphs.across * (width + 2)] * diagram.cols)
    lines = [" " * gutter + " ".join(label.center(width + 2) for label in diagram.col_labels)]
    for row, label in enumerate(diagram.row_labels):
        first = row * diagram.cols
        cells = (
            _row(diagram, range(cell, cell + 1), {}, width)
            for cell in range(first, first + diagram.cols)
        )
        lines += [label.rjust(gutter - 2) + "  " + glyphs.down.join(cells), rule]
    return lines[:-1]


def _compact(diagram: Diagram, glyphs: _Glyphs) -> list[str]:
    width = max(_value_width(diagram), *map(len, diagram.col_labels))
    gutter = max(map(len, diagram.row_labels)) + 1
    lines = [" " * (gutter + 1) + " ".join(label.center(width) for label in diagram.col_labels)]
    for row, label in enumerate(diagram.row_labels):
        cells = range(row * diagram.cols, (row + 1) * diagram.cols)
        empties = dict.fromkeys(cells, glyphs.empty)
        lines.append(label.rjust(gutter - 1) + " " + _row(diagram, cells, empties, width))
    return lines


def _dense(diagram: Diagram, glyphs: _Glyphs) -> list[str]:
    gutter = max(map(len, diagram.row_labels)) + 1
    ruler = "".join(label.ljust(10) for label in diagram.col_labels[::10])
    lines = [" " * gutter + ruler]
    marks = diagram.marks.replace(".", glyphs.empty)
    for row, label in enumerate(diagram.row_labels):
        cells = marks[row * diagram.cols : (row + 1) * diagram.cols]
        lines.append(f"{label.rjust(gutter - 1)} {cells}")
    return lines


def _blocks(diagram: Diagram, owners: str, glyphs: _Glyphs) -> list[str]:
    """Draw nine blocks; empty cells show only where the side to move may play.

    A key beside it names the blocks, and the cells in a block, by the same letters, and
    shows who holds what; a block that must be played in stands in brackets.
    """
    width = _value_width(diagram)
    empties = {
        row * 9 + col: glyphs.empty
        for row in range(9)
        for col in range(9)
        if diagram.block(row, col) in diagram.playable
    }
    rule = glyphs.cross.join([glyphs.across * (3 * width + 4)] * 3)
    lines = []
    for row in range(9):
        blocks = (
            _row(diagram, range(cell, cell + 3), empties, width)
            for cell in range(row * 9, row * 9 + 9, 3)
        )
        line = glyphs.down.join(blocks)
        if row % 3 == 1:
            line += "    " + "".join(_key(diagram, owners, row // 3 * 3 + i) for i in range(3))
        lines += [line, rule] if row in (2, 5) else [line]
    return lines


def _key(diagram: Diagram, owners: str, block: int) -> str:
    owner = owners[block]
    name = "abcdefghi"[block] if owner == "." else owner
    if diagram.playable == (block,) or any(block in line for line in diagram.lines):
        return f" [{name}]"
    return f"  {name} "
