"""The board that is kept up to date move by move is the one that is set up from scratch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid
from noughts.engine.grids.board import (
    EMPTY,
    NOWHERE,
    Board,
    Layout,
    completions,
    layout_of,
    new_board,
    place,
    set_up,
    take_back,
)
from noughts.errors import LimitExceeded

GRIDS = ["3x3x3", "4x5x3", "6x6x5", "1x7x2", "3x3x1", "5x4x2", "2x3x9"]


def from_scratch(layout: Layout, mark: np.ndarray) -> Board:
    board = new_board(layout)
    set_up(layout, board, mark)
    return board


def near_lines(board: Board, side: int, kind: int) -> set[int]:
    found = board.near[side, kind, : board.near_count[side, kind]].tolist()
    assert len(set(found)) == len(found)
    assert [int(board.slot[side, line]) for line in found] == list(range(len(found)))
    return set(found)


def assert_same(board: Board, other: Board) -> None:
    for name in (
        "mark",
        "held",
        "empty_sum",
        "near_count",
        "cell_weight",
        "total_weight",
        "open_lines",
        "hash",
    ):
        assert np.array_equal(getattr(board, name), getattr(other, name)), name
    for side in range(2):
        for kind in range(2):
            assert near_lines(board, side, kind) == near_lines(other, side, kind)


@st.composite
def placings(draw: st.DrawFn) -> tuple[str, list[tuple[int, int]]]:
    """Draw a grid, and marks of either side in the order in which they are placed."""
    grid = draw(st.sampled_from(GRIDS))
    order = draw(st.permutations(range(Grid.parse(grid).cells)))
    count = draw(st.integers(0, len(order)))
    return grid, [(draw(st.integers(0, 1)), cell) for cell in order[:count]]


@given(placings())
@settings(deadline=None)  # the first call compiles
def test_marks_come_and_go(drawn: tuple[str, list[tuple[int, int]]]) -> None:
    layout = layout_of(Grid.parse(drawn[0]))
    board = from_scratch(layout, np.full(layout.cells, EMPTY, np.int8))
    empty = from_scratch(layout, np.full(layout.cells, EMPTY, np.int8))
    for side, cell in drawn[1]:
        place(layout, board, side, cell)
    assert_same(board, from_scratch(layout, board.mark.copy()))
    for side, cell in reversed(drawn[1]):
        take_back(layout, board, side, cell)
    assert_same(board, empty)


@given(placings())
@settings(deadline=None)  # the first call compiles
def test_lines_have_the_weight_of_what_they_hold(drawn: tuple[str, list[tuple[int, int]]]) -> None:
    grid = Grid.parse(drawn[0])
    layout = layout_of(grid)
    mark = np.full(layout.cells, EMPTY, np.int8)
    for side, cell in drawn[1]:
        mark[cell] = side
    board = from_scratch(layout, mark)
    for side in range(2):
        open_lines = [line for line in grid.lines if all(mark[c] != 1 - side for c in line)]
        to_go = [[c for c in line if mark[c] == EMPTY] for line in open_lines]
        assert board.open_lines[side] == len(open_lines)
        cells = {rest[0] for rest in to_go if len(rest) == 1}
        found = set(completions(board, side)) - {NOWHERE}
        assert found <= cells
        assert len(found) == min(len(cells), 2)
        assert len(near_lines(board, side, 1)) == sum(len(rest) == 2 for rest in to_go)
        for cell in range(grid.cells):
            assert (board.cell_weight[side, cell] > 0) == any(
                cell in line and any(mark[c] == EMPTY for c in line) for line in open_lines
            )


def test_the_largest_board_and_one_beyond() -> None:
    assert layout_of(Grid(32, 32, 5)).cells == 1024
    with pytest.raises(LimitExceeded, match="at most 1,024 cells can be searched, and 25x41x5"):
        layout_of(Grid(25, 41, 5))
