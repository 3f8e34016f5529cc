"""Games up to symmetry in both meanings, against listing them all and sorting them into classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings

from noughts import Grid, NoughtsError
from noughts.counting import count
from noughts.counting.results import GameCounts
from support.oracle import has_line
from support.strategies import Shape, shapes, vectors

Moves = tuple[int, ...]
SMALL = shapes(max_side=6, max_k=7, max_cells=6)


def turnings(rows: int, cols: int) -> list[Moves]:
    """Return where each cell goes, for every way to lay the board onto itself."""
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    ways = []
    for flip_rows in (False, True):
        for flip_cols in (False, True):
            for swap in (False, True) if rows == cols else (False,):
                goes = []
                for r, c in cells:
                    row = rows - 1 - r if flip_rows else r
                    col = cols - 1 - c if flip_cols else c
                    goes.append(col * cols + row if swap else row * cols + col)
                ways.append(tuple(goes))
    return sorted(set(ways))


def ending(shape: Shape, board: str) -> str:
    won = [mark for mark in "XO" if has_line(board, *shape, mark)]
    return won[0] if won else "draw" if "." not in board else ""


def counted(games: Iterator[tuple[int, str]]) -> GameCounts:
    """Sum up lengths and endings as the counters do."""
    found = Counter(games)
    outcomes: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    for (length, outcome), n in found.items():
        outcomes[outcome] += n
        lengths[length] += n
    return GameCounts(
        outcomes["X"],
        outcomes["O"],
        outcomes["draw"],
        {length: lengths[length] for length in sorted(lengths)},
    )


def orbits(shape: Shape) -> GameCounts:
    """Play all games and keep the least of each class; it begins with the least of beginnings."""
    ways = turnings(*shape[:2])

    def play(board: str, moves: Moves) -> Iterator[tuple[int, str]]:
        if any(tuple(way[cell] for cell in moves) < moves for way in ways):
            return
        outcome = ending(shape, board)
        if outcome:
            yield len(moves), outcome
            return
        for cell in range(len(board)):
            if board[cell] == ".":
                mark = "XO"[len(moves) % 2]
                yield from play(board[:cell] + mark + board[cell + 1 :], (*moves, cell))

    return counted(play("." * (shape[0] * shape[1]), ()))


def identified(shape: Shape) -> GameCounts:
    """Play only one of the moves that a symmetry of the position maps to each other."""
    ways = turnings(*shape[:2])

    def play(board: str, length: int) -> Iterator[tuple[int, str]]:
        outcome = ending(shape, board)
        if outcome:
            yield length, outcome
            return
        same = [way for way in ways if all(board[way[c]] == board[c] for c in range(len(board)))]
        for cell in range(len(board)):
            if board[cell] == "." and all(way[cell] >= cell for way in same):
                mark = "XO"[length % 2]
                yield from play(board[:cell] + mark + board[cell + 1 :], length + 1)

    return counted(play("." * (shape[0] * shape[1]), 0))


# ---------------------------------------------------------------------------------- published


@pytest.mark.parametrize(
    ("grid", "meaning", "total"),
    [
        (grid, entry["meaning"], int(total))
        for entry in vectors("published.json")
        if "meaning" in entry
        for grid, total in entry["totals"].items()
    ],
)
def test_published(grid: str, meaning: Any, total: int) -> None:
    assert count(Grid.parse(grid), up_to_symmetry=True, meaning=meaning).total == total


def test_three_in_a_row_with_moves_identified() -> None:
    counts = count(Grid(3, 3, 3), up_to_symmetry=True, meaning="moves")
    assert counts == identified((3, 3, 3))
    assert counts.total == 26_830


def test_three_in_a_row_in_orbits() -> None:
    counts = count(Grid(3, 3, 3), up_to_symmetry=True)
    assert counts == orbits((3, 3, 3))
    assert counts.total == 31_896


# ------------------------------------------------------------------------------- any small grid


@settings(max_examples=40)
@given(SMALL)
def test_orbits_of_whole_games(shape: Shape) -> None:
    counts = count(Grid(*shape), up_to_symmetry=True, meaning="orbits")
    assert counts == orbits(shape)
    assert count(Grid(*shape), up_to_symmetry=True) == counts


@settings(max_examples=40)
@given(SMALL)
def test_moves_identified_at_each_step(shape: Shape) -> None:
    assert count(Grid(*shape), up_to_symmetry=True, meaning="moves") == identified(shape)


@pytest.mark.parametrize("shape", [(3, 3, 2), (2, 4, 5), (1, 8, 3), (2, 4, 2), (4, 2, 3)])
def test_moves_identified_on_larger_grids(shape: Shape) -> None:
    assert count(Grid(*shape), up_to_symmetry=True, meaning="moves") == identified(shape)


@pytest.mark.parametrize("shape", [(3, 3, 1), (3, 3, 2), (2, 4, 2), (1, 7, 2), (7, 1, 3)])
def test_orbits_on_larger_grids(shape: Shape) -> None:
    assert count(Grid(*shape), up_to_symmetry=True) == orbits(shape)


@pytest.mark.parametrize("grid", ["4x4x3", "5x5x3", "5x5x5", "4x5x3", "3x6x4", "1x12x3", "5x4x4"])
def test_most_classes_are_as_large_as_the_group(grid: str) -> None:
    """A game has an image for each symmetry, unless it stays on cells that one does not move."""
    shape = Grid.parse(grid)
    total = count(shape).total
    classes = count(shape, up_to_symmetry=True).total
    order = len(turnings(shape.rows, shape.cols))
    assert total <= classes * order
    assert classes * order < total * 1.001
    # On 5x5 a middle line has five cells, enough for a game of three in a row.
    assert (classes * order == total) == (grid != "5x5x3")


def test_moves_identified_are_no_more_than_orbits() -> None:
    for grid in ("3x3x3", "3x4x3", "4x4x2"):
        shape = Grid.parse(grid)
        moves = count(shape, up_to_symmetry=True, meaning="moves")
        assert moves.total <= count(shape, up_to_symmetry=True).total <= count(shape).total


@pytest.mark.parametrize("meaning", ["orbits", "moves"])
@pytest.mark.parametrize("shape", [(2, 5, 2), (3, 4, 3), (1, 8, 3), (2, 4, 3)])
def test_transposing_changes_no_count(shape: Shape, meaning: Any) -> None:
    rows, cols, k = shape
    counts = count(Grid(rows, cols, k), up_to_symmetry=True, meaning=meaning)
    assert count(Grid(cols, rows, k), up_to_symmetry=True, meaning=meaning) == counts


@pytest.mark.parametrize("meaning", ["", "Orbits", "games", 3])
def test_an_unknown_meaning_is_refused(meaning: Any) -> None:
    with pytest.raises(NoughtsError, match="orbits"):
        count(Grid(2, 2, 2), up_to_symmetry=True, meaning=meaning)
