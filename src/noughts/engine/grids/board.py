"""A board as the search sees it: what every line holds, kept up to date move by move.

A line that holds marks of one side only is *open* to that side; an empty one is open to both,
and one with marks of both is closed for good. All that play is about can be read off open
lines, for any k, by how many cells they have to go::

    k = 5     . X X X X      one to go: X completes it, or O must block
              . X . X X      two to go: X can make a threat here, whichever cell X takes
              . . . X .      four to go: worth a little

So the board keeps, for each side, the lists of lines with one and with two to go, the weight
of all its open lines, and for each cell the weight of those through it: its *pull*. A mark
changes the lines through one cell only, 4k at most. Whatever `place` does `take_back` undoes.

A line also keeps the sum of the numbers of its empty cells. With one to go, that sum is the
cell, so nobody has to look for it.
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
_STEPS = 11  # from so many cells to go on, a line is worth the least; keeps sums within 32 bits


class Layout(NamedTuple):
    """A grid as kernels see it."""

    cells: int
    k: int
    lines: NDArray[np.int32]  # [line, i]: its cells
    first: NDArray[np.int32]  # [cell]: where in `through` its lines begin
    through: NDArray[np.int32]
    weight: NDArray[np.int32]  # [marks + 1]: of an open line; [0]: of a closed one
    taste: NDArray[np.int64]  # [cell]: which of two equal cells is tried first
    tasted: NDArray[np.int64]  # [taste]: the cell
    keys: NDArray[np.int64]  # [half, side, cell]: what a mark adds to the hash


class Board(NamedTuple):
    """Marks, and all that follows from them."""

    mark: NDArray[np.int8]  # [cell]
    held: NDArray[np.int32]  # [side, line]: how many marks
    rest: NDArray[np.int64]  # [line]: the sum of its empty cells' numbers
    near: NDArray[np.int32]  # [side, ONE_TO_GO or TWO_TO_GO, i]: open lines, in any order
    near_count: NDArray[np.int64]  # [side, ONE_TO_GO or TWO_TO_GO]
    slot: NDArray[np.int32]  # [side, line]: where in `near` it is
    pull: NDArray[np.int32]  # [side, cell]: the weight of the open lines through a cell
    total: NDArray[np.int64]  # [side]: the weight of all open lines
    alive: NDArray[np.int64]  # [side]: their number
    hash: NDArray[np.int64]  # [half]: 128 bits, so that no two positions share them


def layout_of(grid: Grid, seed: int = 0) -> Layout:
    """Return the layout of a grid; the seed decides between cells that look alike."""
    cells, k = grid.cells, grid.k
    if cells > MAX_CELLS:
        most = f"at most {MAX_CELLS:,} cells can be searched, and {grid} has {cells:,}"
        raise LimitExceeded(f"the board is too large: {most}")
    k = min(k, cells + 1)  # longer lines than any make no difference, but larger arrays
    lines = np.array(grid.lines, np.int32).reshape(-1, k)
    through: list[list[int]] = [[] for _ in range(cells)]
    for number, line in enumerate(grid.lines):
        for cell in line:
            through[cell].append(number)
    weight = np.zeros(k + 2, np.int32)
    for marks in range(k):
        weight[marks + 1] = 4 ** max(min(k, _STEPS) - (k - marks), 0)
    rng = np.random.default_rng([seed, cells])
    taste = rng.permutation(cells)
    return Layout(
        cells=cells,
        k=k,
        lines=lines,
        first=np.cumsum([0, *map(len, through)]).astype(np.int32),
        through=np.array([line for each in through for line in each], np.int32),
        weight=weight,
        taste=taste,
        tasted=np.argsort(taste),
        keys=rng.integers(-(2**63), 2**63, (2, 2, cells), np.int64),
    )


def new_board(layout: Layout) -> Board:
    """Return a board with nothing on it, not even lines: `set_up` puts a position there."""
    cells, lines = layout.cells, len(layout.lines)
    return Board(
        mark=np.zeros(cells, np.int8),
        held=np.zeros((2, lines), np.int32),
        rest=np.zeros(lines, np.int64),
        near=np.zeros((2, 2, lines), np.int32),
        near_count=np.zeros((2, 2), np.int64),
        slot=np.zeros((2, lines), np.int32),
        pull=np.zeros((2, cells), np.int32),
        total=np.zeros(2, np.int64),
        alive=np.zeros(2, np.int64),
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
        board.total[side] = board.alive[side] = 0
        board.near_count[side, ONE_TO_GO] = board.near_count[side, TWO_TO_GO] = 0
        for cell in range(layout.cells):
            board.pull[side, cell] = 0
    for line in range(len(layout.lines)):
        board.rest[line] = 0
        for i in range(layout.k):
            board.rest[line] += layout.lines[line, i]
        for side in range(2):
            board.held[side, line] = 0
            _change(layout, board, side, line, _CLOSED, 0)
    for cell in range(layout.cells):
        if marks[cell] != EMPTY:
            place(layout, board, int(marks[cell]), cell)


@bare_kernel
def place(layout: Layout, board: Board, side: int, cell: int) -> None:
    """Put a mark on an empty cell."""
    board.mark[cell] = side
    _count(layout, board, side, cell, 1)


@bare_kernel
def take_back(layout: Layout, board: Board, side: int, cell: int) -> None:
    """Take a mark off the board again."""
    board.mark[cell] = EMPTY
    _count(layout, board, side, cell, -1)


@bare_kernel
def _count(layout: Layout, board: Board, side: int, cell: int, step: int) -> None:
    """Count a mark in the lines through its cell, or with step -1 count it no more."""
    other = 1 - side
    board.hash[0] ^= layout.keys[0, side, cell]
    board.hash[1] ^= layout.keys[1, side, cell]
    for i in range(layout.first[cell], layout.first[cell + 1]):
        line = int(layout.through[i])
        before, theirs = int(board.held[side, line]), int(board.held[other, line])
        after = before + step
        board.rest[line] -= step * cell
        board.held[side, line] = after
        if theirs == 0:
            _change(layout, board, side, line, before, after)
        if before == 0 or after == 0:
            was, now = (theirs, _CLOSED) if before == 0 else (_CLOSED, theirs)
            _change(layout, board, other, line, was, now)


@bare_kernel
def _change(layout: Layout, board: Board, side: int, line: int, before: int, after: int) -> None:
    """Note that a line open to a side holds another number of its marks, or is now closed."""
    gain = layout.weight[after + 1] - layout.weight[before + 1]
    if gain != 0:
        board.total[side] += gain
        for i in range(layout.k):
            board.pull[side, layout.lines[line, i]] += gain
    if before == _CLOSED:
        board.alive[side] += 1
    elif before >= layout.k - 2 and before < layout.k:
        _unlist(board, side, layout.k - 1 - before, line)
    if after == _CLOSED:
        board.alive[side] -= 1
    elif after >= layout.k - 2 and after < layout.k:
        _list(board, side, layout.k - 1 - after, line)


@bare_kernel
def _list(board: Board, side: int, kind: int, line: int) -> None:
    at = board.near_count[side, kind]
    board.near[side, kind, at] = line
    board.slot[side, line] = at
    board.near_count[side, kind] = at + 1


@bare_kernel
def _unlist(board: Board, side: int, kind: int, line: int) -> None:
    """Drop a line from its list; the last one takes its place."""
    at = board.slot[side, line]
    last = board.near_count[side, kind] - 1
    moved = board.near[side, kind, last]
    board.near[side, kind, at] = moved
    board.slot[side, moved] = at
    board.near_count[side, kind] = last


@bare_kernel
def completions(board: Board, side: int) -> tuple[int, int]:
    """Return two cells in which the side completes a line, NOWHERE where there are fewer."""
    first = NOWHERE
    for i in range(board.near_count[side, ONE_TO_GO]):
        cell = board.rest[board.near[side, ONE_TO_GO, i]]
        if first == NOWHERE:
            first = cell
        elif cell != first:
            return first, cell
    return first, NOWHERE
