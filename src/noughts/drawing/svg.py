"""Boards as SVG: coordinates, last move, winning line, values; light, dark or either.

They look like the board on the page: the same colours (`colours.py`) and the same shapes. Marks
are shapes, not letters of a font. Every colour is an ordinary attribute, so that any
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

from noughts.drawing.colours import COLOURS
from noughts.drawing.diagram import LETTERS, Diagram, require_diagram
from noughts.drawing.text import draw_text
from noughts.errors import NotationError, brief, whole_number

__all__ = ["Theme", "draw_svg"]

CELL = 48
MARGIN = 26
GAP = 18
CAPTION = 30
MAX_HEIGHT = 1_000_000
CORNER = 7  # radius
REACH = 0.25  # of an X from its middle, of the side of its square
ROUND = 0.27  # radius of an O
PEN = 0.1 * CELL  # that draws marks
HATCH = 12  # between the lines through a full block that neither side owns
CAPTION_CHARACTER = 7.5  # about the width of one, in a common font


class Theme(StrEnum):
    """The background a picture is drawn for; `AUTO` follows the reader's preference."""

    LIGHT = "light"
    DARK = "dark"
    AUTO = "auto"


_USED = (
    "paper",
    "card",
    "shade",
    "ink",
    "muted",
    "edge",
    "accent",
    "accent-tint",
    "x",
    "x-tint",
    "o",
    "o-tint",
    "last",
)
"""The colours of boards."""


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
        shade = "dark" if theme is Theme.DARK else "light"
        self.colours = {name: getattr(COLOURS[name], shade) for name in _USED}
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

    def fill(self, colour: str) -> str:
        """Return the attributes that fill a shape with a colour."""
        return f'class="f-{colour}" fill="{self.colours[colour]}"'

    def stroke(self, colour: str, width: float) -> str:
        """Return the attributes that outline a shape in a colour."""
        return (
            f'class="s-{colour}" fill="none" stroke="{self.colours[colour]}" '
            f'stroke-width="{width:g}" stroke-linecap="round"'
        )

    def text(
        self, x: float, y: float, content: str, *, size: int, colour: str = "muted", style: str = ""
    ) -> str:
        """Return centred text."""
        return (
            f'<text x="{x:g}" y="{y:g}" {self.fill(colour)} font-size="{size}" '
            f'text-anchor="middle" dominant-baseline="central"{style}>{escape(content)}</text>'
        )

    def square(self, x: float, y: float, side: float, radius: float = 0) -> str:
        """Return the attributes of a square, with round corners if there is a radius."""
        corners = f' rx="{radius:g}"' if radius else ""
        return f'x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}"{corners}'

    def mark(self, mark: str, x: int, y: int, side: int, width: float) -> str:
        """Return an X or O around the middle of a square, drawn with a pen of a width."""
        if mark == "O":
            radius = ROUND * side
            return f'<circle cx="{x}" cy="{y}" r="{radius:g}" {self.stroke("o", width)}/>'
        reach = REACH * side
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
        parts.append(f'<rect width="100%" height="100%" {self.fill("paper")}/>')
        for layer in (
            self.grounds,
            self.last_move,
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

    def grounds(self) -> Iterator[str]:
        """Yield what lies below the cells: blocks tell who owns them and whether they are open."""
        if not self.blocks:
            yield f'<rect {self.frame()} rx="{CORNER}" {self.fill("card")}/>'
            return
        for block, owner in enumerate(self.diagram.owners or ""):
            colour = f"{owner.lower()}-tint" if owner in "XO" else self.ground_of(block)
            square = self.square(*self.block_corner(block), 3 * CELL, CORNER)
            yield f"<rect {square} {self.fill(colour)}/>"
            if owner == "#":
                yield f'<path d="{self.hatch(block)}" {self.stroke("edge", 1)}/>'

    def ground_of(self, block: int) -> str:
        """Return the colour of a block that has no owner."""
        if block not in self.diagram.playable:
            return "shade"
        return "accent-tint" if len(self.diagram.playable) == 1 else "card"

    def last_move(self) -> Iterator[str]:
        """Yield the background of the last move; none in a block whose large mark it would hide."""
        last, owners = self.diagram.last, self.diagram.owners
        if last is None:
            return
        x, y = self.centre(last)
        half = CELL // 2
        if not owners or owners[self.diagram.block(last)] not in "XO":
            square = self.square(x - half + 2, y - half + 2, CELL - 4, 3)
            yield f"<rect {square} {self.fill('last')}/>"
        # A corner as well, for readers who do not see the colour.
        yield f'<path d="M{x - half + 2} {y - half + 2}h10l-10 10z" {self.fill("ink")}/>'

    def lattice(self) -> Iterator[str]:
        """Yield the lines between cells, and the frames of blocks."""
        if not self.blocks:
            path = self.hash(0, 0, self.diagram.rows, self.diagram.cols)
            yield f'<path d="{path}" {self.stroke("edge", 1.5)}/>'
            yield f'<rect {self.frame()} rx="{CORNER}" {self.stroke("edge", 1.5)}/>'
            return
        is_forced = len(self.diagram.playable) == 1
        for block in range(9):
            row, col = block // 3 * 3, block % 3 * 3
            yield f'<path d="{self.hash(row, col, 3, 3)}" {self.stroke("edge", 1.5)}/>'
            playable = block in self.diagram.playable
            colour, width = ("accent", 4 if is_forced else 2.5) if playable else ("edge", 1.5)
            square = self.square(*self.block_corner(block), 3 * CELL, CORNER)
            yield f"<rect {square} {self.stroke(colour, width)}/>"

    def frame(self) -> str:
        """Return the attributes of the rectangle around all cells."""
        width, height = self.diagram.cols * CELL, self.diagram.rows * CELL
        return f'x="{self.x(0)}" y="{self.y(0)}" width="{width}" height="{height}"'

    def hatch(self, block: int) -> str:
        """Return the path of slanted lines through a block."""
        x, y = self.block_corner(block)
        side = 3 * CELL
        lines = []
        for at in range(HATCH, 2 * side, HATCH):
            near, far = max(0, at - side), min(at, side)
            lines.append(f"M{x + near} {y + far}L{x + far} {y + near}")
        return "".join(lines)

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
            colour = "accent" if block in self.diagram.playable else "muted"
            yield self.text(x + 6, y - 9, LETTERS[block], size=13, colour=colour)
        for cell, mark in enumerate(self.diagram.marks):
            playable = self.diagram.block(cell) in self.diagram.playable
            if mark == "." and playable and cell not in self.diagram.values:
                x, y = self.centre(cell)
                yield self.text(x, y, LETTERS[cell // 9 % 3 * 3 + cell % 3], size=12)

    def marks(self) -> Iterator[str]:
        """Yield the marks, fainter in blocks that are decided, and the values of empty cells."""
        owners = self.diagram.owners
        for cell, mark in enumerate(self.diagram.marks):
            if mark == ".":
                continue
            shape = self.mark(mark, *self.centre(cell), CELL, PEN)
            decided = owners and owners[self.diagram.block(cell)] != "."
            yield f'<g opacity="0.35">{shape}</g>' if decided else shape
        for cell, label in self.diagram.values.items():
            if self.diagram.marks[cell] == ".":
                size = max(4, min(15, int(1.6 * CELL / max(len(label), 1))))
                # What is estimated and not proved is slanted, as on the page.
                style = ' font-style="italic"' if label.endswith(("%", "?")) else ""
                yield self.text(*self.centre(cell), label, size=size, colour="ink", style=style)

    def captures(self) -> Iterator[str]:
        """Yield a large mark on every captured block, faint where one may still play."""
        for block, owner in enumerate(self.diagram.owners or ""):
            if owner in "XO":
                x, y = self.block_corner(block)
                half = 3 * CELL // 2
                is_open = block in self.diagram.playable
                pen = (1.4 if is_open else 2.6) * PEN
                shape = self.mark(owner, x + half, y + half, 4 * CELL, pen)
                yield f'<g opacity="0.5">{shape}</g>' if is_open else shape

    def strikes(self) -> Iterator[str]:
        """Yield a stroke through every completed line."""
        for line in self.diagram.lines:
            if self.blocks:
                ends = [self.block_corner(block) for block in (line[0], line[-1])]
                half = 3 * CELL // 2
                (x1, y1), (x2, y2) = ((x + half, y + half) for x, y in ends)
            else:
                (x1, y1), (x2, y2) = self.centre(line[0]), self.centre(line[-1])
            reach = 0.36 if not self.blocks else 1.3
            dx, dy = _sign(x2 - x1) * CELL * reach, _sign(y2 - y1) * CELL * reach
            path = f"M{x1 - dx:g} {y1 - dy:g}L{x2 + dx:g} {y2 + dy:g}"
            # Thinner than the marks, so that each of them is still seen on both sides of it.
            pen = (1.3 if self.blocks else 0.5) * PEN
            yield f'<path d="{path}" {self.stroke("ink", pen)}/>'


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
        f".noughts-auto .f-{name}{{fill:{COLOURS[name].dark}}}"
        f".noughts-auto .s-{name}{{stroke:{COLOURS[name].dark}}}"
        for name in _USED
    )
    return f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
