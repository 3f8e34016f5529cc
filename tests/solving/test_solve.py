"""Solving: against brute force, tables and published values; as JSON; and without compiling."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings

from noughts import Grid, GridPosition, Player
from noughts.solving import Value, analyse, solve
from noughts.solving.solver import Solver
from noughts.solving.tables import Table, build_table
from support.oracle import reachable_verdicts
from support.solver_cases import (
    MIB,
    PUBLISHED,
    Ask,
    all_grids,
    by_brute_force,
    by_kernels,
    canonical_only,
    holds_what_it_says,
    known,
    positions,
    running_positions,
    sampled,
    script_result,
    solver,
)
from support.strategies import masks_of

Builder = Callable[[str], Table]


@pytest.fixture(autouse=True, scope="module")
def _no_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Hide tables that the user may have installed: `solve` would ask them instead."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NOUGHTS_TABLES", str(tmp_path_factory.mktemp("none")))
        yield


# ----------------------------------------------------------------------------- against brute force


@pytest.mark.parametrize(
    ("ask", "images", "count"),
    [(solve, True, 5478), (by_kernels, False, 765)],
    ids=["pure", "kernels"],
)
def test_every_position_of_the_classic_game(ask: Ask, images: bool, count: int) -> None:
    """The kernels solve canonical forms only: a symmetry changes no value."""
    every = [GridPosition(Grid(3, 3, 3), *masks_of(cells)) for cells in reachable_verdicts(3, 3, 3)]
    if not images:
        every = canonical_only(every)
    assert len(every) == count
    for position in every:
        solution = ask(position)
        assert known(solution) == by_brute_force(position), position
        assert solution.position == position
        holds_what_it_says(solution)


SMALL_GRIDS = [
    *("1x1x1", "1x1x2", "1x2x1", "1x2x2", "2x1x2", "1x4x2", "5x1x2", "1x6x3", "7x1x3", "1x8x5"),
    *("2x2x1", "2x2x2", "2x2x3", "2x3x2", "3x2x3", "2x4x2", "4x2x2", "2x4x3", "2x4x5"),
    *("3x3x1", "3x3x2", "3x3x4"),
]


@pytest.mark.parametrize("ask", [solve, by_kernels], ids=["pure", "kernels"])
def test_every_position_of_small_grids(ask: Ask) -> None:
    """Among them single rows and columns, boards without a line, and boards that any move wins."""
    for grid in SMALL_GRIDS:
        every = canonical_only(running_positions(grid))
        if len(every) > 100:
            every = [every[0], *random.Random(grid).sample(every, 100)]
        for position in every:
            solution = ask(position)
            assert known(solution) == by_brute_force(position), position
            holds_what_it_says(solution)


@pytest.mark.slow
@pytest.mark.parametrize("grid", ["2x4x2", "2x4x3", "3x3x2", "3x3x4", "3x4x2"])
def test_every_position_of_a_grid(grid: str) -> None:
    for position in canonical_only(running_positions(grid)):
        found = solver(grid).solve(position, with_line=False)
        assert known(found) == by_brute_force(position), position


# How many cells are left empty for brute force; more take it too long.
LATE = {
    grid: empty
    for empty, grids in {
        10: "2x5x2 2x5x3 1x10x2 3x4x2 3x4x3",
        9: "5x2x3 1x12x3 1x12x4 2x6x3 6x2x4 4x3x3 4x4x3 4x4x4 3x5x3",
        8: "12x1x5 3x4x4 4x4x2 2x8x2 5x3x3 3x5x4 5x3x4 2x8x3 8x2x3",
        7: "3x4x5 2x8x4 4x5x3 4x5x4 5x4x4 5x5x3 5x5x4",
        6: "5x5x5 4x7x4 3x8x4 6x6x4",
        5: "7x7x5 8x8x4 1x64x4 64x1x3 2x32x3",
    }.items()
    for grid in grids.split()
}


@pytest.mark.parametrize("grid", LATE)
def test_late_positions(grid: str) -> None:
    rng = random.Random(grid)
    cells = Grid.parse(grid).cells
    for number in range(25):
        # Most are a little later, so that brute force gets through many of them.
        empty = LATE[grid] if number < 3 else rng.randint(1, LATE[grid] - 1)
        position = sampled(grid, cells - empty, rng)
        solution = by_kernels(position)
        assert known(solution) == by_brute_force(position), position
        holds_what_it_says(solution)


@settings(max_examples=100)
@given(positions(all_grids(12), empty=8))
def test_any_late_position_of_any_small_grid(position: GridPosition) -> None:
    solution = by_kernels(position)
    assert known(solution) == by_brute_force(position)
    holds_what_it_says(solution)


@settings(max_examples=100)
@given(positions(["4x4x3", "4x4x4", "3x5x3", "3x5x4", "5x3x3", "2x7x3"], empty=8))
def test_any_late_position_of_larger_grids(position: GridPosition) -> None:
    solution = by_kernels(position)
    assert known(solution) == by_brute_force(position)
    holds_what_it_says(solution)


@settings(max_examples=100)
@given(positions(["3x4x3", "2x5x2", "3x4x4", "4x3x3"], empty=7))
def test_the_function_asks_the_kernels(position: GridPosition) -> None:
    assert known(solve(position)) == known(by_kernels(position)) == by_brute_force(position)


@pytest.mark.parametrize("grid", ["3x4x3", "4x4x3", "3x5x3"])
def test_both_sides_win_and_lose_in_what_is_compared(grid: str) -> None:
    """Or else the comparisons above would show little."""
    rng = random.Random(grid)
    cells = Grid.parse(grid).cells
    found = {
        (p.turn, by_brute_force(p)[0])
        for p in (sampled(grid, cells - rng.randint(5, 8), rng) for _ in range(80))
    }
    assert found >= {(side, value) for side in Player for value in (Value.WIN, Value.LOSS)}


@pytest.mark.parametrize("ask", [solve, by_kernels], ids=["solve", "kernels"])
def test_many_threads_may_ask(ask: Ask) -> None:
    """As a server's do. `solve` keeps its last solver, so that they share one either way."""
    rng = random.Random(10)
    asked = [sampled("4x4x3", rng.randint(8, 12), rng) for _ in range(200)]
    expected = [by_brute_force(position) for position in asked]
    with ThreadPoolExecutor(4) as pool:
        assert [known(found) for found in pool.map(ask, asked)] == expected


# ---------------------------------------------------------------------------------- against tables


def compare(table: Table, games: int, asked: Solver, rng: random.Random) -> None:
    """Play at random from the empty board, and compare every position on the way."""
    for _ in range(games):
        position = GridPosition.start(table.grid)
        while not position.outcome:
            found = asked.solve(position, with_line=False)
            assert known(found) == table.lookup(position), position
            position = position.play(rng.choice(position.legal_moves))


@pytest.mark.parametrize("grid", ["3x4x3", "3x5x3", "4x4x3", "4x4x4", "2x8x3", "5x3x4"])
def test_whole_games_agree_with_tables(built: Builder, grid: str) -> None:
    compare(built(grid), 25, solver(grid), random.Random(grid))


@pytest.mark.slow
@pytest.mark.parametrize("grid", ["3x4x3", "3x5x3", "4x4x3", "4x4x4", "2x7x3", "5x3x3"])
def test_quiet_positions_agree_with_tables(built: Builder, grid: str) -> None:
    """Positions with few marks in line, asked in any order."""
    table = built(grid)
    rng = random.Random(grid)
    for number in range(300):
        position = sampled(grid, rng.randint(0, table.grid.cells - 3), rng)
        if number % 30 == 0:
            asked = Solver(table.grid, MIB)
        found = asked.solve(position, with_line=False)
        assert known(found) == table.lookup(position), position


@pytest.mark.slow
@pytest.mark.parametrize("cells", range(2, 13))
def test_every_small_grid_agrees_with_its_table(tmp_path: Path, cells: int) -> None:
    for grid in all_grids(cells):
        if Grid.parse(grid).cells == cells:
            with build_table(grid, tmp_path / "table") as table:
                asked = Solver(table.grid, MIB)
                compare(table, 8, asked, random.Random(grid))


def test_an_installed_table_says_the_same(
    built: Builder, installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = Grid(4, 4, 3)
    build_table(grid, installed / "4x4x3.noughts").close()
    rng = random.Random(1)
    for _ in range(30):
        position = sampled("4x4x3", rng.randint(0, 12), rng)
        from_table, searched = solve(position), by_kernels(position)
        assert (from_table.nodes, known(from_table)) == (0, known(searched)), position
        assert set(searched.best) <= set(from_table.best)
        holds_what_it_says(from_table)
        every, found = analyse(position), solver("4x4x3").analyse(position)
        assert every.moves == found.moves
        assert set(every.solution.best) == set(found.solution.best)


# -------------------------------------------------------------------------------- published values


@pytest.mark.parametrize("grid", PUBLISHED)
def test_published_values(grid: str) -> None:
    for ask in (solve, by_kernels):
        solution = ask(GridPosition.start(grid))
        assert str(solution) == PUBLISHED[grid]
        holds_what_it_says(solution)


@pytest.mark.slow
@pytest.mark.parametrize("grid", ["4x8x4"])
def test_published_values_that_take_a_while(grid: str) -> None:
    assert str(Solver(Grid.parse(grid)).solve(GridPosition.start(grid))) == "a draw"


@pytest.mark.parametrize("grid", ["1x1x2", "1x9x10", "3x3x4", "3x4x5", "4x4x9", "8x8x9", "1x64x65"])
def test_boards_without_a_line(grid: str) -> None:
    rng = random.Random(grid)
    for marks in (0, 1, Grid.parse(grid).cells // 2, Grid.parse(grid).cells - 1):
        position = sampled(grid, marks, rng)
        for ask in (solve, by_kernels):
            assert known(ask(position)) == (Value.DRAW, None)
            holds_what_it_says(ask(position))


@pytest.mark.parametrize("grid", ["1x1x1", "1x2x1", "3x3x1", "4x4x1", "8x8x1", "1x64x1"])
def test_the_first_move_wins(grid: str) -> None:
    for ask in (solve, by_kernels):
        solution = ask(GridPosition.start(grid))
        assert str(solution) == "X wins in 1 ply"
        holds_what_it_says(solution)
    moves = analyse(GridPosition.start(grid)).moves
    assert {(found.value, found.plies) for found in moves} == {(Value.WIN, 1)}
    assert len(moves) == Grid.parse(grid).cells


# ------------------------------------------------------------------------------------------- JSON


def test_a_solution_as_json() -> None:
    position = GridPosition.parse("XX./OO./...")
    for solution in (solve(position), by_kernels(position)):
        plain = json.loads(json.dumps(solution.to_json()))
        expected = {"value": "win", "plies": 1, "proved": True, "best": ["c1"], "line": ["c1"]}
        assert expected.items() <= plain.items()
        assert (plain["position"], plain["turn"]) == ("3x3x3:XX./OO./...", "X")
        assert isinstance(plain["nodes"], str)
        assert int(plain["nodes"]) == solution.nodes
        assert plain["text"] == "X wins in 1 ply"


@pytest.mark.parametrize(
    ("text", "value", "plies"),
    [
        ("XX./O../...", "loss", 4),
        ("4x4x3:..../..../..../....", "win", 5),
        ("4x4x4:..../..../..../....", "draw", None),
        ("XXX/OO./...", "loss", 0),
        ("XOX/XOO/OXX", "draw", None),
    ],
)
def test_values_as_json_are_those_of_the_side_to_move(
    text: str, value: str, plies: int | None
) -> None:
    position = GridPosition.parse(text)
    for solution in (solve(position), by_kernels(position)):
        plain = json.loads(json.dumps(solution.to_json()))
        assert (plain["value"], plain["plies"], plain["proved"]) == (value, plies, True)
        assert (plain["at_least"], plain["at_most"]) == (value, value)
        assert plain["line"] == [position.move_name(move) for move in solution.line]
        assert plain["best"] == [position.move_name(move) for move in solution.best]
        assert all(isinstance(name, str) for name in plain["best"] + plain["line"])
        assert plain["nodes"].isdecimal()
    assert "moves" not in solution.to_json()


def test_the_analysis_of_a_finished_game_as_json() -> None:
    for text, value, score in (("XXX/OO./...", "loss", 0.0), ("XOX/XOO/OXX", "draw", 0.5)):
        plain = json.loads(json.dumps(analyse(GridPosition.parse(text)).to_json()))
        assert (plain["value"], plain["score"]) == (value, score)
        assert (plain["best"], plain["moves"]) == ([], {})


@settings(max_examples=30)
@given(positions(["3x3x3", "3x4x3", "4x4x4"], empty=9))
def test_an_analysis_as_json(position: GridPosition) -> None:
    for analysis in (analyse(position), solver(str(position.grid)).analyse(position)):
        plain = json.loads(json.dumps(analysis.to_json()))
        solution = json.loads(json.dumps(analysis.solution.to_json()))
        assert plain["text"] == str(analysis)
        assert plain["text"].endswith(", proved")
        assert plain["text"].split(" in ")[0] in f"{solution.pop('text')}, proved"
        assert plain.items() >= solution.items()
        moves = plain["moves"]
        names = {position.move_name(found.move): found for found in analysis.moves}
        assert list(moves) == list(names)  # from best to worst
        assert {position.read_move(name) for name in moves} == set(position.legal_moves)
        for name, found in names.items():
            assert found.value is not None
            assert moves[name]["value"] == found.value.value
            assert moves[name]["plies"] == found.plies
            assert moves[name]["proved"] is True
        best = {"value": plain["value"], "plies": plain["plies"]}
        assert all(best.items() <= moves[name].items() for name in plain["best"])


# ------------------------------------------------------------------------- uncompiled, and unloaded


UNCOMPILED = """
import json, sys
from noughts import Grid, GridPosition
from noughts.kernels import COMPILED
from noughts.solving.solver import Solver
assert COMPILED == (sys.argv[1] == "compiled")
found = {}
for text in sys.argv[2:]:
    position = GridPosition.parse(text)
    solution = Solver(position.grid, 1 << 20).solve(position)
    found[text] = [solution.value, solution.plies]
print(json.dumps(found))
"""


def test_the_same_values_uncompiled() -> None:
    rng = random.Random(9)
    asked = [GridPosition.start("3x3x3"), GridPosition.start("3x4x3"), GridPosition.start("2x4x3")]
    asked += [sampled("3x3x3", rng.randint(0, 7), rng) for _ in range(12)]
    asked += [sampled("3x4x3", rng.randint(3, 9), rng) for _ in range(8)]
    asked += [sampled("4x4x4", rng.randint(9, 14), rng) for _ in range(4)]
    texts = [position.text for position in asked]
    plain = script_result(UNCOMPILED, "plain", *texts, env={"NUMBA_DISABLE_JIT": "1"})
    assert (plain.code, plain.err) == (0, "")
    expected = {position.text: list(known(by_kernels(position))) for position in asked}
    assert plain.object == expected
    for position in asked:
        if position.move_count <= 9:
            assert tuple(plain.object[position.text]) == by_brute_force(position)


@pytest.mark.slow
def test_the_same_values_without_numba() -> None:
    texts = ["3x3x3:.../.../...", "3x4x3:..../..../....", "4x4x3:..../..../..../...."]
    script = "import sys; sys.modules['numba'] = None\n" + UNCOMPILED
    plain = script_result(script, "plain", *texts)
    assert (plain.code, plain.err) == (0, "")
    assert list(plain.object.values()) == [["draw", None], ["win", 7], ["win", 5]]


LIGHT = """
import sys
from noughts import GridPosition
from noughts.solving import analyse, solve
assert str(solve(GridPosition.start("3x3x3"))) == "a draw"
assert len(analyse(GridPosition.parse("X../.O./...")).moves) == 7
assert str(solve(GridPosition.parse("4x4x3:XXX./OO../..../...."))) == "X has won"
print([name for name in ("numpy", "numba", "click", "distributed") if name in sys.modules])
"""


def test_tiny_questions_load_nothing_heavy(tmp_path: Path) -> None:
    result = script_result(LIGHT, env={"NOUGHTS_TABLES": str(tmp_path)})
    assert (result.code, result.out.strip(), result.err) == (0, "[]", "")
    blocked = "import sys; sys.modules['numpy'] = sys.modules['numba'] = None\n"
    refused = script_result(
        blocked + "from noughts import GridPosition\nfrom noughts.solving import solve\n"
        "solve(GridPosition.start('4x4x4'))",
        env={"NOUGHTS_TABLES": str(tmp_path)},
    )
    assert "noughts[engine]" in refused.err
