from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from noughts import Board, Grid, NotationError, NoughtsError, SizeError
from noughts.rules.grid import MAX_CELLS, require_drawable
from support.cases import for_each
from support.strategies import (
    FOREIGN,
    NOT_TEXT,
    NOT_WHOLE,
    Drawn,
    board_of,
    drawn_boards,
    masks_of,
    rows_of,
)

FOREIGN_MARKS = FOREIGN + "xo12#@-,;"


# -------------------------------------------------------------------------------- round trips


@given(drawn_boards())
def test_every_form_is_read_back(drawn: Drawn) -> None:
    shape, cells = drawn
    grid = Grid(*shape)
    rows = rows_of(cells, grid.cols)
    board = board_of(shape, cells)

    assert board.rows == rows
    assert board.text == f"{grid}:{'/'.join(rows)}"
    forms: list[Board] = [
        Board.parse("/".join(rows), grid),
        Board.parse("/".join(rows), k=grid.k),
        Board.parse(rows, grid),
        Board.parse(tuple(rows), k=grid.k),
        Board.parse(board.text),
        Board.parse(board.text, grid),
        Board.parse(board.text, k=grid.k),
        Board.from_json(board.to_json()),
        Board.from_json(json.loads(json.dumps(board.to_json()))),
        pickle.loads(pickle.dumps(board)),
        copy.deepcopy(board),
        eval(repr(board)),
    ]
    for read in forms:
        assert read == board
        assert hash(read) == hash(board)
        assert (read.grid, read.x, read.o) == (grid, *masks_of(cells))


@given(drawn_boards())
def test_space_reads_as_empty_and_zero_as_o(drawn: Drawn) -> None:
    shape, cells = drawn
    rows = rows_of(cells.replace(".", " ").replace("O", "0"), shape[1])
    board = Board.parse(rows, Grid(*shape))
    assert board == board_of(shape, cells)
    assert "".join(board.rows) == cells
    assert Board.parse("/".join(rows), k=shape[2]) == board


@given(drawn_boards())
def test_cells_one_by_one(drawn: Drawn) -> None:
    board = board_of(*drawn)
    assert "".join(board[cell] for cell in range(board.grid.cells)) == drawn[1]


@given(drawn_boards(), st.data())
def test_put_changes_one_cell_of_a_copy(drawn: Drawn, data: st.DataObject) -> None:
    shape, cells = drawn
    board = board_of(shape, cells)
    cell = data.draw(st.integers(0, len(cells) - 1))
    mark = data.draw(st.sampled_from("XO."))
    assert board.put(cell, mark) == board_of(shape, cells[:cell] + mark + cells[cell + 1 :])
    assert board == board_of(shape, cells)


def test_boards_of_different_grids_differ() -> None:
    boards = [
        Board.parse("X./.."),
        Board.parse("X./..", k=2),
        Board.parse("X..."),
        Board.parse("X"),
    ]
    assert len(set(boards)) == 4


def test_k_is_three_where_nothing_is_said() -> None:
    assert Board.parse("X.../..../....").grid == Grid(3, 4, 3)
    assert Board.parse("X.../..../....", k=2).grid == Grid(3, 4, 2)
    assert Board.parse("3x4x1:X.../..../....").grid == Grid(3, 4, 1)


def test_a_board_cannot_be_changed() -> None:
    board: Any = Board.parse("X./..")
    with pytest.raises(AttributeError):
        board.x = 3
    assert board == Board.parse("X./..")


# ------------------------------------------------------------------------------ unreadable text


@given(drawn_boards(), st.sampled_from(FOREIGN_MARKS), st.booleans(), st.data())
def test_a_strange_character_is_named_and_pointed_at(
    drawn: Drawn, char: str, with_grid: bool, data: st.DataObject
) -> None:
    shape, cells = drawn
    rows = rows_of(cells, shape[1])
    row = data.draw(st.integers(0, shape[0] - 1))
    col = data.draw(st.integers(0, shape[1] - 1))
    rows[row] = rows[row][:col] + char + rows[row][col + 1 :]
    text = "/".join(rows)
    offset = row * (shape[1] + 1) + col
    if with_grid:
        prefix = f"{Grid(*shape)}:"
        text, offset = prefix + text, offset + len(prefix)
    with pytest.raises(NotationError, match=rf"row {row + 1}, column {col + 1}\b") as caught:
        Board.parse(text)
    assert caught.value.text == text
    assert caught.value.offset == offset
    assert caught.value.text[offset] == char
    assert repr(char) in str(caught.value)


@given(drawn_boards(), st.data())
def test_a_row_of_another_length_is_named(drawn: Drawn, data: st.DataObject) -> None:
    shape, cells = drawn
    rows = rows_of(cells, shape[1])
    if len(rows) == 1:
        rows *= 2
    row = data.draw(st.integers(1, len(rows) - 1))
    rows[row] += data.draw(st.text(alphabet="XO.", min_size=1, max_size=3))
    with pytest.raises(NotationError, match=rf"\brow {row + 1}\b") as caught:
        Board.parse("/".join(rows))
    offset = caught.value.offset
    assert offset is not None
    start = sum(len(before) + 1 for before in rows[:row])
    assert start <= offset <= start + len(rows[row])
    with pytest.raises(NotationError, match=rf"\brow {row + 1}\b"):
        Board.parse(rows)


@for_each(
    "text",
    [
        *["", "/", "//", "X//X", "X./..\n", "\nX./..", "X./..\x00", "x./..", "o./..", "X,/.."],
        *["X.|..", "X.\\..", "3x3x3:", "3x3x3", "2x2x2:X./../..", "2x2x2:X../..", "2x2:X./.."],
        *["0x2x2:", ":X./..", "2x2x2::X./..", "2x2x2: X./..", " 2x2x2:X./.."],
    ],
)
def test_malformed_boards_are_refused(text: str) -> None:
    with pytest.raises(NotationError) as caught:
        Board.parse(text)
    offset = caught.value.offset
    assert offset is None or 0 <= offset <= len(caught.value.text)


@for_each("bad", [*NOT_TEXT, [], [""], ["X.", None], ["X.", b".."], ["X./.."], {"X."}])
def test_only_text_and_sequences_of_text_are_read(bad: Any) -> None:
    with pytest.raises(NotationError):
        Board.parse(bad)
    with pytest.raises(NotationError):
        Board.parse(bad, Grid(2, 2, 2))


def test_grids_that_contradict_each_other_are_refused() -> None:
    with pytest.raises(NoughtsError):
        Board.parse("X./..", Grid(3, 3, 3))
    with pytest.raises(NoughtsError):
        Board.parse("2x2x2:X./..", Grid(2, 2, 3))
    with pytest.raises(NoughtsError):
        Board.parse("2x2x2:X./..", k=3)
    with pytest.raises(NoughtsError):
        Board.parse("X./..", Grid(2, 2, 2), k=3)


@for_each("bad", [0, -1, *(bad for bad in NOT_WHOLE if bad is not None)])
def test_a_bad_k_is_refused_by_name(bad: Any) -> None:
    with pytest.raises(SizeError, match=r"\bk\b"):
        Board.parse("X./..", k=bad)


@for_each(
    "data",
    [
        *[None, 3, "3x3x3", [], {}, {"grid": "2x2x2"}, {"rows": ["..", ".."]}],
        *[{"grid": grid, "rows": ["..", ".."]} for grid in (None, 3, "", "2x2", "0x2x2", "3x2x2")],
        *[{"grid": "2x2x2", "rows": rows} for rows in (None, 3, "", [], ["..", 3], ["..", ".?"])],
        {"grid": "2x2x2", "rows": ["..", "..", ".."]},
    ],
)
def test_bad_json_is_refused(data: object) -> None:
    with pytest.raises(NotationError):
        Board.from_json(data)


# ------------------------------------------------------------------------------------ bad masks


@for_each("bad", [-1, 1 << 9, 1 << 100, *NOT_WHOLE])
def test_bad_masks_are_refused_by_name(bad: Any) -> None:
    with pytest.raises(SizeError, match=r"\bx\b"):
        Board(Grid(3, 3, 3), bad, 0)
    with pytest.raises(SizeError, match=r"\bo\b"):
        Board(Grid(3, 3, 3), 0, bad)


def test_a_cell_cannot_hold_two_marks() -> None:
    with pytest.raises(NoughtsError, match=r"\b2\b"):
        Board(Grid(3, 3, 3), 0b101, 0b110)


@for_each("bad", [9, -1, 10**400, *NOT_WHOLE])
def test_cells_outside_the_board_are_refused(bad: Any) -> None:
    board = Board(Grid(3, 3, 3))
    with pytest.raises(NoughtsError):
        board[bad]
    with pytest.raises(NoughtsError):
        board.put(bad, "X")


@for_each("bad", ["x", "", "XX", None, 1, True, "?", b"X"])
def test_strange_marks_are_refused(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Board(Grid(3, 3, 3)).put(0, bad)


@for_each("bad", [None, 3, "3x3x3", (3, 3, 3)])
def test_a_board_needs_a_grid(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        Board(bad)


def test_boards_have_a_largest_size() -> None:
    require_drawable(Grid(1, MAX_CELLS, 3))
    with pytest.raises(SizeError):
        require_drawable(Grid(1, MAX_CELLS + 1, 3))
    with pytest.raises(SizeError):
        Board(Grid(MAX_CELLS, 2, 3))
