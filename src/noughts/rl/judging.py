"""`judge_many`: the verdicts on many boards at once.

The four conditions of `noughts.rules.verdict` on arrays. Boards of up to 64 cells become two words
each. On larger ones the marks are read where they are, cell by cell, with the lengths of the runs
that end there; and of the cells that the winner's lines may share a list is kept.
"""

from __future__ import annotations

from typing import Any, SupportsIndex

from noughts.kernels import NDArray, bare_kernel, kernel, match_cells, np  # isort: skip  - says which extra is missing

from noughts.errors import SizeError, brief, whole_number
from noughts.rl.bits import Bytes, Words
from noughts.rl.codes import DRAW, INVALID, O_WINS, X_WINS, Codes
from noughts.rl.grids import MAX_CELLS, Layout, has_line, layout_of
from noughts.rl.threads import in_parts, threads_of
from noughts.rules.grid import Grid, grid_of, require_drawable
from noughts.solving.bits import EMPTY, lowest, popcount

__all__ = ["judge_many", "marks_of"]

LEAST_BYTES = 1 << 16  # of boards for a thread
_WRONG = -2  # instead of a code: there is a cell that is neither empty nor X nor O

_EIGHT, _SIXTEEN = np.uint64(8), np.uint64(16)


def judge_many(
    boards: NDArray[np.int8], k: SupportsIndex = 3, *, threads: int | None = None
) -> Codes:
    """Return the verdicts on many boards, each as its place in ``list(noughts.Verdict)``.

    The boards are an array of int8 or uint8 with the shape (boards, rows, columns): 0 is an empty
    cell, 1 an X, 2 an O. `k` in a row win. Without `threads` all cores are used.

    >>> boards = np.array([[[1, 1, 1], [2, 2, 0], [0, 0, 0]], [[1, 1, 0], [0, 0, 0], [0, 0, 0]]])
    >>> from noughts import Verdict
    >>> [list(Verdict)[code].value for code in judge_many(boards.astype(np.int8))]
    ['X_wins', 'invalid']
    """
    cells, grid = _cells_of(boards, k)
    verdicts = np.empty(len(boards), np.int8)
    at_least = max(1, LEAST_BYTES // grid.cells)
    if grid.cells <= MAX_CELLS:
        layout = layout_of(grid)
        wrong = in_parts(
            lambda begin, end: _judge_small(layout, cells, verdicts, begin, end),
            *(len(boards), threads_of(threads), at_least),
        )
    else:
        wrong = in_parts(
            lambda begin, end: _judge_large(
                *(cells, grid.rows, grid.cols, min(grid.k, grid.cells + 1), verdicts, begin, end)
            ),
            *(len(boards), threads_of(threads), at_least),
        )
    _require_cells(boards, wrong)
    return verdicts


def marks_of(boards: NDArray[np.int8], k: SupportsIndex) -> tuple[Grid, NDArray[np.uint64]]:
    """Return the grid of boards of up to 64 cells, and of each board X's and O's marks as words."""
    cells, grid = _cells_of(boards, k)
    layout = layout_of(grid)
    marks = np.empty((len(boards), 2), np.uint64)
    wrong = _read_marks(layout, cells, marks.reshape(-1))
    _require_cells(boards, [wrong])
    return grid, marks


def _cells_of(boards: Any, k: SupportsIndex) -> tuple[Bytes, Grid]:
    """Return the cells of all boards in a row, and their grid."""
    if not isinstance(boards, np.ndarray) or boards.ndim != 3:
        shape = f"one of shape {boards.shape}" if isinstance(boards, np.ndarray) else brief(boards)
        raise SizeError(f"boards are an array of shape (boards, rows, columns), not {shape}")
    if boards.dtype not in (np.int8, np.uint8):
        raise SizeError(f"boards are an array of int8, not {boards.dtype}: use .astype(np.int8)")
    _, rows, cols = boards.shape
    grid = grid_of(
        whole_number(rows, "rows", least=1),
        whole_number(cols, "columns", least=1),
        whole_number(k, "k", least=1),
    )
    require_drawable(grid)
    return np.ascontiguousarray(boards).reshape(-1).view(np.uint8), grid


def _require_cells(boards: NDArray[np.int8], wrong: list[int]) -> None:
    """Raise for the first board with something else than 0, 1 and 2, of one in each part."""
    for board in wrong:
        if board >= 0:
            row, col = np.argwhere((boards[board] < 0) | (boards[board] > 2))[0]
            there = boards[board, row, col]
            raise SizeError(
                f"boards[{board}, {row}, {col}] is {there}; a cell is 0 (empty), 1 (X) or 2 (O)"
            )


# -- boards of up to 64 cells ----------------------------------------------------------------


@bare_kernel
def _find(source: Bytes, at: np.uint64, mark: int, cells: np.uint64) -> Any:
    """Return the cells of a board that hold a mark: 1 or 2, or 0 for the empty ones."""
    found = EMPTY
    if cells < _EIGHT:
        for cell in range(cells):
            found |= np.uint64(source[at + np.uint64(cell)] == mark) << np.uint64(cell)
        return found
    first = np.uint64(0)
    while first + _SIXTEEN <= cells:
        found |= match_cells(source, at + first, mark, 16) << first
        first += _SIXTEEN
    if first + _EIGHT <= cells:
        found |= match_cells(source, at + first, mark, 8) << first
    last = cells - _EIGHT  # may overlap what was found already
    return found | match_cells(source, at + last, mark, 8) << last


@kernel
def _judge_small(layout: Layout, source: Bytes, verdicts: Codes, begin: int, end: int) -> int:
    """Write the verdicts; return the first board that has another number than 0, 1 and 2, or -1."""
    cells = layout.cells
    for number in range(begin, end):
        i = np.uint64(number)
        x, o = _find(source, i * cells, 1, cells), _find(source, i * cells, 2, cells)
        if x | o | _find(source, i * cells, 0, cells) != layout.full:
            return number
        ahead = popcount(x) - popcount(o)
        verdict = INVALID
        if ahead == 0 or ahead == 1:
            x_line, o_line = has_line(x, layout), has_line(o, layout)
            if not (x_line or o_line):
                verdict = DRAW if x | o == layout.full else ahead
            elif x_line == o_line or x_line != (ahead == 1):
                verdict = INVALID
            elif _share_a_cell(x if x_line else o, layout):
                verdict = X_WINS if x_line else O_WINS
        verdicts[i] = verdict
    return -1


@bare_kernel
def _share_a_cell(mask: np.uint64, layout: Layout) -> bool:
    """Return whether all lines in a set have a cell in common."""
    shared = mask
    length = layout.shifts.shape[1]
    for direction in range(layout.starts.size):
        starts = mask
        for j in range(length):
            starts &= starts >> layout.shifts[direction, j]
        starts &= layout.starts[direction]
        while starts != EMPTY and shared != EMPTY:
            line = lowest(starts)
            starts ^= line
            for j in range(length):
                line |= line << layout.shifts[direction, j]
            shared &= line
    return bool(shared != EMPTY)


@kernel
def _read_marks(layout: Layout, source: Bytes, marks: Words) -> int:
    """Write the marks of each board as two words; return as `_judge_small` does."""
    cells = layout.cells
    for number in range(marks.size // 2):
        i = np.uint64(number)
        x, o = _find(source, i * cells, 1, cells), _find(source, i * cells, 2, cells)
        if x | o | _find(source, i * cells, 0, cells) != layout.full:
            return number
        marks[2 * number], marks[2 * number + 1] = x, o
    return -1


# -- larger boards ---------------------------------------------------------------------------


@kernel
def _judge_large(
    source: Bytes, rows: int, cols: int, k: int, verdicts: Codes, begin: int, end: int
) -> int:
    """Write the verdicts on boards of any size, as `_judge_small` does."""
    cells = rows * cols
    runs = np.empty((4, 2, cols), np.int64)  # [direction, row]: lengths of those that end there
    shared = np.empty(k, np.int64)  # the cells of the first line that all later ones have, too
    found = np.zeros(3, np.int64)  # lines of X and of O
    counts = np.zeros(3, np.int64)
    for number in range(begin, end):
        at = number * cells
        counts[:] = 0
        found[:] = 0
        common = 0
        for cell in range(cells):
            mark = source[at + cell]
            if mark > 2:
                return number
            counts[mark] += 1
            row, col = cell // cols, cell % cols
            for direction in range(4):
                length = 0
                if mark != 0:
                    length = 1
                    # Across, down, and down to the right and to the left.
                    up, left = (0, 1) if direction == 0 else (1, (0, 1, -1)[direction - 1])
                    before = col - left
                    is_inside = row >= up and 0 <= before < cols
                    if is_inside and source[at + cell - up * cols - left] == mark:
                        length += runs[direction, (row - up) % 2, before]
                runs[direction, row % 2, col] = length
                if length < k:
                    continue
                step = cols * up + left
                if found[1] + found[2] == 0:
                    for n in range(k):
                        shared[n] = cell - n * step
                    common = k
                else:
                    kept = 0
                    for n in range(common):
                        back = cell - shared[n]
                        if step != 0 and back >= 0 and back % step == 0 and back // step < k:
                            shared[kept] = shared[n]
                            kept += 1
                    common = kept
                found[mark] += 1
        verdicts[number] = _verdict(counts, found, common)
    return -1


@bare_kernel
def _verdict(counts: NDArray[np.int64], found: NDArray[np.int64], common: int) -> int:
    ahead = counts[1] - counts[2]
    if ahead != 0 and ahead != 1:
        return INVALID
    if found[1] + found[2] == 0:
        return DRAW if counts[0] == 0 else ahead
    if (found[1] > 0) == (found[2] > 0) or (found[1] > 0) != (ahead == 1) or common == 0:
        return INVALID
    return X_WINS if found[1] > 0 else O_WINS
