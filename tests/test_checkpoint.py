"""Checkpoints: what was written comes back, and what is damaged or foreign is refused untouched."""

from __future__ import annotations

import hashlib
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from noughts.errors import CheckpointError, NoughtsError
from noughts.storage import Checkpoint
from support.cli_runner import clean_environment

SUBJECT = "games of 4x4x3"
RESULTS: dict[str, Any] = {
    "sweep a mod 2147483647": [[1, 2], [3, 2147483646]],
    "sweep b mod 2147483629": [[0]],
    "walk (0, 1, 2)": [[], [0, 5], [10**30]],
}
VALUES = st.recursive(
    st.integers(-(10**40), 10**40) | st.text(max_size=5) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=10,
)


def filled(path: Path) -> Checkpoint:
    """Make a checkpoint with results in it."""
    checkpoint = Checkpoint(path, SUBJECT)
    for task, result in RESULTS.items():
        checkpoint.save(task, result)
    return checkpoint


def folder(path: Path) -> dict[str, bytes]:
    """Return all files around a checkpoint with what is in them."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file()}


@contextmanager
def untouched(path: Path) -> Iterator[None]:
    """Expect that nothing is changed, and that nothing is left beside the file."""
    before = folder(path)
    yield
    assert folder(path) == before


def use(path: Path, subject: str = SUBJECT) -> dict[str, Any]:
    """Open a checkpoint and read it, as a run does."""
    return Checkpoint(path, subject).load()


def change(path: Path, *statements: str) -> None:
    """Change a checkpoint behind its back."""
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


# --------------------------------------------------------------------------------- there and back


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    assert filled(path).load() == RESULTS
    assert use(path) == RESULTS


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(results=st.dictionaries(st.text(max_size=10), VALUES, max_size=4))
def test_anything_that_json_holds(tmp_path: Path, results: dict[str, Any]) -> None:
    path = tmp_path / f"{hashlib.sha256(repr(results).encode()).hexdigest()}.db"
    for task, result in results.items():
        Checkpoint(path, "any").save(task, result)
    if results:
        assert use(path, "any") == results


def test_a_result_may_be_saved_again(tmp_path: Path) -> None:
    checkpoint = filled(tmp_path / "count.db")
    checkpoint.save("walk (0, 1, 2)", [1])
    checkpoint.save("walk (0, 1, 2)", [1])
    assert checkpoint.load() == {**RESULTS, "walk (0, 1, 2)": [1]}


def test_a_new_checkpoint_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    assert Checkpoint(path, SUBJECT).load() == {}
    assert [file.name for file in tmp_path.iterdir()] == ["count.db"]
    assert use(path) == {}


def test_an_empty_file_is_a_new_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    path.touch()
    assert filled(path).load() == RESULTS


def test_it_is_an_sqlite_file(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    filled(path)
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.parametrize("name", ["a b.db", "50%.db", "what?.db", "#1.db", "ü.db", "a'b.db", "-x"])
def test_any_file_name(tmp_path: Path, name: str) -> None:
    filled(tmp_path / name)
    assert use(tmp_path / name) == RESULTS
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    filled(Path("count.db"))
    assert use(tmp_path / "count.db") == RESULTS


@pytest.mark.parametrize(
    "subject", ["", "games of 4x4x3:X.../..../..../....", "ü ' \" \n %", "x" * 9999]
)
def test_any_subject(tmp_path: Path, subject: str) -> None:
    path = tmp_path / "count.db"
    Checkpoint(path, subject).save("task", 1)
    assert use(path, subject) == {"task": 1}
    with pytest.raises(CheckpointError):
        use(path, subject + " ")


# --------------------------------------------------------------------------- refused, and untouched


def not_ours(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE result (task, value, digest)")


def text(path: Path) -> None:
    path.write_text("Dear diary, today I counted all games of tic-tac-toe.\n" * 20)


def one_line(path: Path) -> None:
    path.write_text("x")


def other_version(path: Path) -> None:
    filled(path)
    change(path, "PRAGMA user_version = 2")


def older_version(path: Path) -> None:
    filled(path)
    change(path, "PRAGMA user_version = 0")


def other_application(path: Path) -> None:
    filled(path)
    change(path, "PRAGMA application_id = 1")


def other_subject(path: Path) -> None:
    Checkpoint(path, "games of 5x5x4").save("task", [1])


def no_subject(path: Path) -> None:
    filled(path)
    change(path, "DELETE FROM subject")


def no_subject_table(path: Path) -> None:
    filled(path)
    change(path, "DROP TABLE subject")


def no_results_table(path: Path) -> None:
    filled(path)
    change(path, "DROP TABLE result")


def changed_value(path: Path) -> None:
    filled(path)
    change(path, "UPDATE result SET value = replace(value, '2147483646', '2147483645')")


def changed_task(path: Path) -> None:
    filled(path)
    change(path, "UPDATE result SET task = 'sweep c mod 3' WHERE task LIKE 'walk%'")


def swapped_values(path: Path) -> None:
    filled(path)
    change(
        path,
        "UPDATE result SET (value, digest) = (SELECT value, digest FROM result r "
        "WHERE r.task LIKE 'walk%') WHERE task LIKE 'sweep a%'",
    )


def value_of_another_kind(path: Path) -> None:
    filled(path)
    change(path, "UPDATE result SET value = x'fffe' WHERE task LIKE 'walk%'")


def text_that_is_no_text(path: Path) -> None:
    filled(path)
    change(path, "UPDATE result SET value = CAST(x'fffe' AS TEXT) WHERE task LIKE 'walk%'")


def no_json(path: Path) -> None:
    filled(path)
    for task, value in (("sweep", "[1, 2"), ("walk", "[" * 100_000), ("sum", "9" * 5000)):
        digest = hashlib.sha256(f"{task}\n{value}".encode()).hexdigest()
        change(path, f"INSERT INTO result VALUES ('{task}', '{value}', '{digest}')")


def cut_in_half(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_in_the_header(path: Path) -> None:
    filled(path)
    path.write_bytes(path.read_bytes()[:90])


def zeros_behind_the_header(path: Path) -> None:
    filled(path)
    data = path.read_bytes()
    path.write_bytes(data[:100] + bytes(len(data) - 100))


@pytest.mark.parametrize(
    "damage",
    [
        not_ours,
        text,
        one_line,
        other_version,
        older_version,
        other_application,
        other_subject,
        no_subject,
        no_subject_table,
        no_results_table,
        changed_value,
        changed_task,
        swapped_values,
        value_of_another_kind,
        text_that_is_no_text,
        no_json,
        cut_in_half,
        cut_in_the_header,
        zeros_behind_the_header,
    ],
)
def test_refused_and_untouched(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "count.db"
    damage(path)
    with untouched(path), pytest.raises(CheckpointError, match=r"count\.db") as caught:
        use(path)
    assert isinstance(caught.value, NoughtsError)
    assert isinstance(caught.value, ValueError)


def test_the_refusal_says_why(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    filled(path)
    with pytest.raises(CheckpointError, match=r"another count: games of 4x4x3.*5x5x4"):
        use(path, "games of 5x5x4")
    change(path, "PRAGMA user_version = 7")
    with pytest.raises(CheckpointError, match="version 7"):
        use(path)
    path.write_text("no database, this")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        use(path)


def test_a_folder_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError):
        use(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="nowhere"):
        use(tmp_path / "nowhere" / "count.db")
    assert list(tmp_path.iterdir()) == []


def test_a_file_name_that_none_can_have(tmp_path: Path) -> None:
    for name in ("x" * 300, "nul\0.db"):
        with pytest.raises(CheckpointError):
            use(tmp_path / name)


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    """Unless all that is missing is a piece of the last page that holds nothing."""
    path = tmp_path / "count.db"
    filled(path)
    whole = path.read_bytes()
    for size in [*range(1, 120, 7), *range(120, len(whole), 1501), len(whole) - 1]:
        path.write_bytes(whole[:size])
        with untouched(path):
            try:
                found = use(path)
            except CheckpointError:
                continue
        assert found == RESULTS
        assert len(whole) - size < 4096
    path.write_bytes(whole)
    assert use(path) == RESULTS


@pytest.mark.slow
def test_no_changed_byte_gives_a_wrong_result(tmp_path: Path) -> None:
    """Every byte that holds something, changed in three ways: right results, or an error."""
    path = tmp_path / "count.db"
    filled(path)
    whole = path.read_bytes()
    refused = harmless = 0
    for place in range(len(whole)):
        if not whole[place] and place > 100 and place % 16:
            continue  # most of the file is empty
        for flip in (0x01, 0x80, 0xFF) if whole[place] or place < 100 else (0x41,):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :])
            with untouched(path):
                try:
                    found = use(path)
                except CheckpointError:
                    refused += 1
                    continue
            harmless += 1
            assert found.items() <= RESULTS.items(), (place, flip)
    assert refused > 500
    assert harmless > 0  # or else this test would show nothing about results


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_damage_gives_a_wrong_result(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "count.db"
    path.unlink(missing_ok=True)
    filled(path)
    whole = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(whole) - 1))
        piece = data.draw(st.binary(min_size=1, max_size=40))
        whole[start : start + len(piece)] = piece
    path.write_bytes(whole)
    with untouched(path):
        try:
            found = use(path)
        except CheckpointError:
            return
    assert found.items() <= RESULTS.items()


def test_a_result_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    checkpoint = filled(path)
    path.write_text("overwritten while the count went on")
    with pytest.raises(CheckpointError):
        checkpoint.save("task", [1])
    with pytest.raises(CheckpointError):
        checkpoint.load()


# ---------------------------------------------------------------------------------------- killed


KILLED_WHILE_WRITING = """
import os, signal, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA cache_size = 1")  # so that pages go to the file before the end
database.execute("BEGIN")
for number in range(2000):
    database.execute("INSERT INTO result VALUES (?, ?, '')", (f"half {number}", "x" * 500))
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_run_killed_while_it_wrote_is_taken_back(tmp_path: Path) -> None:
    """What the killed run had half-written is undone; what it had finished is there."""
    path = tmp_path / "count.db"
    filled(path)
    whole = path.read_bytes()
    process = subprocess.run(
        [sys.executable, "-c", KILLED_WHILE_WRITING, str(path)],
        env=clean_environment(),
        timeout=60,
        check=False,
    )
    assert process.returncode == -signal.SIGKILL
    assert (tmp_path / "count.db-journal").exists(), "or this test shows nothing"
    assert path.read_bytes() != whole
    assert use(path) == RESULTS
    Checkpoint(path, SUBJECT).save("more", [1])
    assert use(path) == {**RESULTS, "more": [1]}


KILLED_SOMEWHERE = """
import os, signal, sys, threading
from noughts.storage import Checkpoint
checkpoint = Checkpoint(sys.argv[1], "counting")
threading.Timer(float(sys.argv[2]), os.kill, (os.getpid(), signal.SIGKILL)).start()
number = len(checkpoint.load())
while True:
    checkpoint.save(f"task {number}", [number] * 50)
    number += 1
    print(number, flush=True)
"""


@pytest.mark.slow
def test_whatever_was_saved_survives_a_kill_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    for delay in (0.01, 0.05, 0.1, 0.123, 0.02):
        process = subprocess.run(
            [sys.executable, "-c", KILLED_SOMEWHERE, str(path), str(delay)],
            capture_output=True,
            env=clean_environment(),
            timeout=60,
            check=False,
        )
        assert process.returncode == -signal.SIGKILL, process.stderr
        told = int((process.stdout.split() or [b"0"])[-1])
        found = use(path, "counting")
        assert len(found) >= told
        assert found == {f"task {n}": [n] * 50 for n in range(len(found))}


# ------------------------------------------------------------------------------------- side by side


def test_many_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    for attempt in range(10):
        path = tmp_path / f"{attempt}.db"
        barrier = Barrier(8)

        def work(number: int, path: Path = path, barrier: Barrier = barrier) -> None:
            barrier.wait()
            checkpoint = Checkpoint(path, SUBJECT)
            barrier.wait()
            checkpoint.save(f"task {number}", [number])

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
        assert use(path) == {f"task {n}": [n] for n in range(8)}
    assert len(list(tmp_path.iterdir())) == 10


@pytest.mark.parametrize("lies", [1, 2, 1000])
def test_a_file_made_in_the_meantime_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lies: int
) -> None:
    """Two runs begin at once: each sees no file yet, and the slower one must not lose the other's.

    The race is staged by telling the slower run, when it looks, that there is no file.
    """
    path = tmp_path / "count.db"
    filled(path)
    exists = Path.exists
    looks: list[Path] = []

    def not_yet(self: Path) -> bool:
        looks.append(self)
        return len(looks) > lies and exists(self)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "exists", not_yet)
        slower = Checkpoint(path, SUBJECT)
    slower.save("more", [1])
    assert use(path) == {**RESULTS, "more": [1]}
    assert [file.name for file in tmp_path.iterdir()] == ["count.db"]


def test_many_processes_may_use_one_file(tmp_path: Path) -> None:
    path = tmp_path / "count.db"
    script = """
import sys
from noughts.storage import Checkpoint
checkpoint = Checkpoint(sys.argv[1], "counting")
sys.stdin.readline()
for number in range(10):
    checkpoint.save(f"{sys.argv[2]} {number}", [number])
"""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(path), str(name)],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=clean_environment(),
        )
        for name in range(4)
    ]
    while not path.exists() and all(process.poll() is None for process in processes):
        time.sleep(0.01)
    for process in processes:
        _, errors = process.communicate(b"go\n", timeout=120)
        assert process.returncode == 0, errors.decode()
    found = use(path, "counting")
    assert all(found[task] == [int(task.split()[1])] for task in found)
    # The first to open made the file; nobody who came later may have lost what was in it.
    assert len(found) == 40
