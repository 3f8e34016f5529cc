"""Solving every position of a small board, backwards: full boards first, the empty one last.

Before a layer, the layer with one more mark is solved, so each board needs only one look at
its moves. No position is searched twice and nothing is hashed: where a move leads in the next
layer follows from the two masks that say where the board is (`ranking`
draws the layout)::

    marked cells             0110 1001      a move marks one more cell,
    after the move           0110 1101
    O's among the marked        01 01       so among the marked cells there is a new digit,
    after the move              01m01       1 if O moves, else 0

The ranks of both are then looked up. The boards of a layer do not depend on each other, so
parts of it are solved in threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import comb

from noughts.kernels import NDArray, kernel, np  # isort: skip  - says which extra is missing

from noughts import kernels
from noughts.rules.grid import Grid
from noughts.solving.numbering import Masks, Numbering
from noughts.solving.ranking import DRAW, NO_GAME, layer_starts

__all__ = ["needs_compiling", "solve_backwards"]

Bytes = NDArray[np.uint8]

_PART = 1 << 14
"""Boards that a task solves, about: a millisecond of work, or a hundred if uncompiled."""

_LINE, _LINES_APART = 1, 2  # what a set of cells contains: lines that share a cell, or do not


def needs_compiling() -> bool:
    """Return whether the first table will compile its kernel."""
    return kernels.needs_compiling(_solve)


def solve_backwards(grid: Grid, threads: int, on_progress: Callable[[float], None]) -> bytes:
    """Return the byte of every board of a grid, as `ranking` explains them."""
    cells = grid.cells
    numbering = Numbering(cells)
    by_size, ranks = numbering.by_size, numbering.ranks
    lines = _lines_in(grid, np.arange(1 << cells, dtype=np.int64))
    starts = layer_starts(cells)
    table = np.empty(starts[-1], np.uint8)
    done = 0
    after = table[:0]
    pool = ThreadPoolExecutor(threads)
    try:
        for marks in range(cells, -1, -1):
            sets = by_size[marks]
            # Numbered among the marked cells, O's are the first sets of their size.
            choices = by_size[marks // 2][: comb(marks, marks // 2)]
            layer = table[starts[marks] : starts[marks + 1]]
            stride = comb(marks + 1, (marks + 1) // 2)
            parts = max(1, len(layer) // _PART)
            cuts = [len(sets) * part // parts for part in range(parts + 1)]
            jobs = [
                pool.submit(_solve, layer, after, stride, sets, choices, ranks, lines, *limits)
                for limits in ((cells, marks, first, last) for first, last in pairwise(cuts))
            ]
            for finished, job in enumerate(jobs, 1):
                job.result()
                on_progress((done + len(layer) * finished / parts) / len(table))
            done += len(layer)
            after = layer
    finally:
        pool.shutdown(cancel_futures=True)  # after Ctrl-C the rest is not needed
    return table.tobytes()


def _lines_in(grid: Grid, masks: Masks) -> Bytes:
    """Return for every set of cells whether it contains lines, and whether those share a cell."""
    has_line = np.zeros(len(masks), bool)
    shared = np.full(len(masks), -1, np.int64)
    for mask in grid.line_masks:
        inside = masks & mask == mask
        has_line |= inside
        shared[inside] &= mask
    kinds: Bytes = np.where(has_line, np.where(shared != 0, _LINE, _LINES_APART), 0).astype(
        np.uint8
    )
    return kinds


@kernel
def _solve(
    layer: Bytes,
    after: Bytes,
    stride: int,
    sets: Masks,
    choices: Masks,
    ranks: NDArray[np.int32],
    lines: Bytes,
    cells: int,
    marks: int,
    first: int,
    last: int,
) -> None:
    """Solve the boards of a layer whose marked cells are the sets from `first` up to `last`.

    In the layer `after` it, each set of marked cells has `stride` boards.
    """
    o_moves = marks & 1
    starts = np.empty(cells, np.int64)  # per move: where the boards with that cell begin,
    digits = np.empty(cells, np.int64)  # and the place of its digit among the marked cells
    members = np.empty(cells, np.int64)
    for number in range(first, last):
        marked = sets[number]
        moves = 0
        below = 0
        for cell in range(cells):
            if marked >> cell & 1:
                members[below] = 1 << cell
                below += 1
            else:
                starts[moves] = ranks[marked | 1 << cell] * stride
                digits[moves] = below
                moves += 1
        for choice in range(len(choices)):
            among = choices[choice]
            o = 0
            for place in range(marks):
                if among >> place & 1:
                    o |= members[place]
            waiting = lines[marked ^ o if o_moves else o]  # of the side that moved last
            moving = lines[o if o_moves else marked ^ o]
            here = number * len(choices) + choice
            if moving or waiting == _LINES_APART:
                layer[here] = NO_GAME
                continue
            if waiting:
                layer[here] = 0
                continue
            # The side to move takes the quickest win, else a draw, else the longest defence.
            win, draw, loss = NO_GAME, moves == 0, 0
            for move in range(moves):
                low = (1 << digits[move]) - 1
                there = (among & ~low) << 1 | o_moves << digits[move] | among & low
                result = after[starts[move] + ranks[there]]
                if result == DRAW:
                    draw = True
                elif result & 1:
                    loss = max(loss, result + 1)
                else:
                    win = min(win, result + 1)
            layer[here] = win if win < NO_GAME else DRAW if draw else loss
