"""A Board is any marks on a grid, whether or not a game leads there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from noughts.drawing import Diagram, draw_svg, draw_text
from noughts.drawing.diagram import require_labels
from noughts.errors import NotationError, SizeError, brief, whole_number
from noughts.rules.grid import Grid, cells_of, grid_of, require_drawable
from noughts.rules.grid_notation import column_name, read_marks, write_marks
from noughts.rules.pasted import read_again

__all__ = ["Board"]


@dataclass(frozen=True)
class Board:
    """Marks on a grid: two masks, `x` and `o`.

    >>> board = Board.parse("3x3x3:XX./OO./...")
    >>> board[0], board[2], board.rows
    ('X', '.', ['XX.', 'OO.', '...'])
    """

    grid: Grid
    x: int = 0
    o: int = 0

    def __post_init__(self) -> None:
        require_drawable(self.grid)
        require_masks(self.x, self.o, self.grid.cells, self.grid)

    @classmethod
    def parse(
        cls, text: str | Sequence[str], grid: Grid | None = None, *, k: int | None = None
    ) -> Board:
        """Read rows of marks: ``XX./OO./...``, a list of strings, or ``3x3x3:XX./OO./...``.

        The grid may stand in front of the text or be given. Otherwise its size is that of
        the text, and `k` (default 3) marks in a row win. A board that was drawn on several
        lines, or pasted as a list, is read as well.
        """
        if not isinstance(text, str):
            return cls._read(text, grid, k)
        try:
            return cls._read(text, grid, k)
        except NotationError as fault:
            return read_again(text, fault, lambda form: cls._read(form, grid, k), is_board=True)

    @classmethod
    def _read(cls, text: str | Sequence[str], grid: Grid | None, k: int | None) -> Board:
        offset = 0
        if isinstance(text, str) and ":" in text:
            name, _, rest = text.partition(":")
            offset = len(name) + 1
            named = Grid.parse(name)
            if grid not in (None, named):
                raise NotationError(f"the board says {named} where {grid} is expected", text, 0)
            grid = named
            body: str | Sequence[str] = rest
        else:
            body = text
        try:
            rows, cols, x, o = read_marks(body)
        except NotationError as error:
            if not offset or error.offset is None:
                raise
            raise NotationError(error.message, str(text), error.offset + offset) from None
        if grid is None:
            wanted = 3 if k is None else whole_number(k, "k", least=1)
            grid = grid_of(rows, cols, wanted)
        elif not isinstance(grid, Grid):
            raise SizeError(f"a grid is needed, not {brief(grid)}")
        elif (grid.rows, grid.cols) != (rows, cols):
            size = f"{rows} rows of {cols}"
            whole = text if isinstance(text, str) else "/".join(text)
            raise NotationError(f"the board has {size}, which is not {grid}", whole, offset)
        if k not in (None, grid.k):
            raise NotationError(f"k is {brief(k)}, but the grid is {grid}")
        return cls(grid, x, o)

    @property
    def rows(self) -> list[str]:
        """The rows as strings of ``X``, ``O`` and ``.``."""
        return write_marks(self.x, self.o, self.grid.rows, self.grid.cols)

    @property
    def text(self) -> str:
        """The board as text that names its grid: ``3x3x3:XX./OO./...``."""
        return f"{self.grid}:{'/'.join(self.rows)}"

    def __repr__(self) -> str:
        return f"Board.parse({self.text!r})"

    def __getitem__(self, cell: int) -> str:
        """Return the mark on a cell: ``X``, ``O`` or ``.``."""
        self.grid.require_cell(cell)
        return "X" if self.x >> cell & 1 else "O" if self.o >> cell & 1 else "."

    def put(self, cell: int, mark: str) -> Board:
        """Return the board with `mark` (``X``, ``O``, or ``.`` to erase) on `cell`."""
        if not isinstance(mark, str) or mark not in ("X", "O", "."):
            raise NotationError(f"a mark is X, O or '.', not {brief(mark)}")
        bit = 1 << self.grid.require_cell(cell)
        x, o = self.x & ~bit, self.o & ~bit
        return Board(self.grid, x | bit if mark == "X" else x, o | bit if mark == "O" else o)

    def to_json(self) -> dict[str, object]:
        """Return the board as plain data for JSON."""
        return {"grid": str(self.grid), "rows": self.rows}

    @classmethod
    def from_json(cls, data: object) -> Board:
        """Read what `to_json` wrote; fields other than ``grid`` and ``rows`` are ignored."""
        if not isinstance(data, Mapping) or not {"grid", "rows"} <= data.keys():
            raise NotationError(f"a board in JSON has grid and rows, not {brief(data)}")
        return cls.parse(data["rows"], Grid.parse(data["grid"]))

    # -- drawing -------------------------------------------------------------------------

    def diagram(
        self, *, last: int | None = None, values: Mapping[int, str] | None = None
    ) -> Diagram:
        """Describe the board for drawing, with the last move and labels per cell if given."""
        return grid_diagram(self.grid, self.x, self.o, last=last, values=values)

    def __str__(self) -> str:
        return draw_text(self.diagram())

    def _repr_svg_(self) -> str:
        return draw_svg(self.diagram())


def require_masks(x: int, o: int, cells: int, board: object) -> None:
    """Raise if these cannot be the masks of X and of O on a board with this number of cells."""
    for name, mask in (("x", x), ("o", o)):
        if isinstance(mask, bool) or not isinstance(mask, int) or mask < 0:
            raise SizeError(f"{name} must be a mask, a whole number from 0 on, not {brief(mask)}")
        if mask.bit_length() > cells:
            raise SizeError(f"{name} has a mark outside the board, which is {board}")
    if x & o:
        raise SizeError(f"cell {cells_of(x & o)[0]} holds both an X and an O")


def grid_diagram(
    grid: Grid,
    x: int,
    o: int,
    *,
    last: int | None = None,
    values: Mapping[int, str] | None = None,
    caption: str = "",
) -> Diagram:
    """Describe marks on a grid for drawing, with every completed line."""
    # A picture with thousands of lines would be unreadable, so 64 for each side are enough.
    lines = []
    for mask in (x, o):
        if grid.has_line(mask):
            for line, _ in zip(grid.lines_in(mask), range(64), strict=False):
                lines.append(line)
    return Diagram(
        rows=grid.rows,
        cols=grid.cols,
        marks="".join(write_marks(x, o, grid.rows, grid.cols)),
        col_labels=tuple(column_name(col) for col in range(grid.cols)),
        row_labels=tuple(str(row + 1) for row in range(grid.rows)),
        lines=tuple(lines),
        last=last,
        values=dict(require_labels(values)),
        caption=caption or str(grid),
    )
