from __future__ import annotations

import itertools
from collections import Counter

from hypothesis import given, settings

from noughts import exercises
from noughts.exercises.textbook.counting import all_lines, count_by_levels, count_games, line_free
from support.cases import for_each
from support.oracle import all_games, has_line, lines
from support.strategies import Shape, shapes, vectors

SMALL = [
    shape for shape in itertools.product((1, 2, 3), (1, 2, 3), (1, 2, 3)) if shape[:2] < (3, 3)
]


@for_each("shape", SMALL)
def test_the_games_of_small_grids(shape: Shape) -> None:
    walked = sum(1 for _ in all_games(*shape))
    assert count_by_levels(*shape) == count_games(*shape) == walked


@for_each("entry", [entry for entry in vectors("count.json") if "games" in entry])
def test_published_numbers(entry: dict[str, object]) -> None:
    rows, cols, k = map(int, str(entry["grid"]).split("x"))
    games = entry["games"]
    assert isinstance(games, dict)
    assert count_games(rows, cols, k) == games["total"]


@settings(max_examples=30)
@given(shapes(max_cells=12))
def test_the_sweep_counts_as_the_fast_one(shape: Shape) -> None:
    assert count_games(*shape) == exercises.count_games(*shape)


def test_4x4x3_is_the_default() -> None:
    assert count_games() == exercises.count_games(4, 4, 3)


@for_each("shape", [(3, 3, 3), (3, 3, 2), (2, 4, 2), (1, 7, 3), (2, 2, 1), (4, 2, 3)])
def test_boards_without_a_line(shape: Shape) -> None:
    counted: Counter[tuple[int, int]] = Counter()
    for marks in itertools.product(".XO", repeat=shape[0] * shape[1]):
        cells = "".join(marks)
        if not has_line(cells, *shape, "X") and not has_line(cells, *shape, "O"):
            counted[cells.count("X"), cells.count("O")] += 1
    assert line_free(*shape) == counted


@given(shapes())
def test_the_lines_are_those_of_the_oracle_and_begin_with_their_first_cell(shape: Shape) -> None:
    found = all_lines(*shape)
    assert {frozenset(line) for line in found} == lines(*shape)
    assert all(line == sorted(line) for line in found)
