"""Files are written atomically; SQLite files of any kind are validated before use."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from noughts.errors import CheckpointError, NoughtsError, StoreError, TableError
from noughts.storage import Checkpoint, SqliteFile, require_writable, write_whole

KIND = SqliteFile("diary", 0x1234, 3, "CREATE TABLE page (text TEXT);", StoreError)


# ------------------------------------------------------------------------------------ whole files


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "Grüße, ", b"\x00\xff")
    assert path.read_bytes() == "Grüße, ".encode() + b"\x00\xff"
    write_whole(os.fspath(path), "new")
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["file"]


@pytest.mark.parametrize("call", ["os.replace", "os.fsync"])
def test_a_failure_leaves_the_old_content_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    for cause in (OSError(28, "No space left on device"), KeyboardInterrupt()):

        def fail(*_: object, cause: BaseException = cause) -> None:
            raise cause

        with monkeypatch.context() as patch:
            patch.setattr(call, fail)
            with pytest.raises((NoughtsError, KeyboardInterrupt)) as caught:
                write_whole(path, "new", name="the letter")
        if isinstance(cause, OSError):
            assert str(caught.value) == "cannot write the letter: No space left on device"
        assert path.read_text() == "old"
        assert os.listdir(tmp_path) == ["file"]


KILLED = """
import os, signal, sys
from noughts.storage import write_whole
os.fsync = lambda number: os.kill(os.getpid(), signal.SIGKILL)
write_whole(sys.argv[1], b"content")
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="files have names from the beginning")
def test_a_process_that_is_killed_leaves_nothing_behind(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path / "file")]
    ended = subprocess.run(command, check=False, timeout=60)
    assert ended.returncode == -signal.SIGKILL
    assert os.listdir(tmp_path) == []


def test_files_that_have_a_name_from_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On other systems, and where there is no /proc."""

    def fail(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(os, "link", fail)
    write_whole(tmp_path / "one", "1")
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    write_whole(tmp_path / "two", "2")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"one": "1", "two": "2"}


def test_the_content_is_on_disk_before_it_has_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files are synced before the rename, and their folder after it."""
    calls = []
    fsync, replace = os.fsync, os.replace

    def synced(handle: int) -> None:
        calls.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        fsync(handle)

    def renamed(*names: Any) -> None:
        calls.append("rename")
        replace(*names)

    monkeypatch.setattr("os.fsync", synced)
    monkeypatch.setattr("os.replace", renamed)
    write_whole(tmp_path / "file", "content")
    assert calls == ["file", "rename", "folder"]


def test_modes_links_and_pipes(tmp_path: Path) -> None:
    (tmp_path / "usual").touch()
    write_whole(tmp_path / "new", "")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode
    (tmp_path / "new").chmod(0o640)
    write_whole(tmp_path / "new", "again")
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640

    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "target")
    for content in ("first", "second"):  # the link is dangling at first
        write_whole(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "target").read_text() == content
    assert os.listdir(tmp_path / "folder") == ["target"]

    os.mkfifo(tmp_path / "pipe")
    writer = Thread(target=write_whole, args=(tmp_path / "pipe", "through"))
    writer.start()
    assert (tmp_path / "pipe").read_text() == "through"
    writer.join()


@pytest.mark.parametrize("place", ["no/where", "file/below", "", "x" * 300, "nu\0ll", ".", 3, b"x"])
def test_what_cannot_be_written_is_known_before_the_work(tmp_path: Path, place: Any) -> None:
    (tmp_path / "file").touch()
    path = tmp_path / place if isinstance(place, str) else place
    for tried in (require_writable, write_whole):
        with pytest.raises(TableError, match=r"^cannot write the table: "):
            tried(path, name="the table", error=TableError)
    assert os.listdir(tmp_path) == ["file"]


def test_what_can_be_written_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    require_writable(path)
    assert os.listdir(tmp_path) == []
    path.write_text("old")
    require_writable(path)
    assert path.read_text() == "old"
    require_writable(tmp_path / "new" / "folder" / "file", create_folder=True)
    assert os.listdir(tmp_path / "new" / "folder") == []
    with pytest.raises(NoughtsError, match="cannot write '/dev/null': it is not a file"):
        require_writable("/dev/null")


# ----------------------------------------------------------------------------------- SQLite files


def pages(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [text for (text,) in database.execute("SELECT text FROM page")]


def write(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO page VALUES ('Dear diary')")


def test_a_checkpoint_is_a_file_of_its_owner(tmp_path: Path) -> None:
    Checkpoint(tmp_path / "count.db", "games")
    assert stat.S_IMODE((tmp_path / "count.db").stat().st_mode) == 0o600
    for path in (3, b"count.db", object()):
        with pytest.raises(CheckpointError, match="a checkpoint is a file's name"):
            Checkpoint(path, "games")  # type: ignore[arg-type]


def test_a_new_file_is_filled_and_an_old_one_is_not(tmp_path: Path) -> None:
    path = tmp_path / "diary.db"
    KIND.prepare(path, write)
    KIND.prepare(path, write)
    assert pages(path) == ["Dear diary"]
    assert [file.name for file in tmp_path.iterdir()] == ["diary.db"]


def test_what_cannot_be_filled_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot use diary .*diary\.db: no such table: nowhere"):
        KIND.prepare(tmp_path / "diary.db", lambda it: it.execute("INSERT INTO nowhere VALUES (1)"))
    assert list(tmp_path.iterdir()) == []


def test_of_many_who_make_it_at_once_one_does(tmp_path: Path) -> None:
    path, barrier = tmp_path / "diary.db", Barrier(8)

    def make(_: int) -> None:
        barrier.wait()
        KIND.prepare(path, write)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(make, range(8)))
    assert pages(path) == ["Dear diary"]
    assert [file.name for file in tmp_path.iterdir()] == ["diary.db"]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (SqliteFile("ledger", 0x1235, 3, KIND.schema, StoreError), "is not a ledger of noughts"),
        (SqliteFile("diary", 0x1234, 4, KIND.schema, StoreError), "is a diary of version 3, not 4"),
    ],
)
def test_another_kind_is_refused_by_name(tmp_path: Path, other: SqliteFile, message: str) -> None:
    path = tmp_path / "diary.db"
    KIND.prepare(path, write)
    with pytest.raises(StoreError, match=message):
        other.prepare(path)
    assert pages(path) == ["Dear diary"]


def test_an_error_names_the_file_once() -> None:
    errors = KIND.errors("read", Path("x"))
    with pytest.raises(StoreError, match="cannot read diary x: disk on fire"), errors:
        raise OSError("disk on fire")
    with pytest.raises(StoreError, match=r"^ours$"), KIND.errors("read", Path("x")):
        raise StoreError("ours")
    with pytest.raises(NoughtsError, match=r"^another$"), KIND.errors("read", Path("x")):
        raise NoughtsError("another")
