"""The board of the search: what every line holds, updated move by move.

A line that holds marks of one side only is *open* to that side; an empty one is open to both,
and one with marks of both is closed for good. What matters in play, for any k, is how many
cells the open lines have to go::

    k = 5     . X X X X      one to go: X completes it, or O must block
              . X . X X      two to go: X can make a threat here, whichever cell X takes
              . . . X .      four to go: worth a little

So the board keeps, for each side, the lists of lines with one and with two to go, the weight
of all its open lines, and for each cell the weight of the open lines through it. A mark
changes the lines through one cell only, at most 4k. `take_back` undoes what `place` does.

A line also keeps the sum of the numbers of its empty cells. With one to go, that sum is the
empty cell, which so needs no search.
"""

from __future__ import annotations

from typing import NamedTuple

from noughts.kernels import NDArray, bare_kernel, np  # isort: skip  - says which extra is missing

from noughts.errors import LimitExceeded
from noughts.rules.grid import Grid

__all__ = [
    "EMPTY",
    "MAX_CELLS",
    "NOWHERE",
    "ONE_TO_GO",
    "TWO_TO_GO",
    "Board",
    "Layout",
    "completions",
    "layout_of",
    "new_board",
    "place",
    "set_up",
    "take_back",
]

MAX_CELLS = 1024
EMPTY = 2  # a cell's mark: 0 and 1 are the sides
NOWHERE = -1  # no cell
ONE_TO_GO, TWO_TO_GO = 0, 1  # indices of the lists of lines
_CLOSED = -1  # instead of a number of marks
_STEPS = 11  # a line with this many cells to go, or more, weighs least; keeps sums within 32 bits


class Layout(NamedTuple):
    """A grid in arrays, for kernels."""

    cells: int
    k: int
    lines: NDArray[np.int32]  # [line, i]: its cells
    first: NDArray[np.int32]  # [cell]: where in `through` its lines begin
    through: NDArray[np.int32]
    line_weight: NDArray[np.int32]  # [marks + 1]: of an open line; [0]: of a closed one
    tie_break: NDArray[np.int64]  # [cell]: decides between cells of equal weight
    by_tie_break: NDArray[np.int64]  # [tie-break]: its cell
    keys: NDArray[np.int64]  # [half, side, cell]: what a mark adds to the hash


class Board(NamedTuple):
    """Marks, and what the search derives from them."""

    mark: NDArray[np.int8]  # [cell]
    held: NDArray[np.int32]  # [side, line]: how many marks
    empty_sum: NDArray[np.int64]  # [line]: the sum of its empty cells' numbers
    near: NDArray[np.int32]  # [side, ONE_TO_GO or TWO_TO_GO, i]: open lines, in any order
    near_count: NDArray[np.int64]  # [side, ONE_TO_GO or TWO_TO_GO]
    slot: NDArray[np.int32]  # [side, line]: where in `near` it is
    cell_weight: NDArray[np.int32]  # [side, cell]: the weight of the open lines through a cell
    total_weight: NDArray[np.int64]  # [side]: the weight of all open lines
    open_lines: NDArray[np.int64]  # [side]: their number
    hash: NDArray[np.int64]  # [half]: 128 bits, so that no two positions share them


def layout_of(grid: Grid, seed: int = 0) -> Layout:
    """Return the layout of a grid; the seed decides between cells of equal weight."""
    cells, k = grid.cells, grid.k
    if cells > MAX_CELLS:
        most = f"at most {MAX_CELLS:,} cells can be searched, and {grid} has {cells:,}"
        raise LimitExceeded(f"the board is too large: {most}")
    k = min(k, cells + 1)  # a larger k changes nothing but the size of the arrays
    lines = np.array(grid.lines, np.int32).reshape(-1, k)
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(grid.lines):
        for cell in line:
            through[cell].append(number)
    line_weight = np.zeros(k + 2, np.int32)
    for marks in range(k):
        line_weight[marks + 1] = 4 ** max(min(k, _STEPS) - (k - marks), 0)
    rng = np.random.default_rng([seed, cells])
    tie_break = rng.permutation(cells)
    return Layout(
        cells=cells,
        k=k,
        lines=lines,
        first=np.cumsum([0, *map(len, through)]).astype(np.int32),
        through=np.array([line for each in through for line in each], np.int32),
        line_weight=line_weight,
        tie_break=tie_break,
        by_tie_break=np.argsort(tie_break),
        keys=rng.integers(-(2**63), 2**63, (2, 2, cells), np.int64),
    )


def new_board(layout: Layout) -> Board:
    """Return an uninitialised board: `set_up` puts a position on it."""
    cells, lines = layout.cells, len(layout.lines)
    return Board(
        mark=np.zeros(cells, np.int8),
        held=np.zeros((2, lines), np.int32),
        empty_sum=np.zeros(lines, np.int64),
        near=np.zeros((2, 2, lines), np.int32),
        near_count=np.zeros((2, 2), np.int64),
        slot=np.zeros((2, lines), np.int32),
        cell_weight=np.zeros((2, cells), np.int32),
        total_weight=np.zeros(2, np.int64),
        open_lines=np.zeros(2, np.int64),
        hash=np.zeros(2, np.int64),
    )


@bare_kernel
def set_up(layout: Layout, board: Board, marks: NDArray[np.int8]) -> None:
    """Put a position on the board."""
    for cell in range(layout.cells):
        board.mark[cell] = EMPTY
    for half in range(2):
        board.hash[half] = 0
    for side in range(2):
        board.total_weight[side] = board.open_lines[side] = 0
        board.near_count[side, ONE_TO_GO] = board.near_count[side, TWO_TO_GO] = 0
        for cell in range(layout.cells):
            board.cell_weight[side, cell] = 0
    for line in range(len(layout.lines)):
        board.empty_sum[line] = 0
        for i in range(layout.k):
            board.empty_sum[line] += layout.lines[line, i]
        for side in range(2):
            board.held[side, line] = 0
            _update_line(layout, board, side, line, _CLOSED, 0)
    for cell in range(layout.cells):
        if marks[cell] != EMPTY:
            place(layout, board, int(marks[cell]), cell)


@bare_kernel
def place(layout: Layout, board: Board, side: int, cell: int) -> None:
    """Put a mark on an empty cell."""
    board.mark[cell] = side
    _update_lines(layout, board, side, cell, 1)


@bare_kernel
def take_back(layout: Layout, board: Board, side: int, cell: int) -> None:
    """Remove a mark."""
    board.mark[cell] = EMPTY
    _update_lines(layout, board, side, cell, -1)


@bare_kernel
def _update_lines(layout: Layout, board: Board, side: int, cell: int, step: int) -> None:
    """Add a mark to the lines through its cell (step 1), or remove it from them (step -1)."""
    other = 1 - side
    board.hash[0] ^= layout.keys[0, side, cell]
    board.hash[1] ^= layout.keys[1, side, cell]
    for i in range(layout.first[cell], layout.first[cell + 1]):
        line = int(layout.through[i])
        before, theirs = int(board.held[side, line]), int(board.held[other, line])
        after = before + step
        board.empty_sum[line] -= step * cell
        board.held[side, line] = after
        if theirs == 0:
            _update_line(layout, board, side, line, before, after)
        if before == 0 or after == 0:
            was, now = (theirs, _CLOSED) if before == 0 else (_CLOSED, theirs)
            _update_line(layout, board, other, line, was, now)


@bare_kernel
def _update_line(
    layout: Layout, board: Board, side: int, line: int, before: int, after: int
) -> None:
    """Change the number of marks that an open line holds, to or from `_CLOSED` too."""
    gain = layout.line_weight[after + 1] - layout.line_weight[before + 1]
    if gain != 0:
        board.total_weight[side] += gain
        for i in range(layout.k):
            board.cell_weight[side, layout.lines[line, i]] += gain
    if before == _CLOSED:
        board.open_lines[side] += 1
    elif before >= layout.k - 2 and before < layout.k:
        _remove_from_list(board, side, layout.k - 1 - before, line)
    if after == _CLOSED:
        board.open_lines[side] -= 1
    elif after >= layout.k - 2 and after < layout.k:
        _add_to_list(board, side, layout.k - 1 - after, line)


@bare_kernel
def _add_to_list(board: Board, side: int, kind: int, line: int) -> None:
    at = board.near_count[side, kind]
    board.near[side, kind, at] = line
    board.slot[side, line] = at
    board.near_count[side, kind] = at + 1


@bare_kernel
def _remove_from_list(board: Board, side: int, kind: int, line: int) -> None:
    """Remove a line from its list; the last one moves into its place."""
    at = board.slot[side, line]
    last = board.near_count[side, kind] - 1
    moved = board.near[side, kind, last]
    board.near[side, kind, at] = moved
    board.slot[side, moved] = at
    board.near_count[side, kind] = last


@bare_kernel
def completions(board: Board, side: int) -> tuple[int, int]:
    """Return two cells where the side completes a line; NOWHERE in place of missing ones."""
    first = NOWHERE
    for i in range(board.near_count[side, ONE_TO_GO]):
        cell = board.empty_sum[board.near[side, ONE_TO_GO, i]]
        if first == NOWHERE:
            first = cell
        elif cell != first:
            return first, cell
    return first, NOWHERE
