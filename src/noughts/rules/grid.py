"""A rows x cols board with k in a row: geometry only, no marks.

A set of cells is one Python int, the bit for a cell being its number::

    3x3x3     0 1 2        "XX./..O/..." is  X = 0b000_000_011
              3 4 5                          O = 0b000_100_000
              6 7 8

A line goes from its first cell in steps of one fixed number: 1 across, `cols` down,
`cols + 1` and `cols - 1` along the diagonals. To find all lines in a set at once, the whole
set is shifted and intersected with itself, doubling the length of the runs each time::

    runs of 1:  m
    runs of 2:  a = m & (m >> step)
    runs of 4:  b = a & (a >> 2*step)         bit c of b: cells c, c+step, c+2*step, c+3*step
    runs of 5:      b & (b >> step)

A run found so may wrap around the board's edge; keeping only the bits where a line can
start drops exactly those. No list of lines is needed, so boards may have a million cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from noughts.errors import NotationError, SizeError, brief, whole_number
from noughts.rules.symmetry import Symmetry, symmetries

__all__ = [
    "MAX_CELLS",
    "Direction",
    "Grid",
    "cells_of",
    "grid_named",
    "grid_of",
    "mask_of",
    "require_drawable",
]


def cells_of(mask: int) -> list[int]:
    """Return the cells of a mask in ascending order.

    >>> cells_of(0b10110)
    [1, 2, 4]
    """
    digits = bin(mask)[:1:-1]  # least significant first; finding them keeps huge masks linear
    cells = []
    cell = digits.find("1")
    while cell >= 0:
        cells.append(cell)
        cell = digits.find("1", cell + 1)
    return cells


def mask_of(cells: Iterable[int]) -> int:
    """Return the mask of some cells.

    >>> bin(mask_of([1, 2, 4]))
    '0b10110'
    """
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask


MAX_SIZE = 10**100
"""The largest rows, cols and k: far beyond any board, and still printable."""

MAX_CELLS = 100_000_000
"""The largest board that can hold marks; a mask of that size takes 12.5 MB."""

_TABLE_CELLS = 9  # 512 sets: a table is built quickly, and faster than a search


@dataclass(frozen=True)
class Direction:
    """One of the ways a line can run: rows down and columns right per step.

    `rows` and `cols` are where such lines can start; the rows always from the top.
    """

    down: int
    right: int
    rows: range
    cols: range
    grid: Grid

    @cached_property
    def step(self) -> int:
        """The difference between neighbouring cell numbers."""
        return self.down * self.grid.cols + self.right

    @cached_property
    def starts(self) -> int:
        """The mask of all cells where a line can start."""
        return _repeat(_bits(self.cols), self.grid.cols, len(self.rows))

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """The shifts that turn runs of length 1 into runs of length k."""
        shifts = []
        length = 1
        while length < self.grid.k:
            more = min(length, self.grid.k - length)
            shifts.append(more * self.step)
            length += more
        return tuple(shifts)

    def find(self, mask: int) -> int:
        """Return the first cells of all lines inside `mask`."""
        for shift in self.shifts:
            mask &= mask >> shift
        return mask & self.starts

    def cover(self, starts: int) -> int:
        """Return all cells of the lines that begin at `starts`."""
        for shift in self.shifts:
            starts |= starts << shift
        return starts

    def line(self, start: int) -> tuple[int, ...]:
        """Return the cells of the line that begins at `start`."""
        return tuple(range(start, start + self.grid.k * self.step, self.step))


@dataclass(frozen=True)
class Grid:
    """A rows x cols board on which k in a row win.

    >>> grid = Grid(4, 4, 3)
    >>> print(grid, len(grid.lines), grid.lines[0])
    4x4x3 24 (0, 1, 2)
    """

    rows: int
    cols: int
    k: int

    def __post_init__(self) -> None:
        for name in ("rows", "cols", "k"):
            size = getattr(self, name)
            if type(size) is int and 0 < size <= MAX_SIZE:
                continue
            object.__setattr__(self, name, whole_number(size, name, least=1, most=MAX_SIZE))

    @classmethod
    def parse(cls, text: str) -> Grid:
        """Read ``4x4x3``: rows, cols and k.

        >>> Grid.parse("4x5x3")
        Grid(4, 5, 3)
        """
        if not isinstance(text, str):
            raise NotationError(f"a grid is text like 4x4x3, not {brief(text)}")
        sizes = [""]
        for offset, char in enumerate(text):
            if char in "0123456789":
                sizes[-1] += char
            elif char == "x" and sizes[-1] and len(sizes) < 3:
                sizes.append("")
            else:
                message = f"a grid is ROWSxCOLSxK, like 4x4x3, not {brief(text)}"
                raise NotationError(message, text, offset)
        if len(sizes) < 3 or not sizes[-1]:
            message = f"a grid is ROWSxCOLSxK, like 4x4x3, not {brief(text)}"
            raise NotationError(message, text, len(text))
        offset = 0
        for name, size in zip(("rows", "cols", "k"), sizes, strict=True):
            if len(size) > 101 or not 1 <= int(size) <= MAX_SIZE:
                message = f"{name} of a grid must be 1 to 10^100, not {brief(size)}"
                raise NotationError(message, text, offset)
            offset += len(size) + 1
        return grid_of(*map(int, sizes))

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}x{self.k}"

    def __repr__(self) -> str:
        return f"Grid({self.rows}, {self.cols}, {self.k})"

    def __reduce__(self) -> tuple[type[Grid], tuple[int, int, int]]:
        return Grid, (self.rows, self.cols, self.k)  # without what is cached

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.rows * self.cols

    @cached_property
    def full(self) -> int:
        """The mask of all cells."""
        return (1 << self.cells) - 1

    def cell(self, row: int, col: int) -> int:
        """Return the number of the cell at `row` and `col`, both from 0."""
        row = whole_number(row, f"a row of {self}", most=self.rows - 1)
        return row * self.cols + whole_number(col, f"a column of {self}", most=self.cols - 1)

    def require_cell(self, cell: int) -> int:
        """Return `cell` if it is a cell number of this grid, else raise."""
        return whole_number(cell, f"a cell of {self}", most=self.cells - 1)

    # -- lines ---------------------------------------------------------------------------

    @cached_property
    def directions(self) -> tuple[Direction, ...]:
        """The directions in which this grid has lines: across, down, and both diagonals."""
        rows, cols, k = self.rows, self.cols, self.k
        top, left, right = range(rows - k + 1), range(cols - k + 1), range(k - 1, cols)
        candidates = [
            Direction(0, 1, range(rows), left, self),
            Direction(1, 0, top, range(cols), self),
            Direction(1, 1, top, left, self),
            Direction(1, -1, top, right, self),
        ]
        if k == 1:  # all four give the same one-cell lines
            del candidates[1:]
        return tuple(d for d in candidates if d.rows and d.cols)

    def has_line(self, mask: int) -> bool:
        """Return whether the cells of `mask` contain a line."""
        table = self.line_table
        try:
            if table is not None:
                return table[mask]
            return mask.bit_count() >= self.k and any(d.find(mask) for d in self.directions)
        except (AttributeError, IndexError, TypeError):  # free if there is no error
            raise _not_a_mask(mask, self) from None

    @cached_property
    def line_table(self) -> tuple[bool, ...] | None:
        """Whether a set of cells contains a line, for every set; None on all but small boards."""
        if self.cells > _TABLE_CELLS:
            return None
        return tuple(any(d.find(mask) for d in self.directions) for mask in range(1 << self.cells))

    def line_cells(self, mask: int) -> int:
        """Return the mask of all cells that lie on a line inside `mask`."""
        covered = 0
        if not isinstance(mask, int):
            raise _not_a_mask(mask, self)
        for direction in self.directions:
            covered |= direction.cover(direction.find(mask))
        return covered

    def lines_in(self, mask: int) -> Iterator[tuple[int, ...]]:
        """Yield the lines inside `mask`, direction by direction."""
        if not isinstance(mask, int):
            raise _not_a_mask(mask, self)
        for direction in self.directions:
            for start in cells_of(direction.find(mask)):
                yield direction.line(start)

    def shared_cells(self, mask: int) -> int:
        """Return the cells that lie on every line inside `mask`; all of `mask` if it has none.

        This is quick on any board: at most 4k lines share a cell, so after more lines than
        that the intersection is empty and the search stops.
        """
        table = self.shared_table
        try:
            return self._find_shared(mask) if table is None else table[mask]
        except (IndexError, TypeError):
            raise _not_a_mask(mask, self) from None

    @cached_property
    def shared_table(self) -> tuple[int, ...] | None:
        """The `shared_cells` of every set of cells; None on all but small boards."""
        if self.cells > _TABLE_CELLS:
            return None
        return tuple(map(self._find_shared, range(1 << self.cells)))

    def _find_shared(self, mask: int) -> int:
        shared = mask
        for direction in self.directions:
            starts = direction.find(mask)
            while starts and shared:
                first = starts & -starts
                starts ^= first
                shared &= direction.cover(first)
        return shared

    @cached_property
    def lines(self) -> tuple[tuple[int, ...], ...]:
        """Every line, as tuples of cells; on huge boards a long list, which `has_line` avoids."""
        return tuple(
            direction.line(row * self.cols + col)
            for direction in self.directions
            for row in direction.rows
            for col in direction.cols
        )

    @cached_property
    def line_masks(self) -> tuple[int, ...]:
        """The mask of every line, in the order of `lines`."""
        return tuple(map(mask_of, self.lines))

    @property
    def line_count(self) -> int:
        """The number of lines, without listing them."""
        return sum(len(d.rows) * len(d.cols) for d in self.directions)

    def lines_through(self, cell: int) -> tuple[tuple[int, ...], ...]:
        """Return the lines that contain `cell`.

        >>> Grid(3, 3, 3).lines_through(1)
        ((0, 1, 2), (1, 4, 7))
        """
        row, col = divmod(self.require_cell(cell), self.cols)
        found = []
        for direction in self.directions:
            for back in range(self.k - 1, -1, -1):
                first_row, first_col = row - back * direction.down, col - back * direction.right
                if first_row in direction.rows and first_col in direction.cols:
                    found.append(direction.line(first_row * self.cols + first_col))
        return tuple(found)

    def masks_through(self, cell: int) -> tuple[int, ...]:
        """Return the masks of the lines that contain `cell`."""
        return tuple(map(mask_of, self.lines_through(cell)))

    # -- symmetry ------------------------------------------------------------------------

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The rotations and reflections that map the board to itself."""
        return symmetries(self.rows, self.cols)


def _not_a_mask(mask: object, grid: Grid) -> SizeError:
    return SizeError(f"a mask of cells of {grid} is needed, not {brief(mask)}")


def require_drawable(grid: Grid) -> None:
    """Raise if this is not a grid, or if it is too large for masks."""
    if not isinstance(grid, Grid):
        raise SizeError(f"a grid is needed, not {brief(grid)}")
    if grid.cells > MAX_CELLS:
        raise SizeError(f"a {grid} board has {grid.cells:,} cells; the limit is {MAX_CELLS:,}")


def grid_named(grid: Grid | str) -> Grid:
    """Return a grid that is given itself or by its name."""
    return grid if isinstance(grid, Grid) else Grid.parse(grid)


def grid_of(rows: int, cols: int, k: int) -> Grid:
    """Return the Grid of these sizes, the same object each time, so that its caches pay off."""
    try:
        return _known_grid(rows, cols, k)
    except TypeError:  # not hashable; Grid raises the right error
        return Grid(rows, cols, k)


@lru_cache(maxsize=1024, typed=True)  # typed: True must not pass for a cached 1
def _known_grid(rows: int, cols: int, k: int) -> Grid:
    return Grid(rows, cols, k)


def _bits(positions: range) -> int:
    """Return the mask of a run of consecutive bit positions."""
    return ((1 << len(positions)) - 1) << positions.start


def _repeat(row: int, stride: int, times: int) -> int:
    """Return `row` written `times` times, `stride` bits apart."""
    done = 1
    while done < times:
        more = min(done, times - done)  # overlapping copies agree, so OR is safe
        row |= row << (more * stride)
        done += more
    return row
