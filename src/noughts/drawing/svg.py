"""Boards as SVG: coordinates, last move, winning line, values; light, dark or either.

Marks are shapes, not letters of a font. Every colour is an ordinary attribute, so that any
viewer shows the picture; the theme ``auto`` adds a style that swaps the colours for readers
who prefer dark. Its class names are the same in every picture, so that several pictures in
one page do not interfere. The description is the board as text.

The layout, in units of one cell (`CELL`)::

      margin   a   b   c
             ┌───┬───┬───┐        pictures with blocks have a gap between the blocks,
           1 │ X │   │   │        which holds the blocks' letters
             ├───┼───┼───┤
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from html import escape as escape_html

from noughts.drawing.diagram import LETTERS, Diagram, require_diagram
from noughts.drawing.text import draw_text
from noughts.errors import NotationError, brief, whole_number

__all__ = ["Theme", "draw_svg"]

CELL = 48
MARGIN = 26
GAP = 18
CAPTION = 30
MAX_HEIGHT = 1_000_000
CAPTION_CHARACTER = 7.5  # about the width of one, in a common font


class Theme(StrEnum):
    """The background a picture is drawn for; `AUTO` follows the reader's preference."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


# Colours by role; text and marks have a contrast of at least 4.5:1 to their background. Small
# marks in captured boards are faint on purpose: they no longer matter.
_LIGHT = {
    "ground": "#ffffff",
    "grid": "#8794a3",
    "label": "#52606d",
    "x": "#0b5cad",
    "o": "#b3261e",
    "last": "#ffe9a8",
    "forced": "#e3f1e3",
    "frame": "#1d7a36",
    "drawn": "#e4e7eb",
    "strike": "#1f2933",
}
_DARK = {
    "ground": "#14181d",
    "grid": "#66727f",
    "label": "#b6c0ca",
    "x": "#6cb2ff",
    "o": "#ff9587",
    "last": "#4a3f10",
    "forced": "#16301c",
    "frame": "#58c977",
    "drawn": "#2b323a",
    "strike": "#f5f7fa",
}


def draw_svg(diagram: Diagram, *, theme: Theme | str = Theme.AUTO, size: int | None = None) -> str:
    """Return the picture as an SVG document; `size` is its height in pixels.

    >>> picture = draw_svg(Diagram(1, 2, "X.", "1x2x2, O to move", ("a", "b"), ("1",)))
    >>> picture.startswith("<svg ") and "1x2x2, O to move" in picture
    True
    """
    require_diagram(diagram)
    if size is not None:
        whole_number(size, "the size of a picture", least=1, most=MAX_HEIGHT)
    if not isinstance(theme, str) or theme not in tuple(Theme):
        raise NotationError(f"a theme is one of {', '.join(Theme)}, not {brief(theme)}")
    return _Painter(diagram, Theme(theme)).document(size)


class _Painter:
    """Draws one picture."""

    def __init__(self, diagram: Diagram, theme: Theme) -> None:
        self.diagram = diagram
        self.theme = theme
        self.colours = _DARK if theme is Theme.DARK else _LIGHT
        self.blocks = diagram.owners is not None
        self.left = MARGIN
        width = self.x(diagram.cols - 1) + CELL + MARGIN
        # A board that is narrower than its caption is centred above it.
        self.width = max(width, int(len(diagram.caption) * CAPTION_CHARACTER) + MARGIN)
        self.left += (self.width - width) // 2
        self.height = self.y(diagram.rows - 1) + CELL + CAPTION

    # -- places --------------------------------------------------------------------------

    def x(self, col: int) -> int:
        """Return the left edge of a column."""
        return self.left + col * CELL + (col // 3 * GAP if self.blocks else 0)

    def y(self, row: int) -> int:
        """Return the top edge of a row."""
        return MARGIN + row * CELL + (row // 3 * GAP if self.blocks else 0)

    def centre(self, cell: int) -> tuple[int, int]:
        """Return the middle of a cell."""
        row, col = divmod(cell, self.diagram.cols)
        return self.x(col) + CELL // 2, self.y(row) + CELL // 2

    def block_corner(self, block: int) -> tuple[int, int]:
        """Return the top left corner of a block."""
        return self.x(block % 3 * 3), self.y(block // 3 * 3)

    # -- elements ------------------------------------------------------------------------

    def fill(self, role: str) -> str:
        """Return the attributes that fill a shape in the colour of a role."""
        return f'class="f-{role}" fill="{self.colours[role]}"'

    def stroke(self, role: str, width: float) -> str:
        """Return the attributes that outline a shape in the colour of a role."""
        return (
            f'class="s-{role}" fill="none" stroke="{self.colours[role]}" '
            f'stroke-width="{width:g}" stroke-linecap="round"'
        )

    def text(self, x: float, y: float, content: str, *, size: int, role: str = "label") -> str:
        """Return centred text."""
        return (
            f'<text x="{x:g}" y="{y:g}" {self.fill(role)} font-size="{size}" '
            f'text-anchor="middle" dominant-baseline="central">{escape(content)}</text>'
        )

    def mark(self, mark: str, x: int, y: int, reach: float, width: float) -> str:
        """Return an X or O around a middle."""
        if mark == "O":
            return f'<circle cx="{x}" cy="{y}" r="{reach:g}" {self.stroke("o", width)}/>'
        west, east, north, south = x - reach, x + reach, y - reach, y + reach
        path = f"M{west:g} {north:g}L{east:g} {south:g}M{east:g} {north:g}L{west:g} {south:g}"
        return f'<path d="{path}" {self.stroke("x", width)}/>'

    # -- layers, from the bottom up ------------------------------------------------------

    def document(self, size: int | None) -> str:
        """Return the whole document."""
        caption = self.diagram.caption
        scale = size / self.height if size else 1
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width * scale:g}" height="{self.height * scale:g}" '
            f'role="img" class="noughts noughts-{self.theme}" '
            'font-family="system-ui, sans-serif">',
            f"<title>{escape(caption)}</title>",
            f"<desc>{escape(draw_text(self.diagram, ascii_only=True))}</desc>",
        ]
        if self.theme is Theme.AUTO:
            parts.append(_dark_style())
        parts.append(f'<rect width="100%" height="100%" {self.fill("ground")}/>')
        for layer in (
            self.tints,
            self.lattice,
            self.labels,
            self.marks,
            self.captures,
            self.strikes,
        ):
            parts += layer()
        middle = self.width / 2
        parts.append(self.text(middle, self.height - CAPTION / 2 + 2, caption, size=14))
        parts.append("</svg>")
        return "\n".join(parts) + "\n"

    def tints(self) -> Iterator[str]:
        """Yield the backgrounds of playable and drawn blocks and of the last move."""
        side = 3 * CELL
        everything = len(self.diagram.playable) == 9
        for block, owner in enumerate(self.diagram.owners or ""):
            x, y = self.block_corner(block)
            square = f'x="{x}" y="{y}" width="{side}" height="{side}"'
            if block in self.diagram.playable and not everything:
                yield f"<rect {square} {self.fill('forced')}/>"
            if owner == "#":
                yield f"<rect {square} {self.fill('drawn')}/>"
        if self.diagram.last is not None:
            x, y = self.centre(self.diagram.last)
            half = CELL // 2
            square = f'x="{x - half}" y="{y - half}" width="{CELL}" height="{CELL}"'
            yield f"<rect {square} {self.fill('last')}/>"
            # A corner as well, for readers who do not see the colour.
            yield f'<path d="M{x - half} {y - half}h12l-12 12z" {self.fill("strike")}/>'

    def lattice(self) -> Iterator[str]:
        """Yield the lines between cells, and the frames of blocks."""
        if not self.blocks:
            yield f'<path d="{self.hash(0, 0, self.diagram.rows, self.diagram.cols)}" ' + (
                f"{self.stroke('grid', 2)}/>"
            )
            return
        for block in range(9):
            row, col = block // 3 * 3, block % 3 * 3
            yield f'<path d="{self.hash(row, col, 3, 3)}" {self.stroke("grid", 1.5)}/>'
            x, y = self.block_corner(block)
            playable = block in self.diagram.playable
            role, width = ("frame", 4) if playable else ("grid", 1.5)
            yield (
                f'<rect x="{x}" y="{y}" width="{3 * CELL}" height="{3 * CELL}" '
                f"{self.stroke(role, width)}/>"
            )

    def hash(self, row: int, col: int, rows: int, cols: int) -> str:
        """Return the path of the lines inside a rectangle of cells."""
        left, top = self.x(col), self.y(row)
        down = "".join(f"M{left + c * CELL} {top}v{rows * CELL}" for c in range(1, cols))
        across = "".join(f"M{left} {top + r * CELL}h{cols * CELL}" for r in range(1, rows))
        return down + across

    def labels(self) -> Iterator[str]:
        """Yield coordinates: columns and rows, or the letters of blocks and of empty cells."""
        for col, label in enumerate(self.diagram.col_labels):
            yield self.text(self.x(col) + CELL / 2, MARGIN / 2, label, size=14)
        for row, label in enumerate(self.diagram.row_labels):
            size = 14 if len(label) < 3 else 11
            yield self.text(self.left - MARGIN / 2, self.y(row) + CELL / 2, label, size=size)
        if not self.blocks:
            return
        for block in range(9):
            x, y = self.block_corner(block)
            yield self.text(x + 6, y - 9, LETTERS[block], size=13)
        for cell, mark in enumerate(self.diagram.marks):
            playable = self.diagram.block(cell) in self.diagram.playable
            if mark == "." and playable and cell not in self.diagram.values:
                x, y = self.centre(cell)
                yield self.text(x, y, LETTERS[cell // 9 % 3 * 3 + cell % 3], size=12)

    def marks(self) -> Iterator[str]:
        """Yield the marks, and the values of empty cells."""
        captured = self.diagram.owners or ""
        for cell, mark in enumerate(self.diagram.marks):
            if mark == ".":
                continue
            x, y = self.centre(cell)
            shape = self.mark(mark, x, y, CELL * 0.29, 4.5)
            owned = captured and captured[self.diagram.block(cell)] in "XO"
            yield f'<g opacity="0.4">{shape}</g>' if owned else shape
        for cell, label in self.diagram.values.items():
            if self.diagram.marks[cell] == ".":
                x, y = self.centre(cell)
                size = max(4, min(15, int(1.6 * CELL / max(len(label), 1))))
                yield self.text(x, y, label, size=size, role="strike")

    def captures(self) -> Iterator[str]:
        """Yield a large mark on every captured block."""
        for block, owner in enumerate(self.diagram.owners or ""):
            if owner in "XO":
                x, y = self.block_corner(block)
                half = 3 * CELL // 2
                yield self.mark(owner, x + half, y + half, CELL * 1.1, 10)

    def strikes(self) -> Iterator[str]:
        """Yield a stroke through every completed line."""
        for line in self.diagram.lines:
            if self.blocks:
                ends = [self.block_corner(block) for block in (line[0], line[-1])]
                half = 3 * CELL // 2
                (x1, y1), (x2, y2) = ((x + half, y + half) for x, y in ends)
            else:
                (x1, y1), (x2, y2) = self.centre(line[0]), self.centre(line[-1])
            reach = 0.36 if not self.blocks else 1.2
            dx, dy = _sign(x2 - x1) * CELL * reach, _sign(y2 - y1) * CELL * reach
            path = f"M{x1 - dx:g} {y1 - dy:g}L{x2 + dx:g} {y2 + dy:g}"
            width = 9 if self.blocks else 5
            yield f'<path d="{path}" opacity="0.75" {self.stroke("strike", width)}/>'


def escape(text: str) -> str:
    """Return text for XML; characters that XML cannot hold are replaced."""
    return "".join(
        char if _is_xml(ord(char)) else "\N{REPLACEMENT CHARACTER}" for char in escape_html(text)
    )


def _is_xml(code: int) -> bool:
    if code < 0x20:
        return code in (0x9, 0xA, 0xD)
    return not (0xD800 <= code <= 0xDFFF or 0xFFFE <= code <= 0xFFFF)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _dark_style() -> str:
    """Return the style that swaps light colours for dark ones on a dark background."""
    rules = "".join(
        f".noughts-auto .f-{role}{{fill:{colour}}}.noughts-auto .s-{role}{{stroke:{colour}}}"
        for role, colour in _DARK.items()
    )
    return f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
