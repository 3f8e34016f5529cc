from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, NoughtsError
from noughts.counting import count
from noughts.counting.listing import games
from noughts.counting.problem import Problem
from noughts.counting.sweep import sweep
from support.oracle import all_games, has_line
from support.strategies import Played, Shape, board_of, played_boards, vectors

TINY: list[Shape] = [
    (rows, cols, k)
    for rows, cols in itertools.product(range(1, 8), repeat=2)
    if rows * cols <= 7
    for k in range(1, 5)
]


def tally(shape: Shape, listed: list[tuple[int, ...]]) -> tuple[Counter[str], Counter[int]]:
    """Count listed games by outcome and by length."""
    outcomes: Counter[str] = Counter()
    for game in listed:
        cells = ["."] * (shape[0] * shape[1])
        for number, cell in enumerate(game):
            cells[cell] = "XO"[number % 2]
        flat = "".join(cells)
        won = [side for side in "XO" if has_line(flat, *shape, side)]
        outcomes[won[0] if won else "draw"] += 1
    return outcomes, Counter(map(len, listed))


# ------------------------------------------------------------------------------- games by outcome


@pytest.mark.parametrize("shape", [*TINY, (2, 4, 2), (3, 3, 2), (3, 3, 1)], ids=str)
def test_counts_are_those_of_the_list(shape: Shape) -> None:
    listed = list(games(Grid(*shape)))
    outcomes, lengths = tally(shape, listed)
    counts = count(Grid(*shape))
    assert counts.total == len(listed)
    assert (counts.x_wins, counts.o_wins) == (outcomes["X"], outcomes["O"])
    assert counts.draws == outcomes["draw"]
    assert {length: n for length, n in counts.by_length.items() if n} == dict(lengths)


@pytest.mark.parametrize("shape", [(1, 1, 1), (2, 2, 2), (2, 3, 3), (1, 6, 3)], ids=str)
def test_counts_are_those_of_the_oracle(shape: Shape) -> None:
    outcomes, lengths = tally(shape, list(all_games(*shape)))
    counts = count(Grid(*shape))
    assert (counts.x_wins, counts.o_wins, counts.draws) == (
        *(outcomes["X"], outcomes["O"], outcomes["draw"]),
    )
    assert {length: n for length, n in counts.by_length.items() if n} == dict(lengths)


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(entry, marks=[pytest.mark.slow] if entry["grid"] == "5x5x5" else [])
        for entry in vectors("count.json")
        if "games" in entry
    ],
    ids=lambda entry: str(entry["grid"]),
)
def test_vectors(entry: dict[str, Any]) -> None:
    counts = count(Grid.parse(entry["grid"]))
    for name, number in entry["games"].items():
        assert getattr(counts, name) == number
    assert counts.total == counts.x_wins + counts.o_wins + counts.draws
    assert counts.total == sum(counts.by_length.values())


def test_lengths_of_3x3x3() -> None:
    by_length = {5: 1440, 6: 5328, 7: 47952, 8: 72576, 9: 127872}
    counts = count(Grid(3, 3, 3))
    assert {length: n for length, n in counts.by_length.items() if n} == by_length


def test_4x4x3_is_beyond_walking() -> None:
    counts = count(Grid(4, 4, 3))
    assert counts.total > 10**12
    assert counts.total == counts.x_wins + counts.o_wins + counts.draws
    assert counts.total == sum(counts.by_length.values())
    assert min(length for length, n in counts.by_length.items() if n) == 5


@pytest.mark.parametrize("shape", [(2, 5, 3), (3, 4, 3), (2, 6, 2), (3, 5, 4)], ids=str)
def test_turning_the_grid_changes_no_count(shape: Shape) -> None:
    rows, cols, k = shape
    assert count(Grid(rows, cols, k)) == count(Grid(cols, rows, k))


@pytest.mark.parametrize("shape", [(2, 3, 9), (3, 4, 5), (4, 4, 17), (1, 20, 21)], ids=str)
def test_without_lines_every_order_is_a_draw(shape: Shape) -> None:
    counts = count(Grid(*shape))
    cells = shape[0] * shape[1]
    assert (counts.x_wins, counts.o_wins, counts.draws) == (0, 0, math.factorial(cells))


@pytest.mark.parametrize("sides", [(1, 1), (3, 4), (5, 5)], ids=str)
def test_with_one_in_a_row_every_first_move_wins(sides: tuple[int, int]) -> None:
    counts = count(Grid(*sides, 1))
    assert (counts.x_wins, counts.o_wins, counts.draws) == (sides[0] * sides[1], 0, 0)


@settings(max_examples=60)
@given(played_boards((2, 3, 2)) | played_boards((2, 3, 3)) | played_boards((1, 7, 3)))
def test_counts_from_a_position_on(played: Played) -> None:
    shape, cells, moves = played
    tails = [game for game in listed_games(shape) if game[: len(moves)] == tuple(moves)]
    outcomes, lengths = tally(shape, tails)
    counts = count(GridPosition.of(board_of(shape, cells)))
    assert (counts.x_wins, counts.o_wins) == (outcomes["X"], outcomes["O"])
    assert counts.draws == outcomes["draw"]
    assert {length + len(moves): n for length, n in counts.by_length.items() if n} == dict(lengths)


@functools.cache
def listed_games(shape: Shape) -> list[tuple[int, ...]]:
    """Let the oracle list the games of a grid, once."""
    return list(all_games(*shape))


# ---------------------------------------------------------------------------- boards without lines


@pytest.mark.parametrize(
    "shape",
    [*TINY, (2, 4, 2), (2, 4, 3), (4, 2, 3), (3, 3, 3)],
    ids=str,
)
def test_boards_without_a_line_are_counted(shape: Shape) -> None:
    size = shape[0] * shape[1]
    expected: Counter[tuple[int, int]] = Counter()
    for drawing in itertools.product("XO.", repeat=size):
        cells = "".join(drawing)
        if not has_line(cells, *shape, "X") and not has_line(cells, *shape, "O"):
            expected[cells.count("X"), cells.count("O")] += 1
    table = sweep(Problem.of_grid(Grid(*shape)), size)
    found = {(x, o): n for x, row in enumerate(table) for o, n in enumerate(row) if n}
    assert found == dict(expected)


@given(st.sampled_from([(2, 3, 2), (3, 3, 3), (2, 4, 3)]), st.data())
def test_a_limit_cuts_the_table_and_changes_nothing_in_it(
    shape: Shape, data: st.DataObject
) -> None:
    size = shape[0] * shape[1]
    limit = data.draw(st.integers(0, size))
    problem = Problem.of_grid(Grid(*shape))
    whole = sweep(problem, size)
    assert [row[: limit + 1] for row in whole[: limit + 1]] == sweep(problem, limit)


@pytest.mark.parametrize("shape", [(3, 4, 3), (4, 3, 3), (4, 4, 3), (3, 5, 2)], ids=str)
def test_both_sides_are_alike(shape: Shape) -> None:
    table = sweep(Problem.of_grid(Grid(*shape)), shape[0] * shape[1])
    assert table == [list(column) for column in zip(*table, strict=True)]
    turned = sweep(Problem.of_grid(Grid(shape[1], shape[0], shape[2])), shape[0] * shape[1])
    assert table == turned


# ------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize("bad", [None, 3, "", "3x3"], ids=repr)
def test_counts_need_a_grid(bad: Any) -> None:
    with pytest.raises(NoughtsError):
        count(bad)
