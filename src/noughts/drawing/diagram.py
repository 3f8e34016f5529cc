"""What there is to draw, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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

    def block(self, cell: int) -> int:
        """Return the 3x3 block that a cell of a picture with blocks lies in."""
        return cell // 27 * 3 + cell % 9 // 3
