"""Finished tasks of a long count, kept in one SQLite file.

A file belongs to one count, its `subject`. What is in it is checked before it is used, and
a file that is damaged or of something else is left as it is.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from noughts.errors import CheckpointError
from noughts.storage import FileKind

__all__ = ["Checkpoint"]

_KIND = FileKind(
    name="checkpoint",
    application=0x6E6F7430,  # "not0"
    version=1,
    schema="""
    CREATE TABLE subject (text TEXT NOT NULL);
    CREATE TABLE result (task TEXT PRIMARY KEY, value TEXT NOT NULL, digest TEXT NOT NULL);
    """,
    error=CheckpointError,
)


class Checkpoint:
    """Results by task; each is on disk before the next task starts."""

    def __init__(self, path: Path | str, subject: str) -> None:
        self.path = Path(path)
        self.subject = subject
        _KIND.prepare(
            self.path,
            lambda database: database.execute("INSERT INTO subject VALUES (?)", (subject,)),
        )
        with _KIND.trouble("use", self.path), closing(sqlite3.connect(self.path)) as database:
            row = database.execute("SELECT text FROM subject").fetchone()
        if row is None:
            raise CheckpointError(f"{self.path} is damaged: it does not say of what it is")
        if row[0] != subject:
            message = f"{self.path} is the checkpoint of another count: {row[0]}"
            raise CheckpointError(f"{message}; this one is: {subject}")

    def load(self) -> dict[str, Any]:
        """Return all results by task, or raise if one is not as it was written."""
        results = {}
        with _KIND.trouble("read", self.path), closing(sqlite3.connect(self.path)) as database:
            rows = database.execute("SELECT task, value, digest FROM result").fetchall()
        for task, value, digest in rows:
            if _digest(task, value) != digest:
                raise CheckpointError(f"{self.path} is damaged: the result of {task} was changed")
            results[task] = json.loads(value)
        return results

    def save(self, task: str, result: object) -> None:
        """Keep a result."""
        value = json.dumps(result)
        with (
            _KIND.trouble("write", self.path),
            closing(sqlite3.connect(self.path, timeout=60)) as database,
            database,
        ):
            database.execute(
                "INSERT OR REPLACE INTO result VALUES (?, ?, ?)",
                (task, value, _digest(task, value)),
            )


def _digest(task: str, value: str) -> str:
    return hashlib.sha256(f"{task}\n{value}".encode()).hexdigest()
