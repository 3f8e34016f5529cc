"""SQLite files of ours, of any kind: whole or not there, and refused when they are another's."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from noughts.errors import NoughtsError, StoreError
from noughts.storage import FileKind

KIND = FileKind("diary", 0x1234, 3, "CREATE TABLE page (text TEXT);", StoreError)


def pages(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [text for (text,) in database.execute("SELECT text FROM page")]


def write(database: sqlite3.Connection) -> None:
    database.execute("INSERT INTO page VALUES ('Dear diary')")


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
        (FileKind("ledger", 0x1235, 3, KIND.schema, StoreError), "is not a ledger of noughts"),
        (FileKind("diary", 0x1234, 4, KIND.schema, StoreError), "is a diary of version 3, not 4"),
    ],
)
def test_another_kind_is_refused_by_name(tmp_path: Path, other: FileKind, message: str) -> None:
    path = tmp_path / "diary.db"
    KIND.prepare(path, write)
    with pytest.raises(StoreError, match=message):
        other.prepare(path)
    assert pages(path) == ["Dear diary"]


def test_trouble_names_the_file_and_lets_ours_through() -> None:
    trouble = KIND.trouble("read", Path("x"))
    with pytest.raises(StoreError, match="cannot read diary x: disk on fire"), trouble:
        raise OSError("disk on fire")
    with pytest.raises(StoreError, match=r"^ours$"), KIND.trouble("read", Path("x")):
        raise StoreError("ours")
    with pytest.raises(NoughtsError, match=r"^another$"), KIND.trouble("read", Path("x")):
        raise NoughtsError("another")
