"""Files on disk: written atomically, validated before use.

::

    write_whole        writes a file so that it has its old content or the new, never a part
    sync_folder        makes sure that the name of a file survives a crash, too
    require_writable   finds out before long work whether its result can be written
    SqliteFile         a kind of SQLite file, which says in its header what it is
    Checkpoint         the finished tasks of a long computation, in one such file
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from noughts.errors import CheckpointError, NoughtsError, brief

__all__ = [
    "TEMPORARY",
    "Checkpoint",
    "SqliteFile",
    "require_writable",
    "sync_folder",
    "write_whole",
]

AnyPath = os.PathLike[str] | str

# -- whole files -------------------------------------------------------------------------

TEMPORARY = ".noughts-"
"""How the names of unfinished files begin; only a process that was killed leaves one behind."""


def write_whole(
    path: AnyPath,
    *parts: bytes | str,
    name: str | None = None,
    error: type[NoughtsError] = NoughtsError,
) -> None:
    """Write a file atomically: after a crash it has its old content or the new, never a part.

    An existing file keeps its permissions, and a link still leads to its target. A pipe or a
    device is written to directly. What fails is raised as `error`, which calls the file `name`.
    """
    with _cannot("write", path, name, error):
        target = Path(os.path.realpath(path))
        content = [part.encode() if isinstance(part, str) else part for part in parts]
        if target.exists() and not target.is_file():
            target.write_bytes(b"".join(content))
            return
        with _temporary(target) as temporary:
            if not _write_unnamed(temporary, content):
                with temporary.open("xb") as file:
                    _write_and_sync(file, content)
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            os.replace(temporary, target)
        sync_folder(target)


def _write_unnamed(path: Path, content: list[bytes]) -> bool:
    """Write a file that has no name until it is whole, where the system can do that.

    So a process that is killed meanwhile leaves nothing behind.
    """
    try:
        number = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except (AttributeError, OSError):  # another system, or a file system that cannot
        return False
    with open(number, "wb") as file:
        _write_and_sync(file, content)
        with suppress(OSError):  # there is no /proc
            # With a file descriptor of the source, Python follows the link.
            os.link(f"/proc/self/fd/{number}", path, src_dir_fd=number)
            return True
    return False


def _write_and_sync(file: BinaryIO, content: list[bytes]) -> None:
    file.writelines(content)
    file.flush()
    os.fsync(file.fileno())  # or a crash could leave the name without the content


def require_writable(
    path: AnyPath,
    *,
    create_folder: bool = False,
    name: str | None = None,
    error: type[NoughtsError] = NoughtsError,
) -> None:
    """Raise `error` unless `write_whole` can write a file there: ask this before long work."""
    with _cannot("write", path, name, error):
        target = Path(os.path.realpath(path))
        if create_folder:
            target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists() and not target.is_file():
            raise ValueError("it is not a file")
        with _temporary(target) as temporary:
            temporary.touch(exist_ok=False)


@contextmanager
def _cannot(
    verb: str, path: AnyPath, name: str | None, error: type[NoughtsError]
) -> Iterator[None]:
    """Turn what goes wrong in this block into one `error` that says what could not be done."""
    try:
        yield
    except (OSError, TypeError, ValueError) as cause:
        reason = getattr(cause, "strerror", None) or cause
        raise error(f"cannot {verb} {name or brief(path)}: {reason}") from None


@contextmanager
def _temporary(target: Path) -> Iterator[Path]:
    """Yield a new name beside a file; afterwards nothing has that name any more."""
    temporary = target.with_name(f"{TEMPORARY}{os.urandom(8).hex()}")
    try:
        yield temporary
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def sync_folder(path: Path) -> None:
    """Make sure that a new name survives a crash, on systems that can sync a folder."""
    with suppress(OSError):
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


# -- SQLite files ------------------------------------------------------------------------

_MAGIC = b"SQLite format 3\0"


@dataclass(frozen=True)
class SqliteFile:
    """A kind of SQLite file: its name in messages, its marks in the header, its tables, its error.

    The header says what a file is and of which version, so that one that is damaged, foreign
    or of another version is refused, and left as it is. `upgrades` has for older versions what
    makes the next version of them.
    """

    name: str
    application: int
    version: int
    schema: str
    error: type[NoughtsError]
    upgrades: Mapping[int, str] = field(default_factory=dict)

    def prepare(
        self, path: Path, fill: Callable[[sqlite3.Connection], object] | None = None
    ) -> None:
        """Make sure that `path` is a sound file of this kind; a new one is filled by `fill`."""
        with self.errors("use", path):
            if not path.exists() or not path.stat().st_size:
                self._create(path, fill)
            self._inspect(path)

    @contextmanager
    def errors(self, verb: str, path: Path) -> Iterator[None]:
        """Turn what goes wrong in this block into an error that names the file and the verb."""
        try:
            yield
        except self.error:
            raise
        except (sqlite3.Error, OSError, ValueError) as cause:
            raise self.error(f"cannot {verb} {self.name} {path}: {cause}") from None

    def _create(self, path: Path, fill: Callable[[sqlite3.Connection], object] | None) -> None:
        with _temporary(Path(os.path.realpath(path))) as temporary:
            temporary.touch(mode=0o600, exist_ok=False)  # it may hold secrets
            with closing(sqlite3.connect(temporary)) as database, database:
                database.executescript(f"BEGIN; {self.schema}")
                if fill:
                    fill(database)
                database.execute(f"PRAGMA application_id = {self.application}")
                database.execute(f"PRAGMA user_version = {self.version}")
            try:
                os.link(temporary, path)
            except FileExistsError:
                # Another run was faster and its file is as good, unless the file is empty.
                if not os.stat(path).st_size:
                    os.replace(temporary, path)
        sync_folder(path)

    def _inspect(self, path: Path) -> None:
        """Check an existing file.

        Its header is read first and by hand: SQLite would finish what a killed run left
        half-written, which is right for a file of this kind, but not for a foreign file.
        """
        with open(path, "rb") as file:
            header = file.read(100)
        if header[:16] != _MAGIC or int.from_bytes(header[68:72]) != self.application:
            raise self.error(f"{path} is not a {self.name} of noughts")
        self._require_known(int.from_bytes(header[60:64]), path)
        with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as database:
            (health,) = database.execute("PRAGMA quick_check").fetchone()
            if health != "ok":
                raise self.error(f"{path} is damaged: {health}")
            if _version(database) != self.version:  # the header may be behind the journal
                self._upgrade(database, path)

    def _require_known(self, version: int, path: Path) -> None:
        if version != self.version and version not in self.upgrades:
            raise self.error(f"{path} is a {self.name} of version {version}, not {self.version}")

    def _upgrade(self, database: sqlite3.Connection, path: Path) -> None:
        """Bring a file of an older version to this one, in one transaction."""
        database.execute("BEGIN IMMEDIATE")
        version = _version(database)  # again, as another process may have been faster
        self._require_known(version, path)
        for older in range(version, self.version):
            for statement in self.upgrades[older].split(";"):
                database.execute(statement)
        database.execute(f"PRAGMA user_version = {self.version}")
        database.execute("COMMIT")


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


# -- checkpoints -------------------------------------------------------------------------

_CHECKPOINT = SqliteFile(
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
    """Results by task; each is on disk before the next task starts.

    A file belongs to one computation, its `subject`. Its content is checked before it is used,
    and a file that is damaged or of another subject is left as it is.
    """

    def __init__(self, path: AnyPath, subject: str) -> None:
        try:
            self.path = Path(path)
        except TypeError:
            raise CheckpointError(f"a checkpoint is a file's name, not {brief(path)}") from None
        self.subject = subject
        _CHECKPOINT.prepare(
            self.path,
            lambda database: database.execute("INSERT INTO subject VALUES (?)", (subject,)),
        )
        with self._connection("use") as database:
            row = database.execute("SELECT text FROM subject").fetchone()
        if row is None:
            raise CheckpointError(f"{self.path} is damaged: it does not name its count")
        if row[0] != subject:
            message = f"{self.path} is the checkpoint of another count: {row[0]}"
            raise CheckpointError(f"{message}; this one is: {subject}")

    def load(self) -> dict[str, Any]:
        """Return all results by task, or raise if one is not as it was written."""
        results = {}
        with self._connection("read") as database:
            rows = database.execute("SELECT task, value, digest FROM result").fetchall()
        for task, value, digest in rows:
            if _digest(task, value) != digest:
                raise CheckpointError(f"{self.path} is damaged: the result of {task} was changed")
            try:
                results[task] = json.loads(value)
            except (ValueError, TypeError, RecursionError):
                message = f"{self.path} is damaged: the result of {task} is not JSON"
                raise CheckpointError(message) from None
        return results

    def save(self, task: str, result: object) -> None:
        """Write a result to disk."""
        value = json.dumps(result)
        with self._connection("write") as database, database:
            database.execute(
                "INSERT OR REPLACE INTO result VALUES (?, ?, ?)",
                (task, value, _digest(task, value)),
            )

    @contextmanager
    def _connection(self, verb: str) -> Iterator[sqlite3.Connection]:
        with (
            _CHECKPOINT.errors(verb, self.path),
            closing(sqlite3.connect(self.path, timeout=60)) as database,
        ):
            yield database


def _digest(task: str, value: str) -> str:
    return hashlib.sha256(f"{task}\n{value}".encode()).hexdigest()
