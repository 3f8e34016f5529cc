"""What there is to draw, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from noughts.errors import NotationError, SizeError, brief, require_text, whole_number

__all__ = ["LETTERS", "Diagram"]

LETTERS = "abcdefghi"
"""The names of the nine blocks of a picture with blocks, and of the nine cells in each."""


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
        cells = whole_number(self.rows, "rows", least=1) * whole_number(self.cols, "cols", least=1)
        require_text(self.marks, "the marks of a picture")
        if len(self.marks) != cells or not set(self.marks) <= set("XO."):
            raise NotationError(f"a picture has {cells} marks, each X, O or '.'", self.marks)
        require_text(self.caption, "a caption")
        if self.owners is not None and (cells != 81 or len(self.owners) != 9):
            raise SizeError("a picture with owners has nine rows of nine cells and nine owners")
        if self.last is not None:
            whole_number(self.last, "the last move", most=cells - 1)
        for cell, label in require_labels(self.values).items():
            whole_number(cell, "a move with a value", most=cells - 1)
            require_text(label, "the value of a move")

    def block(self, cell: int) -> int:
        """Return the 3x3 block that a cell of a picture with blocks lies in."""
        cell = whole_number(cell, "a cell of nine blocks", most=80)
        return cell // 27 * 3 + cell % 9 // 3


def require_labels(values: object) -> Mapping[int, str]:
    """Return the labels of moves, none for None, or raise if this is not a mapping."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise NotationError(f"values map moves to labels, not {brief(values)}")
    return values


def require_diagram(diagram: object) -> None:
    """Raise if this is not a `Diagram`."""
    if not isinstance(diagram, Diagram):
        raise SizeError(f"a diagram is needed, not {brief(diagram)}")
