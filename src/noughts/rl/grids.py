"""The rules of grids of up to 64 cells for many boards at once, compiled.

The marks of a board are two words, X's and O's. Whether a set of cells contains a line is a bit
in a table on boards of up to 16 cells; on larger ones the set is shifted onto itself, as
`noughts.rules.grid` draws it.

The kernels of this module and those of `ultimate` have the same names and do the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from noughts.kernels import NDArray, bare_kernel, kernel, np, signed  # isort: skip  - says which extra is missing

from noughts.errors import LimitExceeded
from noughts.rl.bits import Bytes, Words, draw, first_word, write_cells
from noughts.rl.codes import (
    DRAW,
    NEXT_STEP,
    O_TURN,
    SAME_STEP,
    X_WINS,
    Codes,
    Flags,
    Moves,
    Rewards,
)
from noughts.rl.shapes import GRID_PLANES
from noughts.rules.grid import Grid, cells_of
from noughts.rules.position import GridPosition
from noughts.solving.bits import ONE, popcount

__all__ = ["MAX_CELLS", "Layout", "has_line", "layout_of", "nth_cell"]

MAX_CELLS = 64
TABLE_CELLS = 16  # a bit for each set of cells: 8 KiB, which stay in a processor's first cache

_TWO, _THREE, _FOUR, _SIX, _EIGHT = (np.uint64(n) for n in (2, 3, 4, 6, 8))
_FIVES, _THREES = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_NIBBLES, _ONE_EACH = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)
_HIGH_BITS = np.uint64(0x8080808080808080)
_LOW_SIX, _BYTE = np.uint64(63), np.uint64(255)


NTH_OF_BYTE = np.array(
    [(cells_of(byte) + [0] * 8)[n] for n in range(8) for byte in range(256)], np.uint64
)
"""[n * 256 + byte]: the n-th cell of eight."""


class Layout(NamedTuple):
    """A grid in arrays, for kernels."""

    cells: np.uint64
    full: np.uint64
    table: Words  # [set of cells]: whether it contains a line; empty on larger boards
    shifts: Words  # [direction, i]: what turns single cells into lines
    starts: Words  # [direction]: where lines can start


@lru_cache(maxsize=64)
def layout_of(grid: Grid) -> Layout:
    """Return the layout of a grid."""
    if grid.cells > MAX_CELLS:
        most = f"boards of up to {MAX_CELLS} cells can be batched; {grid} has {grid.cells:,}"
        raise LimitExceeded(most)
    directions = grid.directions
    layout = Layout(
        cells=np.uint64(grid.cells),
        full=np.uint64(grid.full),
        table=np.zeros(0, np.uint64),
        shifts=np.array([each.shifts for each in directions], np.uint64).reshape(
            len(directions), -1 if directions else 0
        ),
        starts=np.array([each.starts for each in directions], np.uint64),
    )
    if grid.cells > TABLE_CELLS:
        return layout
    sets = np.arange(1 << max(grid.cells, 6), dtype=np.uint32)
    lines = np.zeros(len(sets), bool)
    for line in grid.line_masks:
        lines |= sets & np.uint32(line) == line
    table = np.packbits(lines, bitorder="little").view("<u8").astype(np.uint64)
    return layout._replace(table=table)


@bare_kernel
def has_line(mask: np.uint64, layout: Layout) -> bool:
    """Return whether the cells of a set contain a line."""
    if layout.table.size > 0:
        return bool((layout.table[mask >> _SIX] >> (mask & _LOW_SIX)) & ONE)
    found = np.uint64(0)
    for direction in range(layout.starts.size):
        runs = mask
        for i in range(layout.shifts.shape[1]):
            runs &= runs >> layout.shifts[direction, i]
        found |= runs & layout.starts[direction]
    return bool(found != np.uint64(0))


@bare_kernel
def nth_cell(mask: np.uint64, n: np.uint64) -> Any:
    """Return the n-th cell of a set, counted from 0, without a branch (Vigna 2008).

    One multiplication adds up how many cells there are in the first bytes of the set, for each
    byte. Comparing all of these sums with n at once tells in which byte the cell is.
    """
    counts = mask - ((mask >> ONE) & _FIVES)
    counts = (counts & _THREES) + ((counts >> _TWO) & _THREES)
    counts = (counts + (counts >> _FOUR)) & _NIBBLES
    sums = counts * _ONE_EACH
    before = (((n * _ONE_EACH) | _HIGH_BITS) - sums) & _HIGH_BITS
    place = np.uint64(popcount(before)) << _THREE
    rest = n - (((sums << _EIGHT) >> place) & _BYTE)
    return place + NTH_OF_BYTE[((mask >> place) & _BYTE) | rest << _EIGHT]


# In the kernels below arrays have one dimension and indices no sign: compiled code would multiply
# and look for negative ones at each access. Board i has the marks 2 * i and 2 * i + 1.


@bare_kernel
def _is_free(x: np.uint64, o: np.uint64, action: np.uint64, cells: np.uint64) -> bool:
    """Return whether an action, of which a negative one is huge, is an empty cell."""
    return bool(action < cells) and not ((x | o) >> (action & _LOW_SIX)) & ONE


@kernel
def find_illegal(
    layout: Layout, marks: Words, verdicts: Codes, actions: Moves, begin: int, end: int
) -> int:
    """Return the first board whose action is illegal, or -1; finished games take any action."""
    for number in range(begin, end):
        i = np.uint64(number)
        x, o = marks[i * _TWO], marks[i * _TWO + ONE]
        if verdicts[i] <= O_TURN and not _is_free(x, o, np.uint64(actions[i]), layout.cells):
            return number
    return -1


@kernel
def step(
    layout: Layout,
    marks: Words,
    start: Words,
    final: Words,
    verdicts: Codes,
    rewards: Rewards,
    terminated: Flags,
    illegal: Flags,
    actions: Moves,
    observation: Bytes,
    mask: Bytes,
    autoreset: int,
    begin: int,
    end: int,
) -> None:
    """Play an action on each board; write the observations and masks for which there is room.

    A finished game takes no action: it stays, or with `NEXT_STEP` begins anew. An illegal action
    loses the game. With `SAME_STEP` a game that ends begins anew at once, and its last marks are
    kept in `final`. `start` are the marks to begin with.
    """
    start_side = popcount(start[0]) - popcount(start[1])
    for number in range(begin, end):
        i = np.uint64(number)
        at = i * _TWO
        x, o = marks[at], marks[at + ONE]
        verdict = signed(verdicts[i])
        reward = np.float32(0)  # of X
        is_illegal = False
        is_over = verdict > O_TURN
        if is_over:
            if autoreset == NEXT_STEP:
                is_over = False
                x, o, verdict = start[0], start[1], start_side
        else:
            side, action = verdict, np.uint64(actions[i])
            is_illegal = not _is_free(x, o, action, layout.cells)
            bit = np.uint64(0) if is_illegal else ONE << action
            # Which side moves cannot be foreseen by a processor: so there is no branch.
            exchange = (x ^ o) & (np.uint64(0) - np.uint64(side))
            own, other = (x ^ exchange) | bit, o ^ exchange
            is_won = has_line(own, layout)
            exchange = (own ^ other) & (np.uint64(0) - np.uint64(side))
            x, o = own ^ exchange, other ^ exchange
            verdict = 1 - side
            is_over = is_illegal or is_won or own | other == layout.full
            if is_over:
                if is_illegal:
                    verdict = X_WINS + 1 - side
                elif is_won:
                    verdict = X_WINS + side
                else:
                    verdict = DRAW
                if verdict != DRAW:
                    reward = np.float32(1 if verdict == X_WINS else -1)
                if autoreset == SAME_STEP:
                    final[at], final[at + ONE] = x, o
                    x, o, verdict = start[0], start[1], start_side
        marks[at], marks[at + ONE] = x, o
        verdicts[i] = verdict
        rewards[at], rewards[at + ONE] = reward, -reward
        terminated[i] = is_over
        illegal[i] = is_illegal
        _write_planes(layout, x, o, i, verdict, -1, observation, mask)


@kernel
def observe(
    layout: Layout,
    marks: Words,
    verdicts: Codes,
    sides: NDArray[np.int8],
    observation: Bytes,
    mask: Bytes,
    begin: int,
    end: int,
) -> None:
    """Write the observations and masks for which there is room.

    A board is seen by the side in `sides`, or if that is empty by the side to move.
    """
    for number in range(begin, end):
        i = np.uint64(number)
        side = signed(sides[i]) if sides.size > 0 else -1
        x, o = marks[i * _TWO], marks[i * _TWO + ONE]
        _write_planes(layout, x, o, i, signed(verdicts[i]), side, observation, mask)


@bare_kernel
def _write_planes(
    layout: Layout,
    x: np.uint64,
    o: np.uint64,
    i: np.uint64,
    verdict: int,
    side: int,
    observation: Bytes,
    mask: Bytes,
) -> None:
    """Write what a side sees, and the legal actions; -1 is the side to move."""
    legal = np.uint64(0)
    if verdict <= O_TURN:
        legal = layout.full & ~(x | o)
    if mask.size > 0:
        write_cells(mask, i * layout.cells, (legal,), layout.cells)
    if observation.size > 0:
        if side < 0:
            side = verdict
            if verdict > O_TURN:  # the side that would be next
                side = popcount(x) - popcount(o)
        exchange = (x ^ o) & (np.uint64(0) - np.uint64(side))
        planes = (x ^ exchange, o ^ exchange, legal)
        write_cells(observation, i * layout.cells * np.uint64(GRID_PLANES), planes, layout.cells)


@kernel
def choose_actions(
    layout: Layout,
    marks: Words,
    verdicts: Codes,
    seed: np.uint64,
    actions: Moves,
    begin: int,
    end: int,
) -> None:
    """Choose a random legal action for each board, -1 for finished games."""
    for number in range(begin, end):
        i = np.uint64(number)
        actions[i] = -1
        if verdicts[i] <= O_TURN:
            empty = layout.full & ~(marks[i * _TWO] | marks[i * _TWO + ONE])
            word = first_word(seed, number)
            actions[i] = nth_cell(empty, draw(word, np.uint64(popcount(empty))))


@kernel
def sides_to_move(layout: Layout, marks: Words, sides: NDArray[np.int8]) -> None:
    """Write the side to move on each board; after the end, the one that would be next."""
    for i in range(len(sides)):
        sides[i] = popcount(marks[2 * i]) - popcount(marks[2 * i + 1])


def state_of(position: GridPosition) -> Words:
    """Return the marks of a position as two words."""
    return np.array([position.x, position.o], np.uint64)


def position_of(grid: Grid, state: Words) -> GridPosition:
    """Return the position of marks."""
    return GridPosition.unchecked(grid, int(state[0]), int(state[1]))
