"""Solving within limits, and with checkpoints: what is not known is never claimed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from noughts import Grid, GridPosition, NoughtsError, Player, SizeError
from noughts.errors import CheckpointError, LimitExceeded
from noughts.limits import Limits
from noughts.rules.grid import grid_named
from noughts.solving import Analysis, Solution, Value, analyse, solve
from noughts.solving.searches import Searches
from noughts.solving.solver import SearchProgress, Solver
from noughts.storage import Checkpoint
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
    for solution in (solve(HARD, limits), Solver(HARD.grid).solve(HARD, limits)):
        assert not solution.is_proved
        assert (solution.value, solution.plies, solution.winner) == (None, None, None)
        assert (solution.at_least, solution.at_most) == (Value.DRAW, Value.WIN)
        assert (solution.best, solution.line) == ((), ())
        assert str(solution) == "X has at least a draw; more is not known"
        plain = json.loads(json.dumps(solution.to_json()))
        assert (plain["value"], plain["plies"], plain["proved"]) == ("unknown", None, False)
        assert (plain["best"], plain["line"]) == ([], [])


def test_an_analysis_that_is_stopped_claims_nothing() -> None:
    analysis = Solver(HARD.grid).analyse(HARD, Limits(nodes=1))
    assert not analysis.solution.is_proved
    assert len(analysis.moves) == 49
    for found in analysis.moves:
        # The game is a draw, so no first move wins. Some may lose: which is not published.
        assert found.value in (None, Value.DRAW, Value.LOSS)
        assert found.at_least is not Value.WIN
    plain = analysis.to_json()
    assert (plain["value"], plain["proved"], plain["plies"]) == ("unknown", False, None)


def test_an_analysis_knows_what_a_solution_knows() -> None:
    limits = Limits(nodes=1)
    analysis = Solver(HARD.grid).analyse(HARD, limits).solution
    solution = Solver(HARD.grid).solve(HARD, limits)
    assert (analysis.at_least, analysis.at_most) == (solution.at_least, solution.at_most)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_of_nodes_is_kept(threads: int) -> None:
    """On 5x5x4, where it takes less than 100,000 to prove the value; and on 7x7x5, where not."""
    for position in (HARD, GridPosition.start("5x5x4")):
        for nodes in (1, 2, 1000, 100_000):
            limits = Limits(nodes=nodes, threads=threads)
            solution = Solver(position.grid).solve(position, limits)
            assert 1 <= solution.nodes <= nodes
            assert solution.is_proved or solution.nodes > nodes // 2, "most of them are used"
            analysis = Solver(position.grid).analyse(position, limits).solution
            assert 1 <= analysis.nodes <= nodes


def test_one_thread_and_a_limit_of_nodes_give_the_same_answer_every_time() -> None:
    position = GridPosition.start("5x5x4")
    limits = Limits(nodes=5000, threads=1)
    found = {Solver(position.grid).solve(position, limits).nodes for _ in range(3)}
    assert len(found) == 1


@pytest.mark.parametrize("grid", ["4x6x4", "4x7x4", "5x5x4", "5x5x3"])
def test_no_limit_makes_an_early_claim_wrong(grid: str) -> None:
    """Compared with what is known without limits."""
    rng = random.Random(grid)
    for _ in range(12):
        position = sampled(grid, rng.randint(0, 5), rng)
        value, plies = known(by_kernels(position))
        limits = Limits(seconds=0.001)
        for found in (
            Solver(position.grid, MIB).solve(position, limits),
            Solver(position.grid, MIB).solve(position, limits, with_line=False),
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
    limited, limits = Solver(position.grid, MIB), Limits(nodes=nodes)
    for _ in range(2):
        analysis = limited.analyse(position, limits)
        for solution in (limited.solve(position, limits), analysis.solution):
            assert solution.at_least.rank <= value.rank <= solution.at_most.rank
            assert solution.plies in (None, plies)
            if not solution.is_proved:
                assert (solution.plies, solution.best, solution.line) == (None, (), ())
    for found in analysis.moves:
        expected, length = seen_before(by_brute_force(position.play(found.move)))
        assert found.at_least.rank <= expected.rank <= found.at_most.rank
        assert found.plies in (None, length)


@settings(max_examples=60)
@given(positions(["3x4x3", "4x4x3", "4x4x4", "3x5x3", "5x5x4"], empty=8))
def test_without_distances_the_values_are_the_same(position: GridPosition) -> None:
    solution = Solver(position.grid, MIB).solve(position, distance=False)
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
    solution = Solver(Grid.parse(grid)).solve(GridPosition.start(grid), distance=False)
    assert solution.winner is Player.X
    assert solution.plies in (None, 11)
    assert solution.best


def test_a_solver_goes_on_after_it_was_stopped() -> None:
    """Asked again and again it may come further, and is never wrong about something else."""
    grid = Grid(4, 6, 4)
    limited, limits = Solver(grid, 16 * MIB), Limits(nodes=2000)
    rng = random.Random(5)
    solution = limited.solve(GridPosition.start(grid), limits)
    for _ in range(20):
        position = sampled("4x6x4", 24 - rng.randint(4, 7), rng)
        found = limited.solve(position, limits)
        value, plies = by_brute_force(position)
        assert found.at_least.rank <= value.rank <= found.at_most.rank
        assert found.plies in (None, plies)
        solution = limited.solve(GridPosition.start(grid), limits)
        assert solution.at_least is Value.DRAW
        assert solution.value in (None, Value.DRAW)


def test_an_interrupted_solver_is_as_good_as_before() -> None:
    calls: list[SearchProgress] = []

    def interrupt(report: SearchProgress) -> None:
        calls.append(report)
        if len(calls) in (1, 3):
            raise KeyboardInterrupt

    start = GridPosition.start("4x7x4")
    stopped = Solver(start.grid)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            stopped.solve(start, on_progress=interrupt)
    rng = random.Random(6)
    for _ in range(10):
        position = sampled("4x7x4", 28 - rng.randint(3, 6), rng)
        assert known(stopped.solve(position)) == by_brute_force(position)
    assert known(stopped.solve(start)) == (Value.DRAW, None)
    assert all(earlier.nodes >= 0 and earlier.not_within >= 0 for earlier in calls)


def test_an_interrupted_function_is_as_good_as_before() -> None:
    """`solve` keeps its last solver."""
    stop = [True]

    def interrupt(report: SearchProgress) -> None:
        if stop:
            stop.pop()
            raise KeyboardInterrupt

    start = GridPosition.start("4x7x4")
    with pytest.raises(KeyboardInterrupt):
        solve(start, on_progress=interrupt)
    assert not stop
    solution = solve(start, on_progress=interrupt)
    assert str(solution) == "a draw"
    holds_what_it_says(solution)


def test_progress_is_reported() -> None:
    reports: list[SearchProgress] = []
    solution = Solver(HARD.grid).solve(HARD, Limits(nodes=200_000), on_progress=reports.append)
    assert reports
    assert [r.nodes for r in reports] == sorted(r.nodes for r in reports)
    assert [r.seconds for r in reports] == sorted(r.seconds for r in reports)
    assert reports[-1].nodes <= solution.nodes


def test_the_least_memory() -> None:
    with pytest.raises(SizeError, match="memory"):
        Solver(HARD.grid, MIB - 1)
    for grid in ("4x4x4", "4x6x4", "5x5x4", "5x6x4", "6x6x4", "6x6x5"):
        solution = Solver(Grid.parse(grid), MIB).solve(GridPosition.start(grid))
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
    start = GridPosition.start(grid)
    return Solver(start.grid, 16 * MIB).solve(start, Limits(nodes=nodes), checkpoint=path)


def resumed(path: Path, position: GridPosition, memory: int = 16 * MIB) -> Solution:
    return Solver(position.grid, memory).solve(position, checkpoint=path)


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
    while not interrupted(path, "4x6x4", 3000).is_proved:
        rounds += 1
        assert rounds < 500, "nothing that was found is kept"
    assert rounds, "or this test shows nothing"
    assert str(resumed(path, GridPosition.start("4x6x4"))) == "a draw"


def test_a_question_stopped_by_the_user_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "solve.db"
    start = GridPosition.start("4x7x4")

    def interrupt(report: SearchProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Solver(start.grid, 16 * MIB).solve(start, checkpoint=path, on_progress=interrupt)
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


def written(path: Path, grid: str, **results: object) -> Path:
    """Write results into a checkpoint, with right digests: what a forger would do."""
    file = Checkpoint(path, f"solve {GridPosition.start(grid).text}")
    for task, result in results.items():
        file.save(task, result)
    return path


def test_a_verdict_in_a_checkpoint_is_not_believed(tmp_path: Path) -> None:
    verdict = {"can_win": {"X": True, "O": False}, "not_within": 0, "plies": 3, "nodes": 7}
    path = written(tmp_path / "solve.db", "4x4x4", question=verdict, memory={})
    unknown = interrupted(path, "4x4x4", 1)
    assert not unknown.is_proved
    solution = resumed(path, GridPosition.start("4x4x4"))
    assert str(solution) == "a draw"
    assert solution.nodes > 8  # those of the earlier runs count


MARKS = "1", "2"
NO_WORDS: list[object] = [1, None, "", "x", "-1", "1" * 17, []]
NO_NODES: list[object] = [{"nodes": -1}, {"nodes": "5"}, {"nodes": True}, [], None]
NONSENSE_IN_TABLES: list[object] = [
    *(5, "attack/X", [["attack/X", []]], {"attack/X": {}}, {"attack": []}, {"attack/Z": []}),
    *({"nonsense/X": []}, {"attack/X": ["1201"]}, {"attack/X": [["1", "2", "0"]]}),
    *({"attack/X": [[*MARKS, "0", each]]} for each in NO_WORDS),
    *({"attack/X": [["1", "1", "0", "101"]]}, {"attack/X": [["10000", "0", "0", "101"]]}),
    *({"attack/X": [[*MARKS, zone, "101"]]} for zone in ("1", "10000", "f" * 16)),
    *({"attack/X": [[*MARKS, "0", facts]]} for facts in ("3", "104", "1101", "110001", "20201")),
    *({"defence/O": [[*MARKS, "0", facts]]} for facts in ("1", "401", "410101", "ff000101")),
]


def test_nonsense_in_a_checkpoint_is_refused(tmp_path: Path) -> None:
    searches = Searches(grid_named("4x4x3"), MIB)
    sound = {"attack/X": [[*MARKS, "4", "5000301"]], "conquest/O": [["0", "0", "0", "3f0302"]]}
    searches.load(sound)
    for kept in NONSENSE_IN_TABLES:
        with pytest.raises(ValueError, match=r"^(the entries|there is no|an entry)"):
            searches.load(kept)
    start = GridPosition.start("4x4x3")
    for number, nodes in enumerate(NO_NODES):
        path = written(tmp_path / f"{number}.db", "4x4x3", question=nodes)
        with pytest.raises(CheckpointError, match="damaged: it does not say how many nodes"):
            resumed(path, start)
    path = written(tmp_path / "solve.db", "4x4x3", memory={"attack/X": [[1, 2]]})
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"solve\.db is damaged: an entry is not four words"):
        resumed(path, start)
    assert path.read_bytes() == before


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
