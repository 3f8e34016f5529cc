from __future__ import annotations

import itertools
from typing import Any

from hypothesis import given

from noughts import exercises
from noughts.exercises.textbook.verdict import all_lines, state, valid
from support.cases import for_each
from support.oracle import lines, reachable_verdicts, verdict_by_retrograde
from support.strategies import (
    Drawn,
    Shape,
    drawn_boards,
    near_misses,
    played_boards,
    rows_of,
    shapes,
    vectors,
)


@for_each("shape", [(3, 3, 3), (2, 4, 2), (1, 8, 3), (4, 2, 3), (3, 3, 2), (2, 2, 1), (2, 3, 4)])
def test_every_board(shape: Shape) -> None:
    rows, cols, k = shape
    reached = reachable_verdicts(*shape)
    for marks in itertools.product(".XO", repeat=rows * cols):
        cells = "".join(marks)
        board = rows_of(cells, cols)
        expected = reached.get(cells, "invalid")
        assert state(board, k) == expected == exercises.state(board, k), cells
        assert valid(board, k) is (expected != "invalid")


@given(drawn_boards() | near_misses((4, 4, 3)) | near_misses((5, 5, 3)))
def test_boards_of_any_size(drawn: Drawn) -> None:
    (_, cols, k), cells = drawn
    board = rows_of(cells, cols)
    assert state(board, k) == exercises.state(board, k)
    if len(cells) <= 12:
        assert state(board, k) == verdict_by_retrograde(cells, *drawn[0])


@given(played_boards())
def test_boards_that_games_lead_to_are_valid(played: tuple[Shape, str, list[int]]) -> None:
    (_, cols, k), cells, _ = played
    board = rows_of(cells, cols)
    assert valid(board, k)
    assert state(board, k) == exercises.state(board, k)


@for_each(
    ("board", "k"),
    [
        (["XXX.", "OO.O", "O.O.", "XXX."], 3),  # two lines of X that share no cell
        (["XX.XX", "OO.OO"], 2),
    ],
)
def test_two_lines_without_a_common_cell(board: list[str], k: int) -> None:
    assert state(board, k) == "invalid" == exercises.state(board, k)


@given(shapes())
def test_the_lines_are_those_of_the_oracle(shape: Shape) -> None:
    assert {frozenset(line) for line in all_lines(*shape)} == lines(*shape)


@for_each("entry", vectors("state.json"))
def test_vectors(entry: dict[str, Any]) -> None:
    assert state(entry["board"]) == entry["state"]
    assert valid([row.replace(".", " ") for row in entry["board"]]) is (entry["state"] != "invalid")
