"""Finished tasks of a long count, kept in one SQLite file.

A file belongs to one count, its `subject`. What is in it is checked before it is used, and
a file that is damaged or of something else is left as it is.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from noughts.errors import CheckpointError

__all__ = ["Checkpoint"]

_MAGIC = b"SQLite format 3\0"
_APPLICATION = 0x6E6F7430  # marks the file as ours; "not0"
_VERSION = 1
_SCHEMA = """
CREATE TABLE subject (text TEXT NOT NULL);
CREATE TABLE result (task TEXT PRIMARY KEY, value TEXT NOT NULL, digest TEXT NOT NULL);
"""


class Checkpoint:
    """Results by task; each is on disk before the next task starts."""

    def __init__(self, path: Path | str, subject: str) -> None:
        self.path = Path(path)
        self.subject = subject
        try:
            if not self.path.exists() or not self.path.stat().st_size:
                self._create()
            self._inspect()
        except (sqlite3.Error, OSError, ValueError) as error:
            if isinstance(error, CheckpointError):
                raise
            raise CheckpointError(f"cannot use checkpoint {self.path}: {error}") from None

    def _create(self) -> None:
        """Make a new file, whole before it has its name."""
        handle, name = tempfile.mkstemp(dir=self.path.resolve().parent)
        os.close(handle)
        try:
            with closing(sqlite3.connect(name)) as database, database:
                database.executescript(f"BEGIN; {_SCHEMA}")
                database.execute("INSERT INTO subject VALUES (?)", (self.subject,))
                database.execute(f"PRAGMA application_id = {_APPLICATION}")
                database.execute(f"PRAGMA user_version = {_VERSION}")
            try:
                os.link(name, self.path)
            except FileExistsError:
                # Another run was faster, and its file is as good; but an empty file is none.
                if not os.stat(self.path).st_size:
                    os.replace(name, self.path)
                    return
            os.unlink(name)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise

    def _inspect(self) -> None:
        """Check a file that is there.

        Its header is read first and by hand: SQLite would finish what a killed run left
        half-written, which is right for our files, but not to be done to anybody else's.
        """
        with open(self.path, "rb") as file:
            header = file.read(100)
        if header[:16] != _MAGIC or int.from_bytes(header[68:72]) != _APPLICATION:
            raise CheckpointError(f"{self.path} is not a checkpoint of noughts")
        version = int.from_bytes(header[60:64])
        if version != _VERSION:
            message = f"{self.path} is a checkpoint of version {version}, not {_VERSION}"
            raise CheckpointError(message)
        with closing(sqlite3.connect(self.path)) as database:
            row = database.execute("SELECT text FROM subject").fetchone()
            (health,) = database.execute("PRAGMA quick_check").fetchone()
        if row is None or health != "ok":
            raise CheckpointError(f"{self.path} is damaged: {health}")
        if row[0] != self.subject:
            message = f"{self.path} is the checkpoint of another count: {row[0]}"
            raise CheckpointError(f"{message}; this one is: {self.subject}")

    def load(self) -> dict[str, Any]:
        """Return all results by task, or raise if one is not as it was written."""
        results = {}
        try:
            with closing(sqlite3.connect(self.path)) as database:
                rows = database.execute("SELECT task, value, digest FROM result").fetchall()
        except sqlite3.Error as error:
            raise CheckpointError(f"cannot read checkpoint {self.path}: {error}") from None
        for task, value, digest in rows:
            if _digest(task, value) != digest:
                raise CheckpointError(f"{self.path} is damaged: the result of {task} was changed")
            results[task] = json.loads(value)
        return results

    def save(self, task: str, result: object) -> None:
        """Keep a result."""
        value = json.dumps(result)
        try:
            with closing(sqlite3.connect(self.path, timeout=60)) as database, database:
                database.execute(
                    "INSERT OR REPLACE INTO result VALUES (?, ?, ?)",
                    (task, value, _digest(task, value)),
                )
        except sqlite3.Error as error:
            raise CheckpointError(f"cannot write checkpoint {self.path}: {error}") from None


def _digest(task: str, value: str) -> str:
    return hashlib.sha256(f"{task}\n{value}".encode()).hexdigest()
