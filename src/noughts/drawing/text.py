"""Boards as text: roomy if it fits the width, else compact, else one character per cell.

::

        a   b   c            a b c d            roomy and compact; the last move stands in
    1  [X]│ O │          1   X O · ·            (round) and completed lines in [square]
       ───┼───┼───       2   ·(X)· ·            brackets
    2     │[X]│ O        3   O · · ·
       ───┼───┼───
    3     │   │[X]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from noughts.drawing.diagram import LETTERS, Diagram, require_diagram
from noughts.errors import whole_number

__all__ = ["draw_text"]


@dataclass(frozen=True, slots=True)
class _Glyphs:
    """The characters of a style."""

    empty: str
    across: str
    down: str
    cross: str
    unknown: str


_UNICODE = _Glyphs(empty="·", across="─", down="│", cross="┼", unknown="\N{REPLACEMENT CHARACTER}")
_ASCII = _Glyphs(empty=".", across="-", down="|", cross="+", unknown="?")

_COLOURS = {"X": "\x1b[1;34m", "O": "\x1b[1;31m"}  # bold blue and red: readable on light and dark
_RESET = "\x1b[0m"


def draw_text(
    diagram: Diagram,
    *,
    ascii_only: bool = False,
    width: int = 80,
    height: int | None = None,
    colour: bool = False,
) -> str:
    """Return the picture as lines of text, at most `width` wide where that is possible.

    A grid that would be higher than `height` is drawn without lines between its rows.

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
    require_diagram(diagram)
    whole_number(width, "the width of a picture")
    glyphs = _ASCII if ascii_only else _UNICODE
    sheet = _Sheet(diagram, glyphs)
    has_room = sheet.gutter + diagram.cols * (sheet.width + 3) <= width
    if height is not None:
        room = whole_number(height, "the height of a picture")
        has_room = has_room and 2 * diagram.rows + 1 <= room
    if diagram.owners is not None:
        lines = sheet.blocks(diagram.owners, width)
    elif len(diagram.marks) > 1 and has_room:
        lines = sheet.roomy()
    elif sheet.gutter + diagram.cols * (sheet.width + 1) + 1 <= width:
        lines = sheet.compact()
    else:
        lines = sheet.dense()
    picture = "\n".join(line.rstrip() for line in lines)
    if colour:
        for mark, code in _COLOURS.items():
            picture = picture.replace(mark, f"{code}{mark}{_RESET}")
    return f"{picture}\n{sheet.clean(diagram.caption)}"


class _Sheet:
    """Draws one picture: knows the content of each cell and the width of the cells."""

    def __init__(self, diagram: Diagram, glyphs: _Glyphs) -> None:
        self.diagram = diagram
        self.glyphs = glyphs
        self.values = {cell: self.clean(label) for cell, label in diagram.values.items()}
        longest = max(map(len, (*self.values.values(), *diagram.col_labels)), default=1)
        # Beside a label, a mark has its brackets inside its cell, which then needs three.
        self.width = 1 if longest <= 1 else max(longest, 3)
        self.rows = diagram.row_labels or ("",) * diagram.rows
        self.gutter = max(map(len, self.rows)) + 1
        self.brackets: dict[int, str] = {}
        if diagram.last is not None:
            self.brackets[diagram.last] = "()"
        if diagram.owners is None and diagram.lines:
            self.brackets |= {cell: "[]" for line in diagram.lines for cell in line}

    def clean(self, text: str) -> str:
        """Return text that is printed as one line, in characters that the style allows."""
        is_ascii = self.glyphs is _ASCII
        return "".join(
            char if char.isprintable() and (char.isascii() or not is_ascii) else self.glyphs.unknown
            for char in text
        )

    def content(self, cell: int, empty: str) -> str:
        """Return what stands in a cell: a mark, a label, or the sign for empty."""
        diagram = self.diagram
        if diagram.marks[cell] != ".":
            return diagram.marks[cell]
        if cell in self.values:
            return self.values[cell]
        if diagram.owners is None or diagram.block(cell) in diagram.playable:
            return empty
        return " "  # in Ultimate only cells that may be played show

    def run(self, cells: Sequence[int], empty: str) -> str:
        """Return neighbouring cells of a row, one character apart, with their brackets."""
        text = [" "]
        before: str | None = None
        for cell in cells:
            content = self.content(cell, empty)
            pair = self.brackets.get(cell)
            if (
                pair == "()"
                and self.width == 1
                and any(n in cells and self.brackets.get(n) == "[]" for n in (cell - 1, cell + 1))
            ):
                pair = None  # there is no room for both kinds between neighbours
            if pair and self.width == 1:  # the brackets take the place of the spaces around
                text[-1] = " " if pair == before else pair[0]
                text += [content, pair[1]]
            elif pair:
                text += [f"{pair[0]}{content}{pair[1]}".center(self.width), " "]
            else:
                text += [content.center(self.width), " "]
            before = pair
        return "".join(text)

    def _rows_of_cells(self) -> Iterator[tuple[str, range]]:
        cols = self.diagram.cols
        for row, label in enumerate(self.rows):
            yield label.rjust(self.gutter - 1), range(row * cols, (row + 1) * cols)

    def roomy(self) -> list[str]:
        """Draw lines between the cells."""
        diagram, glyphs = self.diagram, self.glyphs
        margin = " " * (self.gutter + 1)
        rule = margin + glyphs.cross.join([glyphs.across * (self.width + 2)] * diagram.cols)
        lines = [margin + " ".join(label.center(self.width + 2) for label in diagram.col_labels)]
        for label, cells in self._rows_of_cells():
            lines += [f"{label}  {glyphs.down.join(self.run([cell], ' ') for cell in cells)}", rule]
        return lines[:-1]

    def compact(self) -> list[str]:
        """Leave a space between the cells."""
        glyphs = self.glyphs
        names = " ".join(label.center(self.width) for label in self.diagram.col_labels)
        lines = [" " * (self.gutter + 1) + names]
        lines += [
            f"{label} {self.run(cells, glyphs.empty)}" for label, cells in self._rows_of_cells()
        ]
        return lines

    def dense(self) -> list[str]:
        """Leave nothing between the cells; marks only, and every tenth column named."""
        cols = self.diagram.cols
        marks = self.diagram.marks.replace(".", self.glyphs.empty)
        ruler = "".join(label.ljust(10) for label in self.diagram.col_labels[::10])[:cols]
        lines = [" " * self.gutter + ruler]
        for label, cells in self._rows_of_cells():
            lines.append(f"{label} {marks[cells.start : cells.stop]}")
        return lines

    def blocks(self, owners: str, width: int) -> list[str]:
        """Draw nine blocks, and where it fits a key beside them.

        The key has a block's letter or the mark of its owner; the block that must be played
        in stands in brackets.
        """
        glyphs = self.glyphs
        rule = glyphs.cross.join([glyphs.across * (3 * self.width + 4)] * 3)
        has_key = len(rule) + 16 <= width
        lines = []
        for row in range(9):
            starts = range(row * 9, row * 9 + 9, 3)
            line = glyphs.down.join(
                self.run(range(cell, cell + 3), glyphs.empty) for cell in starts
            )
            if has_key and row % 3 == 1:
                line += "    " + "".join(self._key(owners, row // 3 * 3 + i) for i in range(3))
            lines += [line, rule] if row in (2, 5) else [line]
        return lines

    def _key(self, owners: str, block: int) -> str:
        diagram = self.diagram
        name = LETTERS[block] if owners[block] == "." else owners[block]
        if diagram.playable == (block,) or any(block in line for line in diagram.lines):
            return f" [{name}]"
        return f"  {name} "
