"""Labels of all positions, compared with the slow oracle."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from noughts.datasets.solved import SolvedGrid
from support.data_sets import Row, rows_of_columns
from support.oracle import minimax, reachable_verdicts

GRIDS = ["3x3x3", "2x4x3", "1x5x2", "3x2x5", "1x1x1"]
ALL = ("X_turn", "O_turn", "X_wins", "O_wins", "draw")
TURNS = ALL[:2]


@cache
def solved(grid: str) -> SolvedGrid:
    return SolvedGrid(grid)


@cache
def states(grid: str, up_to_symmetry: bool = False) -> list[Row]:
    table = solved(grid)
    chosen = table.chosen(0, table.places, ALL, up_to_symmetry=up_to_symmetry)
    return rows_of_columns(table.states(chosen))


@cache
def actions(grid: str) -> list[Row]:
    table = solved(grid)
    return rows_of_columns(
        table.actions(table.chosen(0, table.places, TURNS, up_to_symmetry=False))
    )


def flat(row: Row) -> str:
    """Return the board of a row as the oracle has it."""
    return str(row["position"]).partition(":")[2].replace("/", "")


def sizes(grid: str) -> tuple[int, int, int]:
    rows, cols, k = map(int, grid.split("x"))
    return rows, cols, k


def moves_of(board: str) -> Iterator[tuple[int, str]]:
    mover = "X" if board.count("X") == board.count("O") else "O"
    for cell, mark in enumerate(board):
        if mark == ".":
            yield cell, board[:cell] + mover + board[cell + 1 :]


REVERSED = {"win": "loss", "draw": "draw", "loss": "win"}


def value_after(board: str, grid: str) -> tuple[str, int | None]:
    value, plies = minimax(board, *sizes(grid))
    return REVERSED[value], None if plies is None else plies + 1


def images(board: str, grid: str) -> set[str]:
    """Return all rotations and reflections of a board, by moving rows of characters."""
    rows, cols, _ = sizes(grid)
    found = set()
    lines = [board[row * cols : (row + 1) * cols] for row in range(rows)]
    for turned in (lines, ["".join(column) for column in zip(*lines, strict=True)]):
        if len(turned) == rows and len(turned[0]) == cols:
            for down in (turned, turned[::-1]):
                found |= {"".join(down), "".join(line[::-1] for line in down)}
    return found


@pytest.mark.parametrize("grid", GRIDS)
def test_every_position_has_a_row_with_its_verdict(grid: str) -> None:
    found = {flat(row): row["verdict"] for row in states(grid)}
    assert len(found) == len(states(grid))
    assert found == reachable_verdicts(*sizes(grid))


@pytest.mark.parametrize("grid", GRIDS)
def test_values_and_moves_are_those_of_the_oracle(grid: str) -> None:
    for row in states(grid):
        board = flat(row)
        assert row["cells"] == [".XO".index(mark) for mark in board]
        assert row["marks"] == len(board) - board.count(".")
        assert (row["value"], row["plies"]) == minimax(board, *sizes(grid))
        legal = dict(moves_of(board)) if row["verdict"] in TURNS else {}
        after = {cell: value_after(child, grid) for cell, child in legal.items()}
        cells = range(len(board))
        assert row["legal_mask"] == [int(cell in legal) for cell in cells]
        assert row["move_values"] == [after.get(cell, (None, None))[0] for cell in cells]
        assert row["move_plies"] == [after.get(cell, (None, None))[1] for cell in cells]
        best = (row["value"], row["plies"])
        assert row["best_moves"] == [cell for cell in after if after[cell] == best]
        assert bool(row["best_moves"]) is bool(legal)


@pytest.mark.parametrize("grid", GRIDS)
def test_canonical_forms_and_orbits(grid: str) -> None:
    orbits: dict[str, set[str]] = {}
    for row in states(grid):
        everyone = images(flat(row), grid)
        assert row["orbit_size"] == len(everyone)
        assert row["canonical"].partition(":")[2].replace("/", "") in everyone
        orbits.setdefault(row["canonical"], everyone)
        assert orbits[row["canonical"]] == everyone
    forms = states(grid, up_to_symmetry=True)
    assert [row["position"] for row in forms] == [row["canonical"] for row in forms]
    assert {row["position"] for row in forms} == set(orbits)


@pytest.mark.parametrize("grid", GRIDS)
def test_paths_and_games_through_a_position(grid: str) -> None:
    """Paths are added up forwards and games backwards, along the oracle's moves."""
    verdicts = reachable_verdicts(*sizes(grid))
    boards = sorted(verdicts, key=lambda board: -board.count("."))
    paths = dict.fromkeys(boards, 0)
    paths[boards[0]] = 1
    for board in boards:
        for _, child in moves_of(board) if verdicts[board] in TURNS else ():
            paths[child] += paths[board]
    games: dict[str, int] = {}
    for board in reversed(boards):
        is_over = verdicts[board] not in TURNS
        games[board] = 1 if is_over else sum(games[child] for _, child in moves_of(board))
    for row in states(grid):
        board = flat(row)
        assert row["paths"] == paths[board]
        assert row["games_through"] == paths[board] * games[board]
    for row in actions(grid):
        child = dict(moves_of(flat(row)))[row["move"]]
        assert row["games_through"] == paths[flat(row)] * games[child]


@pytest.mark.parametrize("grid", GRIDS)
def test_actions_say_the_same_as_states(grid: str) -> None:
    by_position = {row["position"]: row for row in states(grid)}
    letters = "abcdefgh"
    cols = sizes(grid)[1]
    seen = set()
    for row in actions(grid):
        state, move = by_position[row["position"]], row["move"]
        seen.add((row["position"], move))
        assert row["name"] == f"{letters[move % cols]}{move // cols + 1}"
        same = ("cells", "verdict", "marks", "canonical", "orbit_size")
        assert [row[name] for name in same] == [state[name] for name in same]
        assert (row["position_value"], row["position_plies"]) == (state["value"], state["plies"])
        assert (row["value"], row["plies"]) == (
            state["move_values"][move],
            state["move_plies"][move],
        )
        assert row["preserves_value"] is (row["value"] == state["value"])
        assert row["is_best"] is (move in state["best_moves"])
    assert len(seen) == len(actions(grid)) == sum(sum(row["legal_mask"]) for row in states(grid))
