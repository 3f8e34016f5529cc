from __future__ import annotations

import itertools

from hypothesis import given, settings

from noughts import exercises
from noughts.exercises.textbook.enumeration import (
    count,
    count_games,
    games,
    lines_through,
    play,
    wins,
)
from support.cases import for_each
from support.oracle import all_games, has_line, lines
from support.strategies import Drawn, Shape, drawn_boards, shapes, vectors


@for_each(
    "shape",
    [shape for shape in itertools.product((1, 2, 3), (1, 2, 3), (1, 2, 3, 4)) if shape[:2] < (3, 3)]
    + [(1, 7, 3), (2, 4, 2), (4, 2, 3)],
)
def test_every_game_of_small_grids(shape: Shape) -> None:
    listed = list(games(*shape))
    assert listed == list(all_games(*shape)) == list(exercises.games(*shape))
    assert count_games(*shape) == len(listed) == exercises.count_games(*shape)


def test_the_games_of_3x3() -> None:
    (published,) = [entry["games"] for entry in vectors("count.json") if entry["grid"] == "3x3x3"]
    listed = list(games(3, 3, 3))
    assert len(listed) == len(set(listed)) == published["total"] == count_games(3, 3, 3)
    assert listed == list(exercises.games(3, 3, 3))


def test_4x4x3_is_the_default_and_streams() -> None:
    first = list(itertools.islice(games(), 2000))
    assert first == list(itertools.islice(exercises.games(4, 4, 3), 2000))


@settings(max_examples=30)
@given(shapes(max_cells=9))
def test_the_board_is_as_before_after_every_recursion(shape: Shape) -> None:
    rows, cols, k = shape
    board = ["."] * (rows * cols)
    through = lines_through(rows, cols, k)
    for moves in itertools.islice(play(board, (), through), 500):
        assert [board[cell] for cell in moves] == ["XO"[ply % 2] for ply in range(len(moves))]
        assert len(board) - board.count(".") == len(moves)
    if rows * cols <= 6:
        board = ["."] * (rows * cols)
        assert count(board, 0, through) == len(list(play(board, (), through)))
        assert board == ["."] * (rows * cols)


@given(shapes())
def test_the_lines_through_a_cell_are_those_of_the_oracle(shape: Shape) -> None:
    through = lines_through(*shape)
    for cell in range(shape[0] * shape[1]):
        found = {frozenset(line) for line in through[cell]}
        assert found == {line for line in lines(*shape) if cell in line}


@given(drawn_boards())
def test_a_line_through_any_marked_cell_is_seen(drawn: Drawn) -> None:
    shape, cells = drawn
    through = lines_through(*shape)
    for player in "XO":
        winning = [c for c, mark in enumerate(cells) if mark == player]
        assert has_line(cells, *shape, player) == any(
            wins(list(cells), cell, through) for cell in winning
        )
