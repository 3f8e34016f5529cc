"""The match file: every game of a match is saved as it ends, so that the match can be resumed.

The file is JSON, one object per line: the match's terms first, then a game per line in the order in
which they ended. It stays empty until the first game. A power failure loses at most the games of
the last second; an incomplete last line is dropped. Two runs cannot write to one file: the second
is refused while the first one runs.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from noughts.errors import NoughtsError, brief, require_text
from noughts.matches.match import GameRecord, Match
from noughts.rules.parsing import start
from noughts.storage import sync_folder

if sys.platform != "win32":
    import fcntl

__all__ = ["MatchFile"]

_SYNC_SECONDS = 1.0  # between two syncs; games may take no more than a millisecond


class MatchFile:
    """The games of a match in a file; a context manager."""

    def __init__(self, name: str, match: Match) -> None:
        self._name = require_text(name, "the name of a match file")
        self._terms: dict[str, object] | None = {"match": match.terms()}  # until written
        self.records: list[GameRecord] = []
        self._synced = 0.0
        try:
            with ExitStack() as stack:
                self._stream = stack.enter_context(Path(name).open("ab"))
                self._resume(Path(name), match)
                self._open = stack.pop_all()
        except (OSError, ValueError) as error:
            if isinstance(error, NoughtsError):
                raise
            raise self._trouble(getattr(error, "strerror", None) or error) from None

    def add(self, record: GameRecord) -> None:
        """Save a game."""
        self.records.append(record)
        try:
            if self._terms is not None:
                self._write(self._terms)
                self._terms = None
            self._write(record.to_json())
        except OSError as error:
            raise self._trouble(error.strerror or error) from None

    def __enter__(self) -> MatchFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._sync()
        self._open.close()

    def _resume(self, path: Path, match: Match) -> None:
        """Read the games of an earlier run, and drop an incomplete last line."""
        old = b""
        if path.is_file():
            if not _lock(self._stream):
                raise self._trouble("another run is writing to it")
            old = path.read_bytes()
        whole = old[: old.rfind(b"\n") + 1]
        if whole:
            self._read(whole, match)
            self._terms = None
        elif old:
            raise self._trouble("it is not a match")
        if len(whole) < len(old):
            self._stream.truncate(len(whole))

    def _read(self, data: bytes, match: Match) -> None:
        """Read the games of an earlier run; refuse those of another match."""
        first, *others = data.splitlines()
        try:
            terms = json.loads(first)["match"]
            wanted = match.terms()
            for term, value in wanted.items():
                if terms[term] != value:
                    said = f"{term} is {brief(terms[term])} there, not {brief(value)}"
                    raise self._trouble(f"it holds another match: {said}")
            begin = start(match.game)
            numbers = set()
            for line in others:
                record = GameRecord.from_json(json.loads(line))
                if record.game.start != begin:
                    raise ValueError
                if record.number not in numbers and record.number <= match.games:
                    self.records.append(record)
                numbers.add(record.number)
        except (KeyError, TypeError, ValueError, RecursionError):
            raise self._trouble("it is not a match") from None

    def _write(self, data: object) -> None:
        self._stream.write(json.dumps(data).encode() + b"\n")
        self._stream.flush()
        if time.monotonic() - self._synced > _SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        with suppress(OSError):  # a pipe cannot be synced
            os.fsync(self._stream.fileno())
            sync_folder(Path(self._name))
        self._synced = time.monotonic()

    def _trouble(self, reason: object) -> NoughtsError:
        return NoughtsError(f"cannot save the match in {brief(self._name)}: {reason}")


def _lock(file: BinaryIO) -> bool:
    """Lock the file until it is closed or this process ends; False if another process has it."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            pass
    return True
