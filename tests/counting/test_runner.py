"""Tasks in threads, on a cluster and over several runs: always the same results."""

from __future__ import annotations

import hashlib
import json
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from noughts import GridPosition, NoughtsError
from noughts.counting import count, line_free
from noughts.counting.backtracking import Backtracking
from noughts.counting.runner import Runner, Task
from noughts.errors import CheckpointError, CountMismatch, LimitExceeded
from noughts.limits import Limits
from noughts.storage import Checkpoint
from support.cli_runner import spawn


def after(grid: str, *moves: int) -> GridPosition:
    position = GridPosition.start(grid)
    for move in moves:
        position = position.play(move)
    return position


def last_moves(grid: str) -> GridPosition:
    """Return a position that a walk counts in a moment."""
    position = GridPosition.start(grid)
    while position.move_count > 8:
        position = position.play(
            next(m for m in position.legal_moves if not position.play(m).outcome)
        )
    return position


COUNTS: dict[str, Callable[..., Any]] = {
    "games": count,
    "games from a position": lambda grid, **options: count(after(grid, 0), **options),
    "games from another": lambda grid, **options: count(after(grid, 1), **options),
    "games by backtracking": lambda grid, **options: count(
        last_moves(grid), method="backtrack", **options
    ),
    "games up to symmetry": lambda grid, **options: count(grid, up_to_symmetry=True, **options),
    "positions": lambda grid, **options: count(grid, "positions", **options),
    "positions up to symmetry": lambda grid, **options: count(
        grid, "positions", up_to_symmetry=True, **options
    ),
    "endings": lambda grid, **options: count(grid, "endings", **options),
    "endings up to symmetry": lambda grid, **options: count(
        grid, "endings", up_to_symmetry=True, **options
    ),
}


class Recorder:
    """A task's function that knows how often it was called, and may fail."""

    def __init__(self, failing: set[int] | None = None) -> None:
        self.calls: list[int] = []
        self.failing = failing or set()
        self._lock = threading.Lock()

    def __call__(self, number: int, *more: Any) -> list[int]:
        with self._lock:
            self.calls.append(number)
        if number in self.failing:
            time.sleep(0.3)  # all that began before is finished and kept by then
            raise ZeroDivisionError(number)
        return [number, number**2]

    def tasks(self, count: int) -> list[Task]:
        return [Task(f"task {n}", self, (n,)) for n in range(count)]


def finished(path: Path) -> int:
    with closing(sqlite3.connect(path)) as database:
        (count,) = database.execute("SELECT count(*) FROM result").fetchone()
    return int(count)


# ------------------------------------------------------------------------------------- in threads


@pytest.mark.parametrize("threads", [1, 2, 7])
@pytest.mark.parametrize("one_at_a_time", [False, True])
def test_results_come_in_order(threads: int, one_at_a_time: bool) -> None:
    work = Recorder()
    runner = Runner(Limits(threads=threads))
    results = runner.run(lambda: "work", work.tasks(20), one_at_a_time=one_at_a_time)
    assert results == [[n, n**2] for n in range(20)]
    assert sorted(work.calls) == list(range(20))
    assert runner.run(lambda: "work", [], one_at_a_time=one_at_a_time) == []


def test_order_does_not_depend_on_who_is_first() -> None:
    def work(number: int) -> int:
        time.sleep((5 - number) / 100)
        return number

    tasks = [Task(str(n), work, (n,)) for n in range(5)]
    assert Runner(Limits(threads=5)).run(lambda: "work", tasks) == list(range(5))


def test_no_more_threads_than_allowed() -> None:
    running: list[int] = []
    most: list[int] = []
    lock = threading.Lock()

    def work(number: int) -> int:
        with lock:
            running.append(number)
            most.append(len(running))
        time.sleep(0.01)
        with lock:
            running.remove(number)
        return number

    Runner(Limits(threads=3)).run(lambda: "work", [Task(str(n), work, (n,)) for n in range(15)])
    assert 1 < max(most) <= 3


def test_a_task_on_its_own_is_told_its_threads_and_reports() -> None:
    shares: list[float] = []

    def work(number: int, threads: int, report: Callable[[float], None]) -> int:
        assert threads == 2
        report(0.5)
        return number

    tasks = [Task(str(n), work, (n,)) for n in range(4)]
    runner = Runner(Limits(threads=2), on_progress=shares.append)
    assert runner.run(lambda: "work", tasks, one_at_a_time=True) == [0, 1, 2, 3]
    assert shares == sorted(shares)
    assert {0.0, 0.125, 0.25, 0.375, 1.0} <= set(shares)


def test_the_subject_is_made_for_checkpoints_only() -> None:
    def subject() -> str:
        raise AssertionError

    assert Runner(Limits(threads=1)).run(subject, Recorder().tasks(2)) == [[0, 0], [1, 1]]


def test_progress_begins_with_what_was_finished_before(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with pytest.raises(ZeroDivisionError):
        Runner(Limits(threads=1), checkpoint=path).run(lambda: "work", Recorder({3}).tasks(4))
    shares: list[float] = []
    Runner(Limits(threads=1), checkpoint=path, on_progress=shares.append).run(
        lambda: "work", Recorder().tasks(4)
    )
    assert shares[0] == 0.75
    assert shares[-1] == 1.0


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"limits": 5}, "limits must be Limits, not 5"),
        ({"limits": Limits(seconds=3)}, "not of seconds or nodes"),
        ({"limits": Limits(nodes=3)}, "not of seconds or nodes"),
        ({"cluster": 5}, "a cluster is an address, not 5"),
        ({"cluster": b"local:2"}, "a cluster is an address"),
        ({"checkpoint": 5}, "a checkpoint is a file's name, not 5"),
    ],
)
def test_options_that_make_no_sense_are_refused(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(NoughtsError, match=message):
        count("3x3x3", **bad)


# --------------------------------------------------------------------------------------- resuming


@pytest.mark.parametrize("one_at_a_time", [False, True])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_failed_run_goes_on_where_it_stopped(
    tmp_path: Path, threads: int, one_at_a_time: bool
) -> None:
    path = tmp_path / "work.db"
    runner = Runner(Limits(threads=threads), checkpoint=path)
    with pytest.raises(ZeroDivisionError):
        runner.run(lambda: "work", Recorder({7}).tasks(10), one_at_a_time=one_at_a_time)
    before = finished(path)
    assert before < 10
    assert before >= 7
    if one_at_a_time:
        assert before == 7
    again = Recorder()
    results = runner.run(lambda: "work", again.tasks(10), one_at_a_time=one_at_a_time)
    assert results == [[n, n**2] for n in range(10)]
    assert len(again.calls) == 10 - before
    third = Recorder()
    assert runner.run(lambda: "work", third.tasks(10), one_at_a_time=one_at_a_time) == results
    assert third.calls == []


@pytest.mark.parametrize("what", COUNTS)
def test_a_checkpoint_changes_no_count(
    tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = COUNTS[what]
    expected = count("3x4x3")
    path = tmp_path / "count.db"
    assert count("3x4x3", checkpoint=path) == expected
    tasks = finished(path)
    assert tasks > 0
    assert [file.name for file in tmp_path.iterdir()] == ["count.db"]

    # Half of the tasks are forgotten, and only those are done again.
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM result WHERE rowid % 2 = 0")
    left = finished(path)
    calls: list[int] = []
    sweep = line_free.sweep_task

    def counting(*arguments: Any) -> Any:
        calls.append(1)
        return sweep(*arguments)

    monkeypatch.setattr(line_free, "sweep_task", counting)
    assert count("3x4x3", checkpoint=path) == expected
    assert finished(path) == tasks
    if "backtracking" not in what:
        assert len(calls) == tasks - left
    calls.clear()
    assert count("3x4x3", checkpoint=path) == expected
    assert calls == []


NO_COUNTS: list[object] = [-1, 0.5, True, "0", None, []]
NOT_TABLES: list[object] = [
    *(None, 5, "[[0]]", {}, [], [[0]], [[0], [0], [0]]),
    *([[each] * size for _ in range(3)] for each in NO_COUNTS for size in (3, 5)),
]


def test_results_that_cannot_be_are_refused(tmp_path: Path) -> None:
    """With right digests, so that only what they say is wrong."""
    for name, complaint in (("games", "sweep"), ("games by backtracking", "walk")):
        path = tmp_path / f"{name}.db"
        COUNTS[name]("2x2x2", checkpoint=path)
        with closing(sqlite3.connect(path)) as database:
            (subject,) = database.execute("SELECT text FROM subject").fetchone()
        task, result = next(iter(Checkpoint(path, subject).load().items()))
        for bad in (*NOT_TABLES, result[:-1], [*result, result[0]], [result[0][:-1], *result[1:]]):
            Checkpoint(path, subject).save(task, bad)
            with pytest.raises(CheckpointError, match=f"damaged: '{complaint} .* another result"):
                COUNTS[name]("2x2x2", checkpoint=path)
    Checkpoint(path, subject).save(task, result)
    assert COUNTS[name]("2x2x2", checkpoint=path) == COUNTS[name]("2x2x2")


@pytest.mark.parametrize("what", COUNTS)
def test_a_checkpoint_of_another_count_is_refused_untouched(tmp_path: Path, what: str) -> None:
    path = tmp_path / "count.db"
    count("2x2x2", checkpoint=path)
    before = path.read_bytes()
    with pytest.raises(CheckpointError, match=r"2x2x2.*3x4x3"):
        COUNTS[what]("3x4x3", checkpoint=path)
    assert path.read_bytes() == before


def test_no_two_counts_share_a_checkpoint(tmp_path: Path) -> None:
    for one in ("games", "games by backtracking", "endings up to symmetry"):
        path = tmp_path / f"{one}.db"
        COUNTS[one]("2x3x2", checkpoint=path)
        for other in COUNTS:
            for grid in ("2x3x2", "3x2x2") if other == one else ("2x3x2",):
                if (other, grid) != (one, "2x3x2"):
                    with pytest.raises(CheckpointError):
                        COUNTS[other](grid, checkpoint=path)


# -------------------------------------------------------------------------------------- redundancy


def forge(path: Path, change: Callable[[Any], None], place: int) -> None:
    """Change one result as if the machine had computed it wrongly: its digest is right."""
    with closing(sqlite3.connect(path)) as database, database:
        task, value = database.execute(
            "SELECT task, value FROM result ORDER BY rowid LIMIT 1 OFFSET ?", (place,)
        ).fetchone()
        result = json.loads(value)
        change(result)
        value = json.dumps(result)
        digest = hashlib.sha256(f"{task}\n{value}".encode()).hexdigest()
        database.execute(
            "UPDATE result SET value = ?, digest = ? WHERE task = ?", (value, digest, task)
        )


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize(("x", "o"), [(0, 0), (3, 2), (8, 8), (1, 8)])
def test_a_wrong_residue_gives_an_error_and_no_number(
    tmp_path: Path, place: int, x: int, o: int
) -> None:
    path = tmp_path / "count.db"
    count("5x5x3", checkpoint=path)
    assert finished(path) == 3

    def change(result: Any) -> None:
        result[x][o] = (result[x][o] + 1) % 2_147_483_000

    forge(path, change, place)
    with pytest.raises(CountMismatch):
        count("5x5x3", checkpoint=path)


# ------------------------------------------------------------------------------------ side by side


def test_a_run_that_fails_does_not_stop_another_ones_walk() -> None:
    """Two counts in one process: when the one is interrupted, the other still gets its number."""
    position = GridPosition.parse("4x4x3:XO../..../..../...X")
    walk = Backtracking(position, (2,))  # half a second's worth
    counts: list[int] = []
    begun = threading.Event()

    def long_count() -> None:
        begun.set()
        counts.append(int(walk.count().sum()))

    def slow(going: threading.Event) -> None:
        going.set()
        time.sleep(0.5)

    def fail(going: threading.Event) -> None:
        going.wait()
        raise ZeroDivisionError

    other = threading.Thread(target=long_count)
    other.start()
    begun.wait()
    while other.is_alive():
        going = threading.Event()
        tasks = [Task("fail", fail, (going,)), Task("slow", slow, (going,))]
        with pytest.raises(ZeroDivisionError):
            Runner(Limits(threads=2)).run(lambda: "fail", tasks)
    other.join()
    assert counts == [count(position.play(2)).total]


def test_counts_in_several_threads_do_not_mix() -> None:
    found: dict[str, Any] = {}

    def backtrack(grid: str) -> None:
        found[grid] = count(grid, method="backtrack")

    threads = [threading.Thread(target=backtrack, args=(g,)) for g in ("3x3x3", "2x4x3", "3x3x2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {grid: count(grid) for grid in ("3x3x3", "2x4x3", "3x3x2")}


# ----------------------------------------------------------------------------------- on a cluster


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """Start two workers for the tests of this module and give their scheduler's address."""
    distributed: Any = import_module("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0"
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
@pytest.mark.parametrize(
    "what", ["games", "games by backtracking", "games up to symmetry", "endings up to symmetry"]
)
def test_a_cluster_changes_no_count(scheduler: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    expected = COUNTS[what]("4x4x3")
    shares: list[float] = []
    options = {"cluster": scheduler, "checkpoint": path, "on_progress": shares.append}
    assert COUNTS[what]("4x4x3", **options) == expected
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    # What it kept is of use here, too.
    assert COUNTS[what]("4x4x3", checkpoint=path) == expected


@pytest.mark.slow
def test_a_cluster_takes_the_same_count_twice(scheduler: str) -> None:
    for _ in range(2):
        assert count("3x3x3", cluster=scheduler).total == 255_168


@pytest.mark.slow
def test_what_a_worker_refuses_is_refused_here(scheduler: str) -> None:
    with pytest.raises(LimitExceeded, match="memory"):
        count("6x6x4", cluster=scheduler, limits=Limits(memory=1 << 20))


@pytest.mark.slow
def test_a_cluster_of_our_own() -> None:
    """Without a word, also when the port that Dask likes best is taken, as by another count."""
    with closing(socket.socket()) as taken:
        with suppress(OSError):  # taken already
            taken.bind(("", 8787))
            taken.listen()
        result = spawn("count", "4x4x3", "--cluster", "local:2", "--json")
    assert result.object["total"] == "1281016086768"
    assert (result.code, result.err) == (0, "")


@pytest.mark.parametrize(
    "address",
    ["local", "local:", "local:0", "local:-1", "local:x", "local:1.5", "local: 2", "local:٣"],
)
def test_a_local_cluster_has_a_number_of_workers(address: str) -> None:
    with pytest.raises(NoughtsError, match="local:N"):
        count("2x2x2", cluster=address)


# --------------------------------------------------------------------------- results as they come


def test_results_can_be_taken_as_they_come(tmp_path: Path) -> None:
    """What is too large to be kept, or is not JSON, is replaced by what `receive` returns."""
    tasks = [Task(str(number), bytes, (number,)) for number in range(5)]
    taken: dict[str, bytes] = {}

    def receive(task: Task, result: bytes) -> int:
        taken[task.key] = result
        return len(result)

    runner = Runner(checkpoint=tmp_path / "kept.db")
    assert runner.run(lambda: "bytes", tasks, receive=receive) == [0, 1, 2, 3, 4]
    assert taken == {str(number): bytes(number) for number in range(5)}
    taken.clear()
    assert runner.run(lambda: "bytes", tasks, receive=receive) == [0, 1, 2, 3, 4]
    assert not taken
