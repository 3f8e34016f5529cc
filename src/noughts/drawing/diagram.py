"""What there is to draw, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from noughts.errors import NotationError, SizeError, brief, require_text, whole_number

__all__ = ["LETTERS", "Diagram"]

LETTERS = "abcdefghi"
"""The names of the nine blocks of a picture with blocks, and of the nine cells in each."""


_BLOCK = tuple(cell // 27 * 3 + cell % 9 // 3 for cell in range(81))


@dataclass(frozen=True, slots=True)
class Diagram:
    """A picture of marks in cells, numbered row by row.

    With `owners` it is a picture of nine 3x3 blocks (Ultimate tic-tac-toe): `lines` and
    `playable` then number blocks, where otherwise `lines` number cells.
    """

    rows: int
    cols: int
    marks: str  # one of X, O and . per cell
    caption: str
    col_labels: tuple[str, ...] = ()
    row_labels: tuple[str, ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    last: int | None = None
    values: Mapping[int, str] = field(default_factory=dict)  # a short label per empty cell
    owners: str | None = None  # one of X, O, # and . per block
    playable: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check what a caller may give: the marks, the last move and the values."""
        rows, cols, marks = self.rows, self.cols, self.marks
        if not (type(rows) is type(cols) is int and rows > 0 < cols):  # the short way for ints
            rows, cols = whole_number(rows, "rows", least=1), whole_number(cols, "cols", least=1)
        cells = rows * cols
        if not isinstance(marks, str) or len(marks) != cells or marks.strip("XO."):
            raise NotationError(f"a picture has {cells} marks, each X, O or '.'", str(marks))
        if not isinstance(self.caption, str):
            raise NotationError(f"a caption must be text, not {brief(self.caption)}")
        if self.owners is not None and (cells != 81 or len(self.owners) != 9):
            raise SizeError("a picture with owners has nine rows of nine cells and nine owners")
        if self.last is not None:
            whole_number(self.last, "the last move", most=cells - 1)
        if self.values != {}:  # most pictures have none, and asking for a Mapping takes longer
            for cell, label in require_labels(self.values).items():
                whole_number(cell, "a move with a value", most=cells - 1)
                require_text(label, "the value of a move")

    def block(self, cell: int) -> int:
        """Return the 3x3 block that a cell of a picture with blocks lies in."""
        try:
            return _BLOCK[cell]
        except (IndexError, TypeError):
            raise SizeError(f"a cell is 0 to 80, not {brief(cell)}") from None


def require_labels(values: object) -> Mapping[int, str]:
    """Return the labels of moves, none for None, or raise if this is not a mapping."""
    if values is None:
        return {}
    if type(values) is dict:
        return values
    if not isinstance(values, Mapping):
        raise NotationError(f"values map moves to labels, not {brief(values)}")
    return values


def require_diagram(diagram: object) -> None:
    """Raise if this is not a `Diagram`."""
    if not isinstance(diagram, Diagram):
        raise SizeError(f"a diagram is needed, not {brief(diagram)}")
