"""The file of rooms: one SQLite file, which any number of servers on a machine can share.

A change reads a room, decides, and writes it in one transaction, so that one of two simultaneous
changes comes first and the other sees it. A change is on disk before it is answered. Rooms that
have not changed for four weeks are deleted.
"""

from __future__ import annotations

import json
import os
import queue
import sqlite3
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from noughts.errors import StoreError
from noughts.rules.game import Game
from noughts.rules.player import Player
from noughts.storage import SqliteFile
from noughts.web.errors import ApiError
from noughts.web.rooms.room import Conflict, Room, id_of, key_of

__all__ = ["Store"]

HOUR = 3600.0
KEPT_DAYS = 28
MAX_ROOMS = 100_000
ROOMS_PER_HOUR = 60  # of one client, which may be the address of a whole school
_LOCK_SECONDS = 5.0  # to wait for another server's change

_COLUMNS = "id, text, host_side, host_key, guest_key, round, resigned, agreed, version"
_KIND = SqliteFile(
    name="file of games",
    application=0x6E6F7431,  # "not1"
    version=1,
    schema="""
    CREATE TABLE room (
        id TEXT PRIMARY KEY,
        text TEXT NOT NULL,
        host_side TEXT NOT NULL,
        host_key BLOB NOT NULL,
        guest_key BLOB,
        round INTEGER NOT NULL,
        resigned TEXT,
        agreed TEXT,
        version INTEGER NOT NULL,
        changed REAL NOT NULL,
        opened REAL NOT NULL,
        opener TEXT
    );
    CREATE INDEX by_change ON room (changed);
    CREATE INDEX by_opener ON room (opener, opened);
    """,
    error=StoreError,
)


class Store:
    """Rooms by their id. Its methods wait for the disk, so call them in threads.

    Without a path the rooms last as long as the store.
    """

    def __init__(self, path: os.PathLike[str] | str | None = None) -> None:
        self.path = Path(path or _temporary())
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        # A store that is not closed leaves nothing behind either.
        self._end = weakref.finalize(self, _end, self._idle, None if path else self.path)
        _KIND.prepare(self.path)
        with _KIND.errors("use", self.path):
            self._watch = self._connect()
            self._watch_lock = Lock()
            with self._writing() as database:
                _clear(database, time.time())

    def close(self) -> None:
        """Close the file."""
        with self._watch_lock:
            self._watch.close()
        self._end()

    # -- rooms -----------------------------------------------------------------------------

    def open(self, game: Game[Any], side: Player, secret: str, client: str) -> Room:
        """Open a room for a game, with its host on this side, for a client (see `clients`).

        The same secret opens it only once, and afterwards returns its current state.
        """
        text = Game(game.start, game.moves).text  # a room has no undone moves
        room = Room(id_of(secret), text, side, key_of(secret))
        now = time.time()
        with _KIND.errors("write", self.path), self._writing() as database:
            _clear(database, now)
            if opened := _load(database, room.id):
                if not opened.was_opened_for(game, side):
                    raise Conflict("this secret has opened a room for another game", opened)
                return opened
            _require_below_limits(database, client, now)
            database.execute(
                f"INSERT INTO room ({_COLUMNS}, changed, opened, opener) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*_row(room), now, now, client),
            )
        return room

    def find(self, id: str) -> Room:
        """Return the current state of a room."""
        with _KIND.errors("read", self.path), self._connection() as database:
            return _find(database, id)

    def change(self, id: str, action: Callable[[Room], Room]) -> Room:
        """Apply an action to a room and return the state after it."""
        with _KIND.errors("write", self.path), self._writing() as database:
            before = _find(database, id)
            after = action(before)
            if after is not before:
                database.execute(
                    f"UPDATE room SET ({_COLUMNS}, changed) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                    "WHERE id = ?",
                    (*_row(after), time.time(), id),
                )
            return after

    def stamp(self) -> int:
        """Return a number that differs after any change of the file; this is cheap."""
        # SQLite counts the changes of other connections, so always the same one is asked.
        with _KIND.errors("read", self.path), self._watch_lock:
            (stamp,) = self._watch.execute("PRAGMA data_version").fetchone()
        return int(stamp)

    def versions(self, ids: Iterable[str]) -> dict[str, int]:
        """Return the versions of those of these rooms that still exist."""
        with _KIND.errors("read", self.path), self._connection() as database:
            return dict(
                database.execute(
                    "SELECT id, version FROM room WHERE id IN (SELECT value FROM json_each(?))",
                    (json.dumps(list(ids)),),
                )
            )

    # -- connections -----------------------------------------------------------------------

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(
            self.path, timeout=_LOCK_SECONDS, isolation_level=None, check_same_thread=False
        )
        database.execute("PRAGMA journal_mode = WAL")  # readers never wait for writers
        database.execute("PRAGMA synchronous = FULL")
        return database

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection to this thread alone; as many are made as are needed at once."""
        try:
            database = self._idle.get_nowait()
        except queue.Empty:
            database = self._connect()
        try:
            yield database
        finally:
            self._idle.put(database)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection for a transaction, which excludes all other writers."""
        with self._connection() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
            except BaseException:
                database.execute("ROLLBACK")
                raise
            database.execute("COMMIT")


def _temporary() -> str:
    handle, path = tempfile.mkstemp(prefix="noughts-", suffix=".db")
    os.close(handle)
    return path


def _end(idle: queue.LifoQueue[sqlite3.Connection], temporary: Path | None) -> None:
    with suppress(queue.Empty):
        while True:
            idle.get_nowait().close()
    if temporary:
        for suffix in ("", "-wal", "-shm"):
            Path(f"{temporary}{suffix}").unlink(missing_ok=True)


def _row(room: Room) -> tuple[Any, ...]:
    return tuple(getattr(room, name) for name in _COLUMNS.split(", "))


def _find(database: sqlite3.Connection, id: str) -> Room:
    room = _load(database, id)
    if room is None:
        raise ApiError(404, "there is no such room, or it was deleted after some weeks")
    return room


def _load(database: sqlite3.Connection, id: str) -> Room | None:
    row = database.execute(f"SELECT {_COLUMNS} FROM room WHERE id = ?", (id,)).fetchone()
    if row is None:
        return None
    stored = dict(zip(_COLUMNS.split(", "), row, strict=True))
    for name in ("host_side", "resigned"):
        stored[name] = stored[name] and Player(stored[name])
    return Room(**stored)


def _clear(database: sqlite3.Connection, now: float) -> None:
    """Delete rooms that have not changed for weeks, and the clients that opened the others."""
    database.execute("DELETE FROM room WHERE changed < ?", (now - KEPT_DAYS * 24 * HOUR,))
    database.execute(
        "UPDATE room SET opener = NULL WHERE opener IS NOT NULL AND opened < ?", (now - HOUR,)
    )


def _require_below_limits(database: sqlite3.Connection, client: str, now: float) -> None:
    """Raise if this client has opened too many rooms in an hour, or if there are too many."""
    count, first = database.execute(
        "SELECT count(*), min(opened) FROM room WHERE opener = ?", (client,)
    ).fetchone()
    if count >= ROOMS_PER_HOUR:
        wait = {"Retry-After": str(max(1, int(first + HOUR - now) + 1))}
        raise ApiError(429, f"one client may open {ROOMS_PER_HOUR} rooms an hour", headers=wait)
    (count,) = database.execute("SELECT count(*) FROM room").fetchone()
    if count >= MAX_ROOMS:
        wait = {"Retry-After": str(int(HOUR))}
        raise ApiError(503, "the server holds as many rooms as it can", headers=wait)
