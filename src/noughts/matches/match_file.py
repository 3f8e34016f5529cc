"""The match file: every game of a match is saved as it ends, so that the match can be resumed.

The file is JSON, one object per line: the match's terms first, then a game per line in the order in
which they ended. It stays empty until the first game. An incomplete last line, as a power failure
leaves it, is dropped. Two runs cannot write to one file: the second is refused while the first one
runs.
"""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from noughts.errors import NoughtsError, brief, require_text
from noughts.matches.match import GameRecord, Match

if sys.platform != "win32":
    import fcntl

__all__ = ["MatchFile"]


class MatchFile:
    """The games of a match in a file; a context manager."""

    def __init__(self, name: str, match: Match) -> None:
        self._name = require_text(name, "the name of a match file")
        self._terms: dict[str, object] | None = {"match": match.terms()}  # until written
        self.records: list[GameRecord] = []
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
            numbers = set()
            for line in others:
                record = GameRecord.from_json(json.loads(line))
                if record.number not in numbers and record.number <= match.games:
                    self.records.append(record)
                numbers.add(record.number)
        except (KeyError, TypeError, ValueError, RecursionError):
            raise self._trouble("it is not a match") from None

    def _write(self, data: object) -> None:
        self._stream.write(json.dumps(data).encode() + b"\n")
        self._stream.flush()

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
