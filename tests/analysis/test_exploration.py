"""What is behind every move: against brute force, and what the limits leave open."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from noughts import CountMismatch, Game, GridPosition, IllegalMove, LimitExceeded, explore
from noughts.analysis import Exploration, exploration
from noughts.counting import GameCounts
from noughts.values import Value
from support.cli_runner import clean_environment
from support.oracle import has_line, minimax
from support.strategies import Shape


@pytest.fixture(autouse=True)
def _no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Look nothing up in the tables that may be installed."""
    monkeypatch.setenv("NOUGHTS_TABLES", str(tmp_path / "none"))


@cache
def endings(cells: str, shape: Shape) -> Counter[tuple[str, int]]:
    """Play all games from a board on, and count them by outcome and by length."""
    for mark in "XO":
        if has_line(cells, *shape, mark):
            return Counter({(mark, 0): 1})
    if "." not in cells:
        return Counter({("draw", 0): 1})
    found: Counter[tuple[str, int]] = Counter()
    mark = "X" if cells.count("X") == cells.count("O") else "O"
    for cell, taken in enumerate(cells):
        if taken == ".":
            after = cells[:cell] + mark + cells[cell + 1 :]
            for (outcome, length), number in endings(after, shape).items():
                found[outcome, length + 1] += number
    return found


def images(cells: str, rows: int, cols: int) -> set[str]:
    """Turn and mirror a board in every way that keeps its size."""
    table = [cells[row * cols : (row + 1) * cols] for row in range(rows)]
    found = set()
    for _ in range(4):
        for each in (table, table[::-1]):
            if (len(each), len(each[0])) == (rows, cols):
                found.add("".join(each))
        table = ["".join(row[col] for row in reversed(table)) for col in range(len(table[0]))]
    return found


def expect_counted(games: GameCounts | None, cells: str, shape: Shape) -> None:
    expected = endings(cells, shape)
    by_outcome: Counter[str] = Counter()
    by_length: Counter[int] = Counter()
    for (outcome, length), number in expected.items():
        by_outcome[outcome] += number
        by_length[length] += number
    assert games is not None
    assert (games.x_wins, games.o_wins) == (by_outcome["X"], by_outcome["O"])
    assert (games.draws, games.total) == (by_outcome["draw"], expected.total())
    assert games.by_length == by_length


@pytest.mark.parametrize(
    "text",
    [
        *("3x3x3", "3x3x3 b2 a1", "3x3x3:XX./OO./...", "3x3x5", "2x3x2", "1x5x2", "3x3x1"),
        *(
            "3x4x3 b2 c3 a1 d1",
            "2x5x3 b1",
            "4x4x3:XOX./..OX/O.../OX..",
            "4x4x4:XOX./OXO./X.X./...O",
        ),
    ],
)
def test_values_and_counts_are_those_of_brute_force(text: str) -> None:
    position = Game.parse(text).position
    assert isinstance(position, GridPosition)
    shape = (position.grid.rows, position.grid.cols, position.grid.k)
    found = explore(text, seconds=60)
    assert (found.is_proved, found.is_counted, found.notes) == (True, True, ())
    assert sorted(each.move for each in found.moves) == position.legal_moves
    expect_counted(found.games, "".join(position.board.rows), shape)
    boards = {move: "".join(position.play(move).board.rows) for move in position.legal_moves}
    for each in found.moves:
        board = boards[each.move]
        value, plies = minimax(board, *shape)
        assert each.proof.value is Value(value).reversed
        assert each.proof.plies == (None if plies is None else plies + 1)
        expect_counted(each.games, board, shape)
        twins = images(board, *shape[:2])
        assert each.alike == tuple(move for move, other in boards.items() if other in twins)


@pytest.mark.parametrize(
    ("text", "total"),
    [("4x4x3", 1281016086768), ("5x5x4 c3", 124941985529084137851840)],
)
def test_the_games_behind_the_moves_add_up(text: str, total: int) -> None:
    found = explore(text, seconds=60)
    assert found.games is not None
    assert found.games.total == total
    assert sum(each.games.total if each.games else 0 for each in found.moves) == total
    assert found.is_proved


def test_counts_that_do_not_add_up_are_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    from noughts.counting import count

    def miscount(where: GridPosition, **options: Any) -> GameCounts:
        found = count(where, **options)
        wrong = where.x.bit_count() == 2
        return GameCounts(found.x_wins + wrong, found.o_wins, found.draws, found.by_length)

    monkeypatch.setattr(exploration, "count", miscount)
    with pytest.raises(CountMismatch, match="do not add up"):
        explore("3x3x3 b2 a1")


def test_what_the_limits_leave_open_is_open_and_said() -> None:
    found = explore("6x6x5", seconds=0.001)
    assert len(found.moves) == 36
    assert not found.is_proved
    assert str(found) == "not proved"
    assert found.notes == (
        "36 of 36 moves are not proved: the time was not enough.",
        "Games are not counted: the time was not enough.",
    )
    assert {each.games for each in found.moves} == {None}


def test_a_board_may_be_too_large() -> None:
    found = explore(
        "15x15x5:" + "/".join(["XXXX..........."] + ["." * 15] * 13 + ["OOOO" + "." * 11])
    )
    assert found.games is None
    assert [str(each.proof) for each in found.moves[:2]] == ["win in 1", "not known"]
    assert str(found) == "X wins"
    assert found.notes[0] == "Boards of more than 64 cells are too large to be solved."
    assert found.notes[1].startswith("Games are not counted: this board is too large to count")


def test_progress_comes_step_by_step() -> None:
    steps: list[Exploration] = []
    found = explore("3x4x3 b2", on_progress=steps.append, seconds=60)
    counted = [sum(each.games is not None for each in step.moves) for step in steps]
    assert counted == sorted(counted)
    assert steps[0].games is None
    assert (steps[-1].moves, steps[-1].games) == (found.moves, found.games)
    assert {len(step.moves) for step in steps} == {11}


def test_a_stop_ends_it() -> None:
    stop = Event()
    stop.set()
    found = explore("4x4x3", stop=stop, seconds=60)
    assert not found.is_counted
    assert not found.is_proved


@pytest.mark.parametrize(
    ("where", "error", "message"),
    [
        ("3x3x3:XXX/OO./...", IllegalMove, "the game is over: X wins"),
        ("ultimate", LimitExceeded, "only grids can be explored"),
        ("30x40x5", LimitExceeded, "1,024 cells"),
    ],
)
def test_what_cannot_be_explored(where: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        explore(where)


def test_counts_need_neither_numpy_nor_numba() -> None:
    script = (
        "import sys; sys.modules['numpy'] = sys.modules['numba'] = None\n"
        "from noughts import explore\n"
        "found = explore('4x4x3')\n"
        "print(found.games.total, found.is_counted, found.is_proved, *found.notes)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=clean_environment(),
        check=True,
    )
    assert done.stdout.startswith("1281016086768 True False Not everything is proved: ")
    assert "pip install 'noughts[engine]'" in done.stdout
