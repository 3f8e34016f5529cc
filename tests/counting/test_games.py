"""Counting games: the published numbers, and three methods against a slow count."""

from __future__ import annotations

import random
from collections import Counter
from math import factorial
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, NoughtsError, Verdict
from noughts.counting import count
from noughts.counting.dispatch import Method
from noughts.counting.results import EndingCounts, GameCounts, PositionCounts
from noughts.exercises import count_games as exercise
from support.oracle import all_games, has_line
from support.strategies import Played, Shape, masks_of, played_boards, shapes, vectors

METHODS: tuple[Method, ...] = get_args(Method)
SMALL = shapes(max_side=9, max_k=10, max_cells=9)
SMALLER = shapes(max_side=8, max_k=9, max_cells=8)

Games = Counter[tuple[str, int]]
"""Games by outcome and length."""


def slow_counts(shape: Shape, cells: str) -> Games:
    """Count the games from a board on by the oracle's eyes, each board once."""
    known: dict[str, Games] = {}

    def count(board: str, mover: str, other: str) -> Games:
        if board not in known:
            known[board] = Counter()
            if has_line(board, *shape, other):
                known[board] = Counter({(f"{other}_wins", 0): 1})
            elif "." not in board:
                known[board] = Counter({("draw", 0): 1})
            else:
                for cell in range(len(board)):
                    if board[cell] == ".":
                        after = board[:cell] + mover + board[cell + 1 :]
                        for (outcome, length), n in count(after, other, mover).items():
                            known[board][outcome, length + 1] += n
        return known[board]

    return count(cells, *("XO" if cells.count("X") == cells.count("O") else "OX"))


def summed(games: Games) -> GameCounts:
    """Sum up a slow count as the counters do."""
    outcomes = Counter[str]()
    lengths = Counter[int]()
    for (outcome, length), n in games.items():
        outcomes[outcome] += n
        lengths[length] += n
    by_length = {length: lengths[length] for length in sorted(lengths)}
    return GameCounts(outcomes["X_wins"], outcomes["O_wins"], outcomes["draw"], by_length)


def position_of(shape: Shape, cells: str) -> GridPosition:
    return GridPosition(Grid(*shape), *masks_of(cells))


def random_play(grid: Grid, moves: int, seed: int) -> GridPosition:
    """Play so many random moves that do not end the game."""
    rng = random.Random(seed)
    while True:
        position = GridPosition.start(grid)
        while position.move_count and (position.x | position.o).bit_count() < moves:
            position = position.play(rng.choice(position.legal_moves))
        if not position.outcome:
            return position


# ---------------------------------------------------------------------------------- published


@pytest.mark.parametrize(
    ("grid", "total"),
    [
        (grid, int(total))
        for entry in vectors("published.json")
        if entry["of"] == "games" and "meaning" not in entry
        for grid, total in entry["totals"].items()
    ],
)
def test_published_totals(grid: str, total: int) -> None:
    assert count(grid).total == total


def test_the_projects_own_vectors() -> None:
    for entry in vectors("count.json"):
        counts = count(entry["grid"])
        for name, number in entry.get("games", {}).items():
            assert getattr(counts, name) == number, (entry["grid"], name)


@pytest.mark.parametrize("method", METHODS)
def test_three_in_a_row(method: Method) -> None:
    counts = count("3x3x3", method=method)
    assert counts == GameCounts(
        x_wins=131_184,
        o_wins=77_904,
        draws=46_080,
        by_length={5: 1440, 6: 5328, 7: 47_952, 8: 72_576, 9: 127_872},
    )
    assert counts.total == 255_168


def test_three_in_a_row_by_the_oracle() -> None:
    assert count("3x3x3") == summed(slow_counts((3, 3, 3), "........."))


@pytest.mark.slow
def test_four_by_four_by_positions_too() -> None:
    counts = count("4x4x3")
    assert counts == count("4x4x3", method="positions")
    assert counts.total == 1_281_016_086_768


@pytest.mark.slow
def test_backtracking_walks_all_of_three_by_four() -> None:
    counts = count("3x4x3", method="backtrack")
    assert counts.total == 151_188_768
    assert counts == count("3x4x3") == count("3x4x3", method="positions")


@pytest.mark.parametrize("moves", [6, 7, 8])
@pytest.mark.parametrize("seed", range(3))
def test_backtracking_agrees_on_four_by_four_below_fixed_moves(moves: int, seed: int) -> None:
    position = random_play(Grid(4, 4, 3), moves, seed)
    counts = count(position, method="backtrack")
    assert counts == count(position) == count(position, method="positions")


@pytest.mark.slow
@pytest.mark.parametrize(
    "grid", ["4x4x2", "3x5x3", "2x7x3", "4x3x4", "1x13x4", "13x1x3", "2x7x2", "4x5x2"]
)
def test_sweep_and_listing_agree_on_larger_grids(grid: str) -> None:
    assert count(grid) == count(grid, method="positions")


@pytest.mark.slow
@pytest.mark.parametrize(("grid", "moves"), [("5x5x4", 16), ("5x5x3", 12), ("6x6x4", 26)])
def test_backtracking_agrees_on_large_boards_near_their_end(grid: str, moves: int) -> None:
    position = random_play(Grid.parse(grid), moves, 5)
    assert count(position) == count(position, method="backtrack")


# --------------------------------------------------------------------------------- any small grid


@settings(max_examples=30)
@given(shapes(max_side=6, max_k=7, max_cells=6))
def test_all_methods_count_the_games_that_there_are(shape: Shape) -> None:
    lengths: Counter[int] = Counter()
    outcomes: Counter[str] = Counter()
    for game in all_games(*shape):
        marks = ["."] * (shape[0] * shape[1])
        for place, cell in enumerate(game):
            marks[cell] = "XO"[place % 2]
        board = "".join(marks)
        won = [mark for mark in "XO" if has_line(board, *shape, mark)]
        outcomes[won[0] if won else "draw"] += 1
        lengths[len(game)] += 1
    for method in METHODS:
        counts = count(Grid(*shape), method=method)
        assert (counts.x_wins, counts.o_wins) == (outcomes["X"], outcomes["O"]), method
        assert counts.draws == outcomes["draw"], method
        assert counts.total == sum(outcomes.values()), method
        assert counts.by_length == lengths, method


@settings(max_examples=30)
@given(SMALLER)
def test_all_methods_agree_on_small_grids(shape: Shape) -> None:
    expected = summed(slow_counts(shape, "." * (shape[0] * shape[1])))
    for method in METHODS:
        assert count(Grid(*shape), method=method) == expected, method


@st.composite
def played(draw: st.DrawFn) -> Played:
    return draw(played_boards(draw(SMALL)))


@settings(max_examples=100)
@given(played())
def test_all_methods_agree_from_any_position(played: Played) -> None:
    shape, cells, _ = played
    position = position_of(shape, cells)
    counts = [count(position, method=method) for method in METHODS]
    assert counts[0] == counts[1] == counts[2]
    if cells.count(".") <= 6:
        assert counts[0] == summed(slow_counts(shape, cells))
    assert sum(counts[0].by_length.values()) == counts[0].total
    assert list(counts[0].by_length) == sorted(counts[0].by_length)
    assert all(counts[0].by_length.values())


@settings(max_examples=30)
@given(shapes(max_side=6, max_k=7, max_cells=6), st.data())
def test_from_a_position_on_means_the_games_that_go_through_it(
    shape: Shape, data: st.DataObject
) -> None:
    _, cells, moves = data.draw(played_boards(shape))
    through = [game for game in all_games(*shape) if list(game[: len(moves)]) == moves]
    lengths = Counter(len(game) - len(moves) for game in through)
    for method in METHODS:
        counts = count(position_of(shape, cells), method=method)
        assert counts.total == len(through), method
        assert counts.by_length == lengths, method


@settings(max_examples=50)
@given(played())
def test_symmetry_changes_no_count(played: Played) -> None:
    shape, cells, _ = played
    position = position_of(shape, cells)
    counts = count(position)
    for symmetry in position.grid.symmetries:
        assert count(position.transformed(symmetry)) == counts, symmetry


@settings(max_examples=50)
@given(played())
def test_transposing_changes_no_count(played: Played) -> None:
    (rows, cols, k), cells, _ = played
    across = "".join(cells[row * cols + col] for col in range(cols) for row in range(rows))
    counts = count(position_of((rows, cols, k), cells))
    assert count(position_of((cols, rows, k), across)) == counts


@pytest.mark.parametrize("shape", [(4, 5, 3), (3, 6, 4), (2, 9, 3), (4, 6, 4), (1, 20, 3)])
def test_transposing_changes_no_count_on_larger_grids(shape: Shape) -> None:
    rows, cols, k = shape
    assert count(Grid(rows, cols, k)) == count(Grid(cols, rows, k))


# --------------------------------------------------------------------------------- special cases


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("text", "x_wins", "o_wins", "draws"),
    [
        ("XXX/OO./...", 1, 0, 0),
        ("OOO/XX./X..", 0, 1, 0),
        ("XOX/XOO/OXX", 0, 0, 1),
        ("XXX/OOX/OOX", 1, 0, 0),
    ],
)
def test_a_finished_position_has_one_game_of_no_moves(
    text: str, x_wins: int, o_wins: int, draws: int, method: Method
) -> None:
    assert count(text, method=method) == GameCounts(x_wins, o_wins, draws, {0: 1})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("shape", "cells"), [((2, 3, 4), 6), ((1, 7, 9), 7), ((2, 2, 3), 4)])
def test_where_nobody_can_win_every_order_is_a_draw(
    method: Method, shape: Shape, cells: int
) -> None:
    counts = count(Grid(*shape), method=method)
    assert counts == GameCounts(0, 0, factorial(cells), {cells: factorial(cells)})


@pytest.mark.parametrize("method", METHODS)
def test_one_in_a_row_is_won_at_once(method: Method) -> None:
    assert count("3x4x1", method=method) == GameCounts(12, 0, 0, {1: 12})
    assert count("1x1x1", method=method) == GameCounts(1, 0, 0, {1: 1})
    assert count("1x1x5", method=method) == GameCounts(0, 0, 1, {1: 1})


@pytest.mark.parametrize("method", METHODS)
def test_o_may_be_to_move(method: Method) -> None:
    counts = count("XX./O../...", method=method)
    assert counts == summed(slow_counts((3, 3, 3), "XX.O....."))
    assert counts.by_length[2] == 5  # X completes the row; O cannot win in one


def test_a_grid_may_be_given_in_any_form() -> None:
    counts = count("3x3x3")
    assert count(Grid(3, 3, 3)) == counts
    assert count(GridPosition.start("3x3x3")) == counts
    assert count("3x3x3:.../.../...") == counts
    assert exercise(3, 3, 3) == counts.total
    assert exercise() == 1_281_016_086_768


def test_json_holds_decimal_strings() -> None:
    assert count("2x2x2").to_json() == {
        "total": "24",
        "x_wins": "24",
        "o_wins": "0",
        "draws": "0",
        "by_length": {"3": "24"},
    }


def test_json_holds_numbers_of_any_length() -> None:
    """A board of 40x40 has games of more digits than Python writes out unasked."""
    huge = 10**5000
    counts = GameCounts(huge, 0, 0, {1: huge}).to_json()
    assert counts["total"] == counts["x_wins"] == "1" + "0" * 5000
    assert counts["by_length"] == {"1": "1" + "0" * 5000}
    assert PositionCounts({1: huge}).to_json()["total"] == "1" + "0" * 5000
    endings = EndingCounts({Verdict.X_WINS: {1: huge}, Verdict.O_WINS: {}, Verdict.DRAW: {}})
    assert endings.to_json()["by_marks"] == {"1": "1" + "0" * 5000}


@pytest.mark.parametrize("method", ["", "Frontier", "brute", 3])
def test_an_unknown_method_is_refused_by_name(method: Any) -> None:
    with pytest.raises(NoughtsError, match="frontier, backtrack, positions"):
        count("3x3x3", method=method)


@pytest.mark.parametrize("where", ["", "3x3", "0x3x3", "XX./..", None, 3, ["X"], b"3x3x3"])
def test_what_is_no_grid_is_refused(where: Any) -> None:
    with pytest.raises(NoughtsError):
        count(where)
