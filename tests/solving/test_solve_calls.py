"""What solving takes and promises as a call: threads, checkpoints, caches, stopping and errors."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Timer
from typing import Any

import pytest

from noughts import Game, Grid, GridPosition, NoughtsError
from noughts.errors import CheckpointError, ProofError, TableError
from noughts.limits import Limits
from noughts.solving import Value, analyse, solve, solver_for, table_of
from noughts.solving import solver as solver_module
from noughts.solving.solver import Solver
from noughts.solving.tables import Table, build_table
from noughts.solving.variation import PrincipalVariation
from noughts.solving.verify import verify
from support.solver_cases import MIB, holds_what_it_says

Builder = Callable[[str], Table]

HARD = GridPosition.start("7x7x5")


@pytest.fixture(autouse=True)
def _tables(installed: Path) -> Path:
    """Let every test begin without installed tables."""
    return installed


# -- threads -----------------------------------------------------------------------------


def test_each_thread_has_its_own_limits() -> None:
    """The first call here takes some tenths of a second; the others end at once."""
    start = GridPosition.start("4x7x4")
    shared = Solver(start.grid, 64 * MIB)
    shared.load()
    with ThreadPoolExecutor(2) as pool:
        for _ in range(3):
            whole = pool.submit(shared.solve, start)
            brief = [pool.submit(shared.solve, start, Limits(nodes=1)) for _ in range(5)]
            assert str(whole.result()) == "a draw"
            assert all(each.result().nodes <= 1 for each in brief)


def test_waiting_for_the_solver_counts_as_time() -> None:
    shared, stop = Solver(HARD.grid, 64 * MIB), Event()
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(shared.solve, HARD, stop=stop)
        while not shared._lock.locked():
            time.sleep(0.001)
        try:
            solution = shared.solve(HARD, Limits(seconds=0.1))
        finally:
            stop.set()
        assert solution.nodes == 0
        assert solution.at_least is Value.DRAW
        assert not busy.result().is_proved


# -- stopping ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["solve", "analyse"])
def test_a_call_is_stopped_from_another_thread(name: str) -> None:
    """Without it, proving 7x7x5 would take hours, also its first move alone."""
    solver, stop = Solver(HARD.grid, 64 * MIB), Event()
    Timer(0.2, stop.set).start()
    found = getattr(solver, name)(HARD, stop=stop)
    solution = found if name == "solve" else found.solution
    assert not solution.is_proved
    assert solution.nodes > 0


def test_the_line_is_cut_when_the_call_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """The value is proved, and the rest of the line would need a long search."""
    stop = Event()

    class Endless(PrincipalVariation):
        def find(self) -> None:
            stop.set()
            while not self.searches.is_stopping:
                time.sleep(0.001)

    monkeypatch.setattr(solver_module, "PrincipalVariation", Endless)
    solution = solve("4x4x3", stop=stop)
    assert str(solution) == "X wins in 5 plies"
    assert len(solution.line) <= 1
    assert solution.line == solution.best


# -- lines -------------------------------------------------------------------------------


@pytest.mark.parametrize("seconds", [0.05, 0.2, 1.0])
@pytest.mark.parametrize("grid", ["5x6x4", "6x6x4"])
def test_a_line_is_not_longer_than_what_is_proved(grid: str, seconds: float) -> None:
    start = GridPosition.start(grid)
    analysis = Solver(start.grid, 64 * MIB).analyse(start, Limits(seconds=seconds))
    best = analysis.moves[0]
    if best.plies is not None:
        assert analysis.solution.line[0] == best.move
        assert len(analysis.solution.line) <= best.plies
    solution = Solver(start.grid, 64 * MIB).solve(start, Limits(seconds=seconds))
    assert solution.plies is None or len(solution.line) <= solution.plies


def test_the_line_of_an_analysis_has_the_proved_length() -> None:
    """Also while the length of other moves is open, which makes the whole's length unknown."""
    start = GridPosition.start("6x6x4")
    solver = Solver(start.grid, 64 * MIB)
    solver.solve(start)
    analysis = solver.analyse(start, Limits(nodes=2_000_000))
    best = analysis.moves[0]
    assert (best.value, best.plies) == (Value.WIN, 11)
    assert len(analysis.solution.line) == 11
    assert analysis.solution.line[0] == best.move
    position = start
    for move in analysis.solution.line:
        position = position.play(move)
    assert position.outcome is not None
    assert position.outcome.winner is start.turn


# -- checkpoints -------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["3x3x3", "3x3x3:XX./OO./...", "3x3x3:XXX/OO./...", "4x4x3"])
@pytest.mark.parametrize("has_table", [False, True])
def test_a_checkpoint_is_always_written(
    tmp_path: Path, installed: Path, text: str, has_table: bool
) -> None:
    """An answer without a search leaves one as well, from which a solver goes on."""
    path = tmp_path / "solve.db"
    if has_table:
        grid = text.partition(":")[0]
        build_table(grid).close()
    solution = solve(text, checkpoint=path)
    assert path.exists()
    resumed = Solver(solution.position.grid, MIB).solve(
        solution.position, Limits(nodes=100_000), checkpoint=path
    )
    assert (resumed.value, resumed.plies) == (solution.value, solution.plies)
    holds_what_it_says(resumed)
    assert solve(text, checkpoint=path) == solution
    with pytest.raises(CheckpointError):
        solve("3x3x3:X../.../...", checkpoint=path)


def test_an_answer_from_a_table_keeps_what_a_search_remembered(
    tmp_path: Path, built: Builder, installed: Path
) -> None:
    path = tmp_path / "solve.db"
    start = GridPosition.start("4x4x4")
    Solver(start.grid, MIB).solve(start, Limits(nodes=100), checkpoint=path)
    size = path.stat().st_size
    shutil.copy(built("4x4x4").path, installed)
    assert str(solve(start, checkpoint=path)) == "a draw"
    assert path.stat().st_size >= size


# -- the caches --------------------------------------------------------------------------


def test_the_last_solver_is_used_again() -> None:
    grid = Grid(3, 4, 3)
    solver = solver_for(grid, 64 * MIB)
    solve("3x4x3", Limits(memory=64 * MIB))
    assert solver_for(grid, 64 * MIB) is solver
    assert solver_for(grid, 32 * MIB) is not solver


def test_a_table_that_is_built_is_seen_at_once(installed: Path) -> None:
    grid = Grid(3, 4, 3)
    assert table_of(grid) is None
    assert solve("3x4x3").nodes > 0
    build_table(grid).close()
    table = table_of(grid)
    assert table is not None
    assert table_of(grid) is table
    assert solve("3x4x3").nodes == solve("4x3x3").nodes == 0
    (installed / "3x4x3.noughts").unlink()
    assert table_of(grid) is None


def test_a_table_that_is_replaced_is_read_again(installed: Path) -> None:
    grid = Grid(3, 4, 3)
    build_table(grid).close()
    before = table_of(grid)
    assert before is not None
    build_table(grid).close()
    after = table_of(grid)
    assert after is not None
    assert after is not before
    assert before.lookup(GridPosition.start(grid)) == after.lookup(GridPosition.start(grid))
    path = installed / "3x4x3.noughts"
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    os.utime(path, ns=(1, 1))
    for _ in range(2):
        with pytest.raises(TableError, match="damaged"):
            table_of(grid)


# -- arguments ---------------------------------------------------------------------------


def test_positions_are_given_in_any_form() -> None:
    for where in ("3x3x3 b2 a1", "O../.X./...", Game.parse("3x3x3 b2 a1")):
        assert str(solve(where)) == "a draw"
        assert len(analyse(where).moves) == 7
    assert str(solve(Grid(4, 4, 3))) == "X wins in 5 plies"
    shared = Solver("4x4x3", MIB)
    for where in ("4x4x3 b2", Game.parse("4x4x3 b2")):
        assert str(shared.solve(where)) == "X wins in 4 plies"
        assert str(shared.analyse(where)) == "X wins in 4 moves (2 of X, 2 of O), proved"


@pytest.mark.parametrize("where", ["ultimate", "ultimate ee", None, 3, "3x3x3 z9", "nonsense"])
def test_what_cannot_be_solved_is_an_error_of_ours(where: Any) -> None:
    for ask in (solve, analyse):
        with pytest.raises(NoughtsError):
            ask(where)


@pytest.mark.parametrize("source", [None, 5, [1, 2], "nowhere.proof", "\0", Path("nowhere.proof")])
def test_a_proof_that_cannot_be_read(source: Any) -> None:
    with pytest.raises(ProofError, match="cannot read the proof"):
        verify(source)


def test_compiling_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "needs_compiling", lambda: True)
    notices: list[str] = []
    Solver(Grid(3, 4, 3), MIB).solve(GridPosition.start("3x4x3"), on_notice=notices.append)
    assert notices == ["compiling, once on this machine"]
