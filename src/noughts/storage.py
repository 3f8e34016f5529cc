"""SQLite files of ours: made whole before they have their name, looked at before they are used.

A file says in its header what it is and of which version, so that one that is damaged, foreign
or of another version is refused, and left as it is.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from noughts.errors import NoughtsError

__all__ = ["FileKind"]

_MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True)
class FileKind:
    """A kind of file: its name in messages, its marks in the header, its tables, its error."""

    name: str
    application: int
    version: int
    schema: str
    error: type[NoughtsError]

    def prepare(
        self, path: Path, fill: Callable[[sqlite3.Connection], object] | None = None
    ) -> None:
        """Make sure that `path` is a sound file of this kind; a new one is filled by `fill`."""
        with self.trouble("use", path):
            if not path.exists() or not path.stat().st_size:
                self._create(path, fill)
            self._inspect(path)

    @contextmanager
    def trouble(self, verb: str, path: Path) -> Iterator[None]:
        """Say of what goes wrong in this block which file it was, and what could not be done."""
        try:
            yield
        except self.error:
            raise
        except (sqlite3.Error, OSError, ValueError) as error:
            raise self.error(f"cannot {verb} {self.name} {path}: {error}") from None

    def _create(self, path: Path, fill: Callable[[sqlite3.Connection], object] | None) -> None:
        handle, name = tempfile.mkstemp(dir=path.resolve().parent)
        os.close(handle)
        try:
            with closing(sqlite3.connect(name)) as database, database:
                database.executescript(f"BEGIN; {self.schema}")
                if fill:
                    fill(database)
                database.execute(f"PRAGMA application_id = {self.application}")
                database.execute(f"PRAGMA user_version = {self.version}")
            try:
                os.link(name, path)
            except FileExistsError:
                # Another run was faster, and its file is as good; but an empty file is none.
                if not os.stat(path).st_size:
                    os.replace(name, path)
                    return
            os.unlink(name)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise

    def _inspect(self, path: Path) -> None:
        """Check a file that is there.

        Its header is read first and by hand: SQLite would finish what a killed run left
        half-written, which is right for our files, but not to be done to anybody else's.
        """
        with open(path, "rb") as file:
            header = file.read(100)
        if header[:16] != _MAGIC or int.from_bytes(header[68:72]) != self.application:
            raise self.error(f"{path} is not a {self.name} of noughts")
        version = int.from_bytes(header[60:64])
        if version != self.version:
            raise self.error(f"{path} is a {self.name} of version {version}, not {self.version}")
        with closing(sqlite3.connect(path)) as database:
            (health,) = database.execute("PRAGMA quick_check").fetchone()
        if health != "ok":
            raise self.error(f"{path} is damaged: {health}")
