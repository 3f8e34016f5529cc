"""Distinct positions and finished boards: swept, listed, and by the oracle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given, settings

from noughts import Grid, GridPosition, Verdict
from noughts.counting import count
from noughts.counting.breadth_first import list_endings, list_positions
from noughts.counting.results import EndingCounts, PositionCounts
from noughts.limits import GIB
from support.oracle import reachable_verdicts
from support.strategies import Shape, shapes, vectors

OUTCOMES = ("X_wins", "O_wins", "draw")
SMALL = shapes(max_side=9, max_k=10, max_cells=8)


def twins(board: str, rows: int, cols: int) -> set[str]:
    """Turn and mirror a flat board in all the ways that keep its shape."""
    grid = [board[start : start + cols] for start in range(0, rows * cols, cols)]
    found = set()
    for _ in range(4):
        grid = ["".join(column) for column in zip(*grid[::-1], strict=True)]  # a quarter turn
        if len(grid) == rows:
            found |= {"".join(grid), "".join(row[::-1] for row in grid)}
    return found


def classes(boards: Iterable[str], shape: Shape) -> list[str]:
    """Keep one board of each class."""
    return sorted({min(twins(board, *shape[:2])) for board in boards})


def marks(board: str) -> int:
    return len(board) - board.count(".")


def by_marks(boards: Iterable[str]) -> dict[int, int]:
    return dict(sorted(Counter(map(marks, boards)).items()))


def check_positions(counts: PositionCounts, boards: list[str]) -> None:
    assert counts.by_marks == by_marks(boards)
    assert counts.total == len(boards)
    assert list(counts.by_marks) == sorted(counts.by_marks)


def check_endings(counts: EndingCounts, verdicts: dict[str, str], boards: list[str]) -> None:
    finished = [board for board in boards if verdicts[board] in OUTCOMES]
    for outcome in OUTCOMES:
        expected = by_marks(board for board in finished if verdicts[board] == outcome)
        assert counts.by_outcome[Verdict(outcome)] == expected, outcome
    assert counts.by_marks == by_marks(finished)
    assert list(counts.by_marks) == sorted(counts.by_marks)
    assert counts.total == len(finished)
    ends = Counter(verdicts[board] for board in finished)
    assert (counts.x_wins, counts.o_wins) == (ends["X_wins"], ends["O_wins"])
    assert counts.draws == ends["draw"]


# ---------------------------------------------------------------------------------- published


PUBLISHED = [entry for entry in vectors("published.json") if entry["of"] != "games"]
assert PUBLISHED


@pytest.mark.parametrize("method", ["sweep", "listing"])
@pytest.mark.parametrize("entry", PUBLISHED, ids=lambda entry: entry["what"])
def test_published(entry: dict[str, Any], method: str) -> None:
    symmetric = entry.get("up_to_symmetry", False)
    for grid in {**entry.get("totals", {}), **entry.get("by_marks", {})}:
        if method == "listing" and Grid.parse(grid).cells > 9:
            continue  # listing is slow there, and compared with the sweep on other grids
        if method == "sweep":
            counts: Any = count(grid, entry["of"], up_to_symmetry=symmetric)
        else:
            list_them: Any = list_positions if entry["of"] == "positions" else list_endings
            counts = list_them(GridPosition.start(grid), 4 * GIB, up_to_symmetry=symmetric)
        if grid in entry.get("totals", {}):
            assert counts.total == int(entry["totals"][grid])
        if grid in entry.get("by_marks", {}):
            expected = {n: count for n, count in enumerate(entry["by_marks"][grid]) if count}
            assert counts.by_marks == expected
        for outcome in ("x_wins", "o_wins", "draws"):
            if outcome in entry:
                assert getattr(counts, outcome) == int(entry[outcome])


def test_three_in_a_row_by_the_oracle() -> None:
    shape = (3, 3, 3)
    verdicts = reachable_verdicts(*shape)
    boards, different = sorted(verdicts), classes(verdicts, shape)
    assert (len(boards), len(different)) == (5478, 765)
    grid = Grid(*shape)
    check_positions(count(grid, "positions"), boards)
    check_positions(count(grid, "positions", up_to_symmetry=True), different)
    check_endings(count(grid, "endings"), verdicts, boards)
    check_endings(count(grid, "endings", up_to_symmetry=True), verdicts, different)
    assert count(grid, "endings", up_to_symmetry=True).total == 138


def test_the_projects_own_vectors() -> None:
    for entry in vectors("count.json"):
        grid = Grid.parse(entry["grid"])
        if "positions" in entry:
            assert count(grid, "positions").total == entry["positions"]
            symmetric = count(grid, "positions", up_to_symmetry=True).total
            assert symmetric == entry["positions_up_to_symmetry"]


# ------------------------------------------------------------------------------- any small grid


@settings(max_examples=60)
@given(SMALL)
def test_sweep_listing_and_oracle_agree(shape: Shape) -> None:
    verdicts = reachable_verdicts(*shape)
    grid, start = Grid(*shape), GridPosition.start(Grid(*shape))
    for symmetric in (False, True):
        boards = classes(verdicts, shape) if symmetric else sorted(verdicts)
        check_positions(count(grid, "positions", up_to_symmetry=symmetric), boards)
        check_endings(count(grid, "endings", up_to_symmetry=symmetric), verdicts, boards)
        check_positions(list_positions(start, 4 * GIB, up_to_symmetry=symmetric), boards)
        check_endings(list_endings(start, 4 * GIB, up_to_symmetry=symmetric), verdicts, boards)


@pytest.mark.slow
@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize(
    "grid",
    ["4x4x2", "3x4x3", "3x4x2", "2x7x3", "1x13x4", "13x1x2", "3x4x4", "4x3x3", "2x6x5"],
)
def test_sweep_and_listing_agree_on_larger_grids(grid: str, symmetric: bool) -> None:
    start = GridPosition.start(grid)
    positions = count(start.grid, "positions", up_to_symmetry=symmetric)
    endings = count(start.grid, "endings", up_to_symmetry=symmetric)
    assert positions == list_positions(start, 4 * GIB, up_to_symmetry=symmetric)
    assert endings == list_endings(start, 4 * GIB, up_to_symmetry=symmetric)


@pytest.mark.slow
def test_sweep_and_listing_agree_on_four_by_four() -> None:
    start = GridPosition.start("4x4x3")
    assert count(start.grid, "positions") == list_positions(start, 4 * GIB)
    classes = list_endings(start, 4 * GIB, up_to_symmetry=True)
    assert count(start.grid, "endings", up_to_symmetry=True) == classes


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("shape", [(2, 5, 3), (3, 4, 3), (1, 9, 3), (3, 5, 4)])
def test_transposing_changes_no_count(shape: Shape, symmetric: bool) -> None:
    rows, cols, k = shape
    one, other = Grid(rows, cols, k), Grid(cols, rows, k)
    assert count(one, "positions", up_to_symmetry=symmetric) == count(
        other, "positions", up_to_symmetry=symmetric
    )
    assert count(one, "endings", up_to_symmetry=symmetric) == count(
        other, "endings", up_to_symmetry=symmetric
    )


# -------------------------------------------------------------------------------- special cases


def test_a_win_needs_one_last_move() -> None:
    """On 1x7 three in a row: XXX.XXX is no ending, as no last move made both lines."""
    endings = count(Grid(1, 7, 3), "endings")
    verdicts = reachable_verdicts(1, 7, 3)
    assert "XXXOXXX" not in verdicts
    check_endings(endings, verdicts, sorted(verdicts))


def test_one_in_a_row() -> None:
    assert count(Grid(2, 3, 1), "positions").by_marks == {0: 1, 1: 6}
    assert count(Grid(2, 3, 1), "positions", up_to_symmetry=True).by_marks == {0: 1, 1: 2}
    endings = count(Grid(2, 3, 1), "endings", up_to_symmetry=True)
    assert (endings.x_wins, endings.o_wins, endings.draws) == (2, 0, 0)


def test_nobody_can_win() -> None:
    endings = count(Grid(2, 3, 4), "endings")
    assert endings.by_outcome == {
        Verdict.X_WINS: {},
        Verdict.O_WINS: {},
        Verdict.DRAW: {6: 20},
    }
    assert count(Grid(2, 3, 4), "positions").by_marks == {
        0: 1,
        1: 6,
        2: 30,
        3: 60,
        4: 90,
        5: 60,
        6: 20,
    }


def test_positions_are_running_ones_and_endings() -> None:
    grid = Grid(4, 4, 3)
    positions, endings = count(grid, "positions"), count(grid, "endings")
    assert all(endings.by_marks.get(n, 0) <= m for n, m in positions.by_marks.items())
    assert positions.by_marks[16] == endings.by_marks[16]


def test_json_holds_decimal_strings() -> None:
    assert count(Grid(2, 2, 2), "positions").to_json() == {
        "total": "29",
        "by_marks": {"0": "1", "1": "4", "2": "12", "3": "12"},
    }
    assert count(Grid(2, 2, 2), "endings").to_json() == {
        "total": "12",
        "x_wins": "12",
        "o_wins": "0",
        "draws": "0",
        "by_marks": {"3": "12"},
    }
