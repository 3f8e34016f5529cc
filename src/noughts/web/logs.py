"""The log of the server, limited in rate: whoever sends nonsense must not fill the disk.

Of messages of one kind, those with the same text before their arguments are filled in, the first
few of each minute are logged; the next one after that minute says how many were not.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["RateLimit", "limit_log_rate"]

_LOGGERS = ("noughts.web", "uvicorn.error", "asyncio")
_MOST_KINDS = 100


@dataclass
class _Kind:
    """The messages of a kind since the beginning of its minute."""

    begin: float
    logged: int = 0
    dropped: int = 0


class RateLimit(logging.Filter):
    """Lets `most` messages of each kind pass in `seconds`."""

    def __init__(
        self, most: int = 5, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._kinds: dict[object, _Kind] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a message, which may get a remark on those before it."""
        now = self._clock()
        kind = self._kind(record, now)
        if now - kind.begin >= self._seconds:
            dropped, kind.begin, kind.logged, kind.dropped = kind.dropped, now, 0, 0
            if dropped:
                record.msg = f"{record.getMessage()} ({dropped:,} more like this were not logged)"
                record.args = ()
        if kind.logged >= self._most:
            kind.dropped += 1
            return False
        kind.logged += 1
        return True

    def _kind(self, record: logging.LogRecord, now: float) -> _Kind:
        key: object = record.name, str(record.msg).partition("\n")[0]
        if key not in self._kinds and len(self._kinds) >= _MOST_KINDS:
            key = None  # all further kinds together
        return self._kinds.setdefault(key, _Kind(now))


def limit_log_rate() -> None:
    """Limit what this process logs about requests and connections."""
    limit = RateLimit()
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(limit)
