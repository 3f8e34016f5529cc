"""The file of rooms: one SQLite file, which any number of servers on a machine can share.

A change reads a room, decides, and writes it in one transaction, so that one of two simultaneous
changes comes first and the other sees it. A change is on disk before it is answered. Rooms that
have not changed for four weeks are deleted.

Clocks are by the machine's monotonic clock, which all servers on it share. While one runs, a
*beat* is written twice a second: the last time at which a server is known to have been there.
A server that starts, and finds the last beat some time ago, knows that there was none meanwhile:
clocks stood still since then.
"""

from __future__ import annotations

import json
import math
import os
import queue
import sqlite3
import tempfile
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

from noughts.errors import StoreError
from noughts.rules.game import Game
from noughts.rules.player import Player
from noughts.storage import SqliteFile
from noughts.web.errors import ApiError
from noughts.web.rooms.clock import Clock, TimeControl
from noughts.web.rooms.room import Conflict, Person, Room, id_of, key_of

__all__ = ["Store"]

HOUR = 3600.0
KEPT_DAYS = 28
MAX_ROOMS = 100_000
ROOMS_PER_HOUR = 60  # of one client, which may be the address of a whole school
_LOCK_SECONDS = 5.0  # to wait for another server's change

BEAT_SECONDS = 0.5
_MISSED_SECONDS = 2 * BEAT_SECONDS  # since the last beat: a server that starts finds no other
_STALLED_SECONDS = 5.0  # since the last beat: this server could not write, so nobody could move
EXTRA_SECONDS = 10.0  # for both sides after that, to find back to the board

_STORED = (
    *("id", "text", "host_side", "host_key", "guest_key", "round", "resigned", "agreed", "version"),
    *("clock", "falls_at", "host", "guest"),
)
_COLUMNS = ", ".join(_STORED)
_PLACES = ", ".join("?" * len(_STORED))

_CLOCKS = """
    ALTER TABLE room ADD COLUMN clock TEXT;
    ALTER TABLE room ADD COLUMN falls_at REAL;
    ALTER TABLE room ADD COLUMN host TEXT NOT NULL DEFAULT '{}';
    ALTER TABLE room ADD COLUMN guest TEXT NOT NULL DEFAULT '{}';
    CREATE INDEX by_fall ON room (falls_at) WHERE falls_at IS NOT NULL;
    CREATE TABLE beat (at REAL NOT NULL);
    """
_KIND = SqliteFile(
    name="file of games",
    application=0x6E6F7431,  # "not1"
    version=2,
    upgrades={1: _CLOCKS},
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
    """
    + _CLOCKS,
    error=StoreError,
)


class Store:
    """Rooms by their id. Its methods wait for the disk, so call them in threads.

    Without a path the rooms last as long as the store. `clock` is what the clocks of games go by.
    """

    def __init__(
        self,
        path: os.PathLike[str] | str | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = Path(path or _temporary())
        self.clock = clock
        self._idle: queue.LifoQueue[sqlite3.Connection] = queue.LifoQueue()
        # A store that is not closed leaves nothing behind either.
        self._end = weakref.finalize(self, _end, self._idle, None if path else self.path)
        _KIND.prepare(self.path)
        with _KIND.errors("use", self.path):
            self._watch = self._connect()
            self._watch_lock = Lock()
            with self._writing() as database:
                _clear(database, time.time())
                _resume(database, clock(), missed=_MISSED_SECONDS)

    def close(self) -> None:
        """Close the file."""
        with self._watch_lock:
            self._watch.close()
        self._end()

    # -- rooms -----------------------------------------------------------------------------

    def open(
        self,
        game: Game[Any],
        side: Player,
        secret: str,
        client: str,
        *,
        control: TimeControl | None = None,
        name: str = "",
    ) -> Room:
        """Open a room for a game, with its host on this side, for a client (see `clients`).

        The same secret opens it only once, and afterwards returns its current state.
        """
        text = Game(game.start, game.moves).text  # a room has no undone moves
        clock = None if control is None else Clock.of(control)
        room = Room(id_of(secret), text, side, key_of(secret), clock=clock, host=Person(name))
        room = room.at(self.clock())
        now = time.time()
        with _KIND.errors("write", self.path), self._writing() as database:
            _clear(database, now)
            if opened := _load(database, room.id):
                opened = opened.at(room.now)
                if not opened.was_opened_for(game, side, control):
                    raise Conflict("this secret has opened a room for another game", opened)
                return opened
            _require_below_limits(database, client, now)
            database.execute(
                f"INSERT INTO room ({_COLUMNS}, changed, opened, opener) "
                f"VALUES ({_PLACES}, ?, ?, ?)",
                (*_row(room), now, now, client),
            )
        return room

    def find(self, id: str) -> Room:
        """Return the current state of a room."""
        with _KIND.errors("read", self.path), self._connection() as database:
            return _find(database, id).at(self.clock())

    def change(self, id: str, action: Callable[[Room], Room], *, now: float | None = None) -> Room:
        """Apply an action to a room and return the state after it.

        `now` is when the action was asked for, which is not to cost a player the time that the
        file was locked.
        """
        now = self.clock() if now is None else now
        with _KIND.errors("write", self.path), self._writing() as database:
            stored = _find(database, id)
            after = action(stored.at(now))
            if after.version != stored.version:
                _save(database, after, time.time())
                if after.clock and after.clock.running:
                    _beat(database, self.clock())
            return after

    def tick(self) -> tuple[list[str], float | None]:
        """Let flags fall that have to; return the changed rooms, and when the next flag may fall.

        Call it at least every `BEAT_SECONDS` while there is a next one.
        """
        now = self.clock()
        with _KIND.errors("write", self.path):
            with self._connection() as database:
                first = _first_fall(database)
            if first is None:  # the usual case, which writes nothing
                return [], None
            with self._writing() as database:
                changed = _resume(database, now, missed=_STALLED_SECONDS)
                _beat(database, now)
                for room in _running(database, until=now):
                    _save(database, room.at(now), time.time())
                    changed.append(room.id)
                return changed, _first_fall(database)

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
    values: dict[str, Any] = {name: getattr(room, name, None) for name in _STORED}
    if room.clock is not None:
        values |= {"clock": json.dumps(room.clock.to_row()), "falls_at": room.clock.falls_at}
    for seat in ("host", "guest"):
        values[seat] = json.dumps(asdict(values[seat]))
    return tuple(values.values())


def _find(database: sqlite3.Connection, id: str) -> Room:
    room = _load(database, id)
    if room is None:
        raise ApiError(404, "there is no such room, or it was deleted after some weeks")
    return room


def _load(database: sqlite3.Connection, id: str) -> Room | None:
    row = database.execute(f"SELECT {_COLUMNS} FROM room WHERE id = ?", (id,)).fetchone()
    return None if row is None else _room(row)


def _room(row: tuple[Any, ...]) -> Room:
    stored = dict(zip(_STORED, row, strict=True))
    del stored["falls_at"]
    for name in ("host_side", "resigned"):
        stored[name] = stored[name] and Player(stored[name])
    stored["clock"] = stored["clock"] and Clock.from_row(json.loads(stored["clock"]))
    for seat in ("host", "guest"):
        stored[seat] = Person(**json.loads(stored[seat]))
    return Room(**stored)


def _save(database: sqlite3.Connection, room: Room, changed: float) -> None:
    database.execute(
        f"UPDATE room SET ({_COLUMNS}, changed) = ({_PLACES}, ?) WHERE id = ?",
        (*_row(room), changed, room.id),
    )


# -- clocks ------------------------------------------------------------------------------


def _running(database: sqlite3.Connection, until: float = math.inf) -> list[Room]:
    """Return the rooms whose clocks run, those only whose flags fall until a time."""
    query = f"SELECT {_COLUMNS} FROM room WHERE falls_at <= ?"
    return list(map(_room, database.execute(query, (until,))))


def _first_fall(database: sqlite3.Connection) -> float | None:
    query = "SELECT min(falls_at) FROM room WHERE falls_at IS NOT NULL"
    (at,) = database.execute(query).fetchone()
    return None if at is None else float(at)


def _beat(database: sqlite3.Connection, now: float) -> None:
    database.execute("DELETE FROM beat")
    database.execute("INSERT INTO beat VALUES (?)", (now,))


def _resume(database: sqlite3.Connection, now: float, missed: float) -> list[str]:
    """Let clocks go on after a pause, if there was one: no beat for some time."""
    (beat,) = database.execute("SELECT max(at) FROM beat").fetchone()
    # A machine that was started anew counts its time anew, so now may also be less.
    if beat is None or 0 <= now - beat <= missed:
        return []
    stopped = _running(database)
    for room in stopped:
        _save(database, room.at(beat).resumed(now, EXTRA_SECONDS), time.time())
    _beat(database, now)
    return [room.id for room in stopped]


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
