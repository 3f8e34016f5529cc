"""Runs that are killed, interrupted, or lose a worker: the number stays the same."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from noughts.counting import count
from noughts.counting.results import GameCounts
from support.cli_runner import allow_ctrl_c, clean_environment, python

pytestmark = pytest.mark.slow
timed = pytest.mark.flaky(reruns=2)
"""For signals that must arrive at a certain moment: on a busy machine they may miss it."""

GRID = "5x6x4"  # two seconds, in several tasks
PATIENCE = 90.0


@pytest.fixture(scope="module")
def uninterrupted() -> GameCounts:
    return count(GRID)


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command line in a session of its own; whatever is left of it at the end goes."""
    process = subprocess.Popen(
        python(*arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=clean_environment(),
        start_new_session=True,
        preexec_fn=allow_ctrl_c,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def finished(path: Path) -> int:
    """Return how many tasks a checkpoint holds, 0 if it is not there yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=10)) as database:
        try:
            (count,) = database.execute("SELECT count(*) FROM result").fetchone()
        except sqlite3.OperationalError:
            return 0
    return int(count)


def wait_until(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait for something to happen while a process runs."""
    give_up = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, (process.returncode, process.communicate())
        assert time.monotonic() < give_up, "nothing happens"
        time.sleep(0.01)


def completed(*arguments: str) -> dict[str, Any]:
    """Run a count to its end and return its JSON."""
    with started(*arguments) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b""), err.decode()
    found: dict[str, Any] = json.loads(out)
    return found


def check(found: dict[str, Any], expected: GameCounts) -> None:
    assert {key: found[key] for key in expected.to_json()} == expected.to_json()


# ------------------------------------------------------------------------------ the whole process


@timed
def test_a_killed_count_goes_on(tmp_path: Path, uninterrupted: GameCounts) -> None:
    path = tmp_path / "count.db"
    command = ("count", GRID, "--checkpoint", str(path), "--threads", "1", "--json")
    with started(*command) as process:
        wait_until(lambda: finished(path) > 0, process)
        process.kill()
        out, _ = process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert out == b""
    before = finished(path)
    assert 0 < before < 3
    check(completed(*command), uninterrupted)
    assert finished(path) == 3


def test_a_count_killed_again_and_again_goes_on(tmp_path: Path, uninterrupted: GameCounts) -> None:
    path = tmp_path / "count.db"
    command = ("count", GRID, "--checkpoint", str(path), "--json")
    known = 0
    kills = 0
    for seconds in (0.2, 0.8, 1.3, 1.8):  # the first comes before any machine is done
        with started(*command) as process:
            try:
                process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                kills += 1
            process.wait()
        assert finished(path) >= known
        known = finished(path)
    assert kills > 0
    check(completed(*command), uninterrupted)


def test_a_killed_walk_goes_on(tmp_path: Path) -> None:
    """Backtracking has many small tasks, so that a kill is likely to hit the writing of one."""
    path = tmp_path / "count.db"
    command = ("count", "3x4x3", "--method", "backtrack", "--checkpoint", str(path), "--json")
    for least in (1, 60):
        with started(*command) as process:
            wait_until(lambda least=least: finished(path) >= least, process)  # type: ignore[misc]
            process.kill()
            process.wait()
    found = completed(*command)
    assert found["total"] == "151188768"
    check(found, count("3x4x3"))


# ----------------------------------------------------------------------------------------- Ctrl-C


def interrupt(process: subprocess.Popen[bytes]) -> str:
    """Press Ctrl-C and return what the process says then."""
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err.decode()
    assert out == b""
    assert b"Traceback" not in err
    return err.decode()


def test_an_interrupted_count_says_how_far_it_is(tmp_path: Path, uninterrupted: GameCounts) -> None:
    path = tmp_path / "count.db"
    command = ("count", GRID, "--checkpoint", str(path), "--threads", "1", "--json")
    with started(*command) as process:
        wait_until(lambda: finished(path) > 0, process)
        said = interrupt(process)
    assert "%" in said
    share = float(next(word for word in said.split() if word[0].isdigit()).rstrip("%:,"))
    assert 33 <= share < 100
    assert str(path) in said
    check(completed(*command), uninterrupted)


@timed
def test_an_interrupted_count_without_a_checkpoint() -> None:
    with started("count", "6x6x4") as process:
        time.sleep(2.5)
        said = interrupt(process)
    assert "Interrupted" in said
    assert "%" in said


@timed
def test_an_endless_walk_can_be_interrupted() -> None:
    with started("count", "5x5x5", "--method", "backtrack") as process:
        time.sleep(2.5)
        said = interrupt(process)
    assert "Interrupted" in said


@timed
def test_an_endless_listing_can_be_interrupted() -> None:
    with started("games", "5x5x5", "--outcome", "O_wins", "--start", "1000000") as process:
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"Traceback" not in err


def test_an_interrupted_cluster_leaves_no_process_behind(tmp_path: Path) -> None:
    psutil: Any = import_module("psutil")
    path = tmp_path / "count.db"
    command = ("count", GRID, "--checkpoint", str(path), "--cluster", "local:2")
    with started(*command) as process:
        wait_until(lambda: finished(path) > 0, process)
        family = psutil.Process(process.pid).children(recursive=True)
        said = interrupt(process)
        _, alive = psutil.wait_procs(family, timeout=10)
    assert str(path) in said
    assert not alive


# ---------------------------------------------------------------------------------------- workers


def workers(process: subprocess.Popen[bytes]) -> list[Any]:
    """Return the worker processes of a local cluster that have some work behind them."""
    psutil: Any = import_module("psutil")
    found = []
    for child in psutil.Process(process.pid).children(recursive=True):
        with suppress(psutil.Error):
            if "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found


@timed
def test_a_local_cluster_that_loses_a_worker(tmp_path: Path, uninterrupted: GameCounts) -> None:
    path = tmp_path / "count.db"
    command = ("count", GRID, "--checkpoint", str(path), "--cluster", "local:2", "--json")
    with started(*command) as process:
        # The first task is finished, so the second and third are under way.
        wait_until(lambda: finished(path) > 0, process)
        busiest = max(workers(process), key=lambda worker: worker.cpu_percent(0.05))
        assert finished(path) < 3
        busiest.kill()
        out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err.decode()
    assert b"Traceback" not in err
    check(json.loads(out), uninterrupted)
    assert finished(path) == 3


@timed
def test_a_scheduler_that_loses_a_worker(uninterrupted: GameCounts) -> None:
    distributed: Any = import_module("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids: dict[str, int] = client.run(os.getpid)
        with started("count", GRID, "--cluster", cluster.scheduler_address, "--json") as process:

            def processing() -> list[str]:
                return [address for address, tasks in client.processing().items() if tasks]

            wait_until(lambda: len(processing()) == 2, process)
            time.sleep(0.3)
            victim = processing()[0]
            os.kill(pids[victim], signal.SIGKILL)
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err.decode()
        check(json.loads(out), uninterrupted)
        assert pids[victim] not in client.run(os.getpid).values()
