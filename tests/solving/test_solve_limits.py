"""Solving within limits, and with checkpoints: what is not known is never claimed."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, NoughtsError, Player, SizeError
from noughts.errors import CheckpointError, LimitExceeded
from noughts.solving import Analysis, Report, Solution, Value, analyse, solve
from noughts.solving.limits import Limits
from noughts.solving.solver import Solver
from support.solver_cases import (
    MIB,
    PUBLISHED,
    by_brute_force,
    by_kernels,
    holds_what_it_says,
    known,
    positions,
    sampled,
    seen_before,
    solver,
)

HARD = GridPosition.start("7x7x5")


@pytest.mark.parametrize(
    "limits",
    [Limits(nodes=1), Limits(nodes=1000), Limits(seconds=0.01), Limits(seconds=0.2, nodes=10**9)],
    ids=["a node", "nodes", "a moment", "seconds"],
)
def test_a_search_that_is_stopped_claims_nothing(limits: Limits) -> None:
    """The game is a draw: Hsu, Ko, Hsueh and Wu, Solving 7,7,5-game and 8,8,5-game (2018).

    That the first side does not lose is known without any search, by strategy stealing.
    """
    for solution in (solve(HARD, limits), Solver(HARD.grid, limits).solve(HARD)):
        assert not solution.is_proved
        assert (solution.value, solution.plies, solution.winner) == (None, None, None)
        assert (solution.at_least, solution.at_most) == (Value.DRAW, Value.WIN)
        assert (solution.best, solution.line) == ((), ())
        assert str(solution) == "X has at least a draw; more is not known"
        plain = json.loads(json.dumps(solution.to_json()))
        assert (plain["value"], plain["plies"], plain["proved"]) == ("unknown", None, False)
        assert (plain["best"], plain["line"]) == ([], [])


def test_an_analysis_that_is_stopped_claims_nothing() -> None:
    analysis = Solver(HARD.grid, Limits(nodes=1)).analyse(HARD)
    assert not analysis.solution.is_proved
    assert len(analysis.moves) == 49
    for found in analysis.moves:
        # The game is a draw, so no first move wins. Some may lose: nobody has published which.
        assert found.value in (None, Value.DRAW, Value.LOSS)
        assert found.at_least is not Value.WIN
    plain = analysis.to_json()
    assert (plain["value"], plain["proved"], plain["plies"]) == ("unknown", False, None)


def test_an_analysis_knows_what_a_solution_knows() -> None:
    limits = Limits(nodes=1)
    analysis = Solver(HARD.grid, limits).analyse(HARD).solution
    solution = Solver(HARD.grid, limits).solve(HARD)
    assert (analysis.at_least, analysis.at_most) == (solution.at_least, solution.at_most)


def test_a_limit_of_nodes_is_nearly_kept() -> None:
    for nodes in (1, 1000, 100_000):
        assert Solver(HARD.grid, Limits(nodes=nodes)).solve(HARD).nodes < 3 * nodes + 200_000


@pytest.mark.parametrize("grid", ["4x6x4", "4x7x4", "5x5x4", "5x5x3"])
def test_no_limit_makes_an_early_claim_wrong(grid: str) -> None:
    """Compared with what is known without limits."""
    rng = random.Random(grid)
    for _ in range(12):
        position = sampled(grid, rng.randint(0, 5), rng)
        value, plies = known(by_kernels(position))
        limits = Limits(seconds=0.001, memory=MIB)
        for found in (
            Solver(position.grid, limits).solve(position),
            Solver(position.grid, limits).solve(position, with_line=False),
        ):
            assert found.at_least.rank <= value.rank <= found.at_most.rank
            assert found.plies in (None, plies)
            if not found.is_proved:
                assert (found.plies, found.best, found.line) == (None, (), ())


@settings(max_examples=80)
@given(
    positions(["3x4x3", "4x4x3", "4x4x4", "3x5x3", "5x5x4", "4x6x4"], empty=8),
    st.sampled_from([1, 2, 3, 5, 10, 30, 100, 1000]),
)
def test_no_limit_makes_a_claim_wrong(position: GridPosition, nodes: int) -> None:
    value, plies = by_brute_force(position)
    limited = Solver(position.grid, Limits(nodes=nodes, memory=MIB))
    for _ in range(2):
        for solution in (limited.solve(position), limited.analyse(position).solution):
            assert solution.at_least.rank <= value.rank <= solution.at_most.rank
            assert solution.plies in (None, plies)
            if not solution.is_proved:
                assert (solution.plies, solution.best, solution.line) == (None, (), ())
    for found in limited.analyse(position).moves:
        expected, length = seen_before(by_brute_force(position.play(found.move)))
        assert found.at_least.rank <= expected.rank <= found.at_most.rank
        assert found.plies in (None, length)


@settings(max_examples=60)
@given(positions(["3x4x3", "4x4x3", "4x4x4", "3x5x3", "5x5x4"], empty=8))
def test_without_distances_the_values_are_the_same(position: GridPosition) -> None:
    solution = Solver(position.grid, Limits(distance=False, memory=MIB)).solve(position)
    value, plies = by_brute_force(position)
    assert solution.value is value
    assert solution.plies in (None, plies)
    last = position
    for move in solution.line:
        last = last.play(move)
    for move in solution.best:
        after, _ = by_brute_force(position.play(move))
        assert after is value.reversed


@pytest.mark.parametrize("grid", ["5x6x4", "6x6x4", "8x8x4"])
def test_a_win_without_its_distance(grid: str) -> None:
    limits = Limits(distance=False)
    solution = Solver(Grid.parse(grid), limits).solve(GridPosition.start(grid))
    assert solution.winner is Player.X
    assert solution.plies in (None, 11)
    assert solution.best


def test_a_solver_goes_on_after_it_was_stopped() -> None:
    """Asked again and again it may come further, and is never wrong about something else."""
    grid = Grid(4, 6, 4)
    limited = Solver(grid, Limits(nodes=2000, memory=16 * MIB))
    rng = random.Random(5)
    solution = limited.solve(GridPosition.start(grid))
    for _ in range(20):
        position = sampled("4x6x4", 24 - rng.randint(4, 7), rng)
        found = limited.solve(position)
        value, plies = by_brute_force(position)
        assert found.at_least.rank <= value.rank <= found.at_most.rank
        assert found.plies in (None, plies)
        solution = limited.solve(GridPosition.start(grid))
        assert solution.at_least is Value.DRAW
        assert solution.value in (None, Value.DRAW)


def test_an_interrupted_solver_is_as_good_as_before() -> None:
    calls: list[Report] = []

    def interrupt(report: Report) -> None:
        calls.append(report)
        if len(calls) in (1, 3):
            raise KeyboardInterrupt

    start = GridPosition.start("4x7x4")
    stopped = Solver(start.grid, Limits(progress=interrupt))
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stopped.solve(start)
    rng = random.Random(6)
    for _ in range(10):
        position = sampled("4x7x4", 28 - rng.randint(3, 6), rng)
        assert known(stopped.solve(position)) == by_brute_force(position)
    assert known(stopped.solve(start)) == (Value.DRAW, None)
    assert all(earlier.nodes >= 0 and earlier.not_within >= 0 for earlier in calls)


def test_an_interrupted_function_is_as_good_as_before() -> None:
    """`solve` keeps its last solver."""
    stop = [True]

    def interrupt(report: Report) -> None:
        if stop:
            stop.pop()
            raise KeyboardInterrupt

    start = GridPosition.start("4x7x4")
    limits = Limits(progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        solve(start, limits)
    assert not stop
    solution = solve(start, limits)
    assert str(solution) == "a draw"
    holds_what_it_says(solution)


def test_progress_is_told() -> None:
    reports: list[Report] = []
    solution = Solver(HARD.grid, Limits(nodes=200_000, progress=reports.append)).solve(HARD)
    assert reports
    assert [r.nodes for r in reports] == sorted(r.nodes for r in reports)
    assert [r.seconds for r in reports] == sorted(r.seconds for r in reports)
    assert reports[-1].nodes <= solution.nodes


@pytest.mark.parametrize("name", ["nodes", "memory", "seconds"])
@pytest.mark.parametrize("value", [0, -1, True, False, float("nan"), -0.5, "5", float("-inf"), 1j])
def test_limits_that_are_none(name: str, value: Any) -> None:
    with pytest.raises(SizeError, match=name):
        Limits(**{name: value})


@pytest.mark.parametrize("name", ["nodes", "memory"])
@pytest.mark.parametrize("value", [1.0, 2e9, float("inf"), None])
def test_limits_that_are_not_whole(name: str, value: Any) -> None:
    if name == "nodes" and value is None:
        assert Limits(nodes=None).nodes is None
        return
    with pytest.raises(SizeError, match=name):
        Limits(**{name: value})


def test_the_least_memory() -> None:
    with pytest.raises(SizeError, match="memory"):
        Limits(memory=MIB - 1)
    for grid in ("4x4x4", "4x6x4", "5x5x4", "5x6x4", "6x6x4", "6x6x5"):
        solution = Solver(Grid.parse(grid), Limits(memory=MIB)).solve(GridPosition.start(grid))
        assert str(solution) == PUBLISHED[grid]
        holds_what_it_says(solution)


@pytest.mark.parametrize("grid", ["5x13x4", "8x9x4", "1x65x1", "65x1x3", "9x9x5", "1000x1000x5"])
def test_boards_that_are_too_large(grid: str) -> None:
    with pytest.raises(LimitExceeded, match="64 cells"):
        Solver(Grid.parse(grid))
    with pytest.raises(LimitExceeded, match="64 cells"):
        solve(GridPosition.start(grid))
    with pytest.raises(LimitExceeded, match="64 cells"):
        analyse(GridPosition.start(grid))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("XXX/OO./...", "X has won"),
        ("XX./OOO/X..", "O has won"),
        ("XOX/XOO/OXX", "a draw"),
        ("4x4x3:XXX./OO../..../....", "X has won"),
        ("2x5x3:XXOXX/OOXOO", "a draw"),
        ("1x65x1:" + "X" + "." * 64, "X has won"),
    ],
)
def test_a_game_that_is_over(text: str, words: str) -> None:
    position = GridPosition.parse(text)
    asked: list[Analysis] = [analyse(position)]
    if position.grid.cells <= 64:
        asked.append(solver(str(position.grid)).analyse(position))
        assert str(by_kernels(position)) == words
    assert str(solve(position)) == words
    for analysis in asked:
        assert analysis.moves == ()
        solution = analysis.solution
        assert (str(solution), solution.nodes) == (words, 0)
        assert solution.plies == (None if words == "a draw" else 0)
        holds_what_it_says(solution)


@pytest.mark.parametrize("other", ["3x3x2", "3x3x4", "4x4x3", "2x4x3", "1x9x3"])
def test_a_position_of_another_grid_is_refused(other: str) -> None:
    """Searched by the wrong lines, it would get a wrong value that looks proved."""
    for ask in (solver("3x3x3").solve, solver("3x3x3").analyse):
        with pytest.raises(NoughtsError, match="3x3x3"):
            ask(GridPosition.start(other))


# ------------------------------------------------------------------------------------- checkpoints


def interrupted(path: Path, grid: str, nodes: int) -> Solution:
    limits = Limits(nodes=nodes, checkpoint=path, memory=16 * MIB)
    return Solver(Grid.parse(grid), limits).solve(GridPosition.start(grid))


def resumed(path: Path, position: GridPosition, memory: int = 16 * MIB) -> Solution:
    return Solver(position.grid, Limits(checkpoint=path, memory=memory)).solve(position)


@pytest.mark.parametrize(("grid", "nodes"), [("4x7x4", 1), ("4x7x4", 100_000), ("8x8x4", 1)])
def test_an_interrupted_question_goes_on(tmp_path: Path, grid: str, nodes: int) -> None:
    path = tmp_path / "solve.db"
    first = interrupted(path, grid, nodes)
    assert not first.is_proved, "or this test shows nothing"
    assert path.exists()
    for _ in range(2):  # the second time everything is there
        solution = resumed(path, GridPosition.start(grid))
        assert str(solution) == PUBLISHED[grid]
        holds_what_it_says(solution)


def test_a_question_interrupted_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "solve.db"
    rounds = 0
    while not interrupted(path, "4x7x4", 1).is_proved:
        rounds += 1
        assert rounds < 500, "nothing that was found is kept"
    assert rounds, "or this test shows nothing"
    assert str(resumed(path, GridPosition.start("4x7x4"))) == "a draw"


def test_a_question_stopped_by_the_user_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "solve.db"
    start = GridPosition.start("4x7x4")

    def interrupt(report: Report) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Solver(start.grid, Limits(checkpoint=path, progress=interrupt, memory=16 * MIB)).solve(
            start
        )
    assert str(resumed(path, start)) == "a draw"


@pytest.mark.parametrize("text", ["4x6x4", "4x5x5", "5x4x4", "4x5x4:X..../..../....."])
def test_a_checkpoint_of_another_question(tmp_path: Path, text: str) -> None:
    path = tmp_path / "solve.db"
    interrupted(path, "4x5x4", 10)
    before = path.read_bytes()
    position = GridPosition.start("4x5x4").play(0) if ":" in text else GridPosition.start(text)
    with pytest.raises(CheckpointError, match="4x5x4"):
        resumed(path, position)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["solve.db"]
    assert str(resumed(path, GridPosition.start("4x5x4"))) == "a draw"


@pytest.mark.parametrize("content", [b"not a checkpoint", b"\0" * 5000, b"SQLite format 3\0"])
def test_a_file_that_is_no_checkpoint(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "solve.db"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"solve\.db"):
        resumed(path, GridPosition.start("4x5x4"))
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["solve.db"]


def test_places_where_no_checkpoint_can_be(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nowhere" / "solve.db", tmp_path / ("x" * 300)):
        with pytest.raises(CheckpointError):
            resumed(path, GridPosition.start("4x5x4"))
    assert list(tmp_path.iterdir()) == []


def test_no_damage_to_a_checkpoint_gives_a_wrong_value(tmp_path: Path) -> None:
    path = tmp_path / "solve.db"
    assert not interrupted(path, "4x7x4", 1).is_proved
    whole = path.read_bytes()
    rng = random.Random(8)
    refused = 0
    for _ in range(8):
        damaged = bytearray(whole)
        for _ in range(rng.randint(1, 40)):
            damaged[rng.randrange(len(damaged))] ^= rng.randint(1, 255)
        path.write_bytes(damaged)
        try:
            solution = resumed(path, GridPosition.start("4x7x4"))
        except CheckpointError:
            refused += 1
            assert path.read_bytes() == damaged
        else:
            assert str(solution) == "a draw"
            holds_what_it_says(solution)
    assert refused


def test_an_analysis_with_a_checkpoint(tmp_path: Path) -> None:
    """It asks about many positions; that they are kept in one file is no mistake of the caller."""
    path = tmp_path / "solve.db"
    position = GridPosition.parse("4x4x3:XO../..../..../....")
    for _ in range(2):
        analysis = Solver(position.grid, Limits(checkpoint=path)).analyse(position)
        assert analysis.moves == solver("4x4x3").analyse(position).moves
