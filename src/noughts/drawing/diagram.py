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
    values: Mapping[int, str] = field(default_factory=dict)  # short, per empty cell: W3, D, 61%
    owners: str | None = None  # one of X, O, # and . per block
    playable: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Check what a caller may give."""
        rows, cols, marks = self.rows, self.cols, self.marks
        if not (type(rows) is type(cols) is int and rows > 0 < cols):  # the short way for ints
            rows, cols = whole_number(rows, "rows", least=1), whole_number(cols, "cols", least=1)
        cells = rows * cols
        if not isinstance(marks, str) or len(marks) != cells or marks.strip("XO."):
            message = f"a picture has {brief(cells)} marks, each X, O or '.'"
            raise NotationError(message, marks if isinstance(marks, str) else "")
        if not isinstance(self.caption, str):
            raise NotationError(f"a caption must be text, not {brief(self.caption)}")
        places = cells
        if self.owners is not None:
            places, owners = 9, self.owners
            is_text = isinstance(owners, str)
            if cells != 81 or not is_text or len(owners) != 9 or owners.strip("XO#."):
                raise SizeError("a picture with owners has nine rows of nine cells and nine owners")
        for labels, size in ((self.col_labels, cols), (self.row_labels, rows)):
            if not _is_tuple_of(str, labels) or len(labels) not in (0, size):
                raise SizeError(f"labels are a tuple of {brief(size)} texts, not {brief(labels)}")
        lines = self.lines if isinstance(self.lines, tuple) else (self.lines,)
        for line in (*lines, self.playable):
            if not _is_tuple_of(int, line) or (line and not 0 <= min(line) <= max(line) < places):
                raise SizeError(f"lines are tuples of 0 to {brief(places - 1)}, not {brief(line)}")
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


def _is_tuple_of(kind: type, values: object) -> bool:
    return isinstance(values, tuple) and {*map(type, values)} <= {kind}


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
